package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Cuts a linear order of steps into vectors. The first remaining step begins a vector, and steps of
 * the same kind join it if they follow soon and their inputs are complete. The look-ahead is a few
 * vectors long, so that the vectors keep close to the order and its low peak.
 *
 * <p>Terms of one sum keep their order, and stand next to each other where one vector holds several
 * of them.
 */
final class VectorAssembly {
  /** The look-ahead for steps other than traces, in vectors. */
  private static final int LOOK_AHEAD = 2;

  /**
   * The look-ahead for steps of any kind, and the largest number of traces of a vector, in vectors.
   */
  private static final int TRACES = 64;

  private final List<ExecutionQueue.Step> steps;
  private final List<ExecutionQueue.Element> elements;
  private final int vectorSize;
  private final int[] termsLeft;
  private final int[] previousTerm;
  private final BitSet done;
  // Steps are looked at again and again: one action serves all.
  private final IntConsumer look = this::look;
  private boolean ready;

  private VectorAssembly(
      List<ExecutionQueue.Step> steps, List<ExecutionQueue.Element> elements, int vectorSize) {
    this.steps = steps;
    this.elements = elements;
    this.vectorSize = vectorSize;
    termsLeft = new int[elements.size()];
    previousTerm = new int[steps.size()];
    done = new BitSet(steps.size());
    int[] lastTerm = new int[elements.size()];
    Arrays.fill(lastTerm, -1);
    for (int k = 0; k < steps.size(); k++) {
      previousTerm[k] = -1;
      int destination = steps.get(k).destination();
      if (destination >= 0) {
        termsLeft[destination]++;
        previousTerm[k] = lastTerm[destination];
        lastTerm[destination] = k;
      }
    }
  }

  /** Returns the vectors; the factors of each step precede it. */
  static List<ExecutionQueue.Vector> assemble(
      List<ExecutionQueue.Step> steps, List<ExecutionQueue.Element> elements, int vectorSize) {
    return new VectorAssembly(steps, elements, vectorSize).run();
  }

  /**
   * The most steps of a vector with a step, which has one right at most. Blocks with currents pass
   * by, and few of them at a time.
   */
  private int limit(ExecutionQueue.Step step) {
    boolean manyTraces =
        step instanceof ExecutionQueue.Traces trace
            && (trace.rights().isEmpty()
                || !(elements.get(trace.rights().get(0)) instanceof Input.Generalized));
    return manyTraces ? TRACES * vectorSize : vectorSize;
  }

  private List<ExecutionQueue.Vector> run() {
    List<ExecutionQueue.Vector> vectors = new ArrayList<>();
    int first = 0;
    while (first < steps.size()) {
      List<ExecutionQueue.Step> vector = new ArrayList<>();
      List<Integer> members = new ArrayList<>();
      int last = -1;
      int limit = limit(steps.get(first));
      int end = (int) Math.min(steps.size(), first + (long) TRACES * vectorSize);
      int passed = 0;
      for (int k = first;
          k < end && vector.size() < limit && passed < LOOK_AHEAD * vectorSize;
          k = done.nextClearBit(k + 1)) {
        ExecutionQueue.Step step = steps.get(k);
        boolean afterPrevious =
            previousTerm[k] < 0 || done.get(previousTerm[k]) || previousTerm[k] == last;
        if (step.getClass() == steps.get(first).getClass()
            && afterPrevious
            && vector.size() < limit(step)
            && isReady(step)) {
          vector.add(step);
          members.add(k);
          last = k;
        }
        passed += step instanceof ExecutionQueue.Traces ? 0 : 1;
      }
      for (int k : members) {
        done.set(k);
        int destination = steps.get(k).destination();
        if (destination >= 0) {
          termsLeft[destination]--;
        }
      }
      vectors.add(new ExecutionQueue.Vector(vector));
      first = done.nextClearBit(first);
    }
    return vectors;
  }

  private void look(int element) {
    ready &= termsLeft[element] == 0;
  }

  private boolean isReady(ExecutionQueue.Step step) {
    ready = true;
    step.forEachInput(look);
    return ready;
  }
}
