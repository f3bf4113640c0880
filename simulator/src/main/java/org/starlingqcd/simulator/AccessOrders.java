package org.starlingqcd.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;

/**
 * Other orders of the contractions of a trace with the same values: every element is written before
 * it is read, and the writers of an element keep their order. In a new order every contraction is a
 * vector of its own.
 */
public final class AccessOrders {
  /** The order of the trace. */
  public static final String GIVEN = "given";

  /** Each contraction right after those that it needs; final contractions keep their order. */
  public static final String DEPTH_FIRST = "depth-first";

  /**
   * Always the contraction that adds least to the memory in use, of the {@value #WINDOW} that have
   * been ready longest.
   */
  public static final String GREEDY = "greedy";

  private static final int WINDOW = 256;

  private AccessOrders() {}

  /** The names of the orders. */
  public static List<String> names() {
    return List.of(GIVEN, DEPTH_FIRST, GREEDY);
  }

  /**
   * The same contractions in another order.
   *
   * @throws IllegalArgumentException when the name is unknown
   */
  public static AccessTrace reorder(AccessTrace trace, String order) {
    List<AccessQueue> queues = new ArrayList<>();
    for (AccessQueue queue : trace.queues()) {
      queues.add(
          switch (order) {
            case GIVEN -> inOrder(queue, IntStream.range(0, queue.steps()).toArray());
            case DEPTH_FIRST -> inOrder(queue, depthFirst(queue));
            case GREEDY -> inOrder(queue, greedy(trace, queue));
            default ->
                throw new IllegalArgumentException(
                    "unknown order \"" + order + "\"; known orders: " + String.join(", ", names()));
          });
    }
    return new AccessTrace(trace.shapes(), trace.shapeOf(), trace.input(), queues, trace.keys());
  }

  /** Rounds of a queue of ready steps, first in, first out; each round is a vector. */
  public static AccessQueue inRounds(AccessQueue queue, int window) {
    Dependencies dependencies = new Dependencies(queue);
    ArrayDeque<Integer> ready = new ArrayDeque<>(dependencies.ready());
    AccessQueue.Builder builder = AccessQueue.builder();
    while (!ready.isEmpty()) {
      List<Integer> round = new ArrayList<>();
      while (round.size() < window && !ready.isEmpty()) {
        round.add(ready.remove());
      }
      for (int step : round) {
        copy(queue, step, builder);
        ready.addAll(dependencies.done(step));
      }
      builder.endVector();
    }
    Arrays.stream(queue.kept()).forEach(builder::keep);
    return builder.build();
  }

  private static AccessQueue inOrder(AccessQueue queue, int[] steps) {
    AccessQueue.Builder builder = AccessQueue.builder();
    for (int step : steps) {
      copy(queue, step, builder);
      builder.endVector();
    }
    Arrays.stream(queue.kept()).forEach(builder::keep);
    return builder.build();
  }

  private static void copy(AccessQueue queue, int step, AccessQueue.Builder builder) {
    int output = queue.firstOutput(step);
    int[] inputs = IntStream.range(queue.firstAccess(step), output).map(queue::element).toArray();
    int[] outputs =
        IntStream.range(output, queue.firstAccess(step + 1)).map(queue::element).toArray();
    builder.step(inputs, outputs).work(queue.kind(step), queue.flops(step));
    if (queue.overwrites(step)) {
      builder.overwriting();
    }
    if (queue.isRepeatable(step)) {
      builder.repeatable();
    }
  }

  /**
   * For each step the steps that must precede it: the last writer before of each element it uses,
   * and for what it writes all readers since that.
   */
  private static List<int[]> predecessors(AccessQueue queue) {
    int[] writer = new int[queue.elements()];
    Arrays.fill(writer, -1);
    List<List<Integer>> readers = new ArrayList<>();
    for (int element = 0; element < queue.elements(); element++) {
      readers.add(new ArrayList<>(0));
    }
    List<int[]> result = new ArrayList<>();
    for (int step = 0; step < queue.steps(); step++) {
      List<Integer> before = new ArrayList<>();
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (writer[element] >= 0 && writer[element] != step) {
          before.add(writer[element]);
        }
        if (k >= queue.firstOutput(step)) {
          int self = step;
          readers.get(element).stream().filter(reader -> reader != self).forEach(before::add);
          readers.get(element).clear();
          writer[element] = step;
        } else {
          readers.get(element).add(step);
        }
      }
      result.add(before.stream().distinct().mapToInt(Integer::intValue).toArray());
    }
    return result;
  }

  private static int[] depthFirst(AccessQueue queue) {
    List<int[]> predecessors = predecessors(queue);
    BitSet needed = new BitSet();
    predecessors.forEach(before -> Arrays.stream(before).forEach(needed::set));
    int[] steps = new int[queue.steps()];
    int[] stack = new int[queue.steps() + 1];
    int[] nextBefore = new int[queue.steps()];
    BitSet entered = new BitSet();
    int done = 0;
    for (int last = 0; last < queue.steps(); last++) {
      if (needed.get(last)) {
        continue;
      }
      int depth = 0;
      stack[depth++] = last;
      entered.set(last);
      while (depth > 0) {
        int step = stack[depth - 1];
        int[] before = predecessors.get(step);
        if (nextBefore[step] < before.length) {
          int one = before[nextBefore[step]++];
          if (!entered.get(one)) {
            entered.set(one);
            stack[depth++] = one;
          }
        } else {
          steps[done++] = step;
          depth--;
        }
      }
    }
    return steps;
  }

  private static int[] greedy(AccessTrace trace, AccessQueue queue) {
    Dependencies dependencies = new Dependencies(queue);
    int[] usesLeft = new int[queue.elements()];
    for (int k = 0; k < queue.accesses(); k++) {
      usesLeft[queue.element(k)]++;
    }
    for (int element : queue.kept()) {
      usesLeft[element]++;
    }
    List<Integer> ready = dependencies.ready();
    BitSet resident = new BitSet();
    int[] steps = new int[queue.steps()];
    for (int done = 0; done < steps.length; done++) {
      int best = 0;
      long least = Long.MAX_VALUE;
      for (int k = 0; k < Math.min(WINDOW, ready.size()); k++) {
        long growth = growth(trace, queue, ready.get(k), resident, usesLeft);
        if (growth < least) {
          least = growth;
          best = k;
        }
      }
      int step = ready.remove(best);
      steps[done] = step;
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        resident.set(queue.element(k), --usesLeft[queue.element(k)] > 0);
      }
      ready.addAll(dependencies.done(step));
    }
    return steps;
  }

  /** Which steps wait for which others. */
  private static final class Dependencies {
    private final List<List<Integer>> successors = new ArrayList<>();
    private final int[] waitingFor;

    Dependencies(AccessQueue queue) {
      List<int[]> predecessors = predecessors(queue);
      waitingFor = predecessors.stream().mapToInt(before -> before.length).toArray();
      for (int step = 0; step < waitingFor.length; step++) {
        successors.add(new ArrayList<>(2));
        for (int before : predecessors.get(step)) {
          successors.get(before).add(step);
        }
      }
    }

    /** The steps that wait for none. */
    List<Integer> ready() {
      return IntStream.range(0, waitingFor.length)
          .filter(step -> waitingFor[step] == 0)
          .boxed()
          .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The steps that have waited for this one last. */
    List<Integer> done(int step) {
      return successors.get(step).stream().filter(after -> --waitingFor[after] == 0).toList();
    }
  }

  /** Bytes that a step adds to the elements that are alive. */
  private static long growth(
      AccessTrace trace, AccessQueue queue, int step, BitSet resident, int[] usesLeft) {
    long growth = 0;
    int first = queue.firstAccess(step);
    int end = queue.firstAccess(step + 1);
    for (int k = first; k < end; k++) {
      int element = queue.element(k);
      int usesHere = 0;
      boolean seen = false;
      for (int other = first; other < end; other++) {
        if (queue.element(other) == element) {
          usesHere++;
          seen |= other < k;
        }
      }
      if (!seen) {
        boolean staysAlive = usesLeft[element] > usesHere;
        growth +=
            (resident.get(element) ? 0 : trace.bytes(element))
                - (staysAlive ? 0 : trace.bytes(element));
      }
    }
    return growth;
  }
}
