package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Keeps an order of steps within a budget by dropping nodes whose next use is far away and building
 * them again: a build costs a quarter of a product, while moving a node to the host and back costs
 * two copies. Where memory is short, it drops the node whose next use is furthest in the future.
 */
final class NodeRebuilding {
  /** Number of times that the search for the lowest peak halves its interval. */
  private static final int HALVINGS = 8;

  private final BoundGraph graph;
  private final List<ExecutionQueue.Step> steps;
  private final int buildLimit;
  private final long[] bytes;
  private final boolean[] isNode;
  private final int[] destinations;
  // The distinct elements of each step, its destination last.
  private final int[][] touched;
  private final int[][] positions;
  private final int[] at;
  // The present number of an element; a node gets a new number each time it is built.
  private final int[] current;
  private final boolean[] resident;
  // The uses of nodes have numbers: a later one has a higher number, and of the nodes that one step
  // uses the one with the lower number as element.
  private final int[][] useNumbers;
  private final int[] nodeOfUse;
  // The next uses of the nodes that may be dropped, and a bound on their numbers.
  private final BitSet nextUses = new BitSet();
  private int bound = -1;
  private List<ExecutionQueue.Element> elements = List.of();
  private @Nullable List<ExecutionQueue.Step> result;
  private long budget;
  private long used;
  private long peak;
  private int rebuilt;

  private NodeRebuilding(
      BoundGraph graph, List<ExecutionQueue.Step> steps, int extent, double buildFraction) {
    this.graph = graph;
    this.steps = steps;
    bytes = ElementSizes.bytes(graph.elements(), extent);
    double flops = 0;
    double build = 1;
    for (ExecutionQueue.Step step : steps) {
      double own = ElementSizes.flops(graph.elements(), step, extent);
      flops += own;
      build = step instanceof ExecutionQueue.Build ? own : build;
    }
    buildLimit = (int) Math.min(Integer.MAX_VALUE, buildFraction * flops / build);
    isNode = new boolean[bytes.length];
    for (int e = 0; e < isNode.length; e++) {
      isNode[e] = graph.elements().get(e) instanceof ExecutionQueue.Node;
    }
    destinations = new int[steps.size()];
    for (int k = 0; k < destinations.length; k++) {
      destinations[k] = steps.get(k).destination();
    }
    touched = touched();
    positions = SequenceTable.inverted(touched, bytes.length);
    at = new int[bytes.length];
    current = new int[bytes.length];
    resident = new boolean[bytes.length];
    useNumbers = new int[bytes.length][];
    nodeOfUse = numberedUses();
  }

  /** The steps, the elements with those that were added, and the peak in bytes of this order. */
  record Rebuilt(
      List<ExecutionQueue.Step> steps, List<ExecutionQueue.Element> elements, long peakBytes) {}

  /** Finds, by bisection, the lowest peak for at most a given fraction of additional work. */
  static Rebuilt lowestPeak(
      BoundGraph graph, List<ExecutionQueue.Step> steps, int extent, double buildFraction) {
    NodeRebuilding rebuilding = new NodeRebuilding(graph, steps, extent, buildFraction);
    long best = Long.MAX_VALUE;
    long bestPeak = rebuilding.simulate(best);
    long low = 0;
    long high = bestPeak;
    for (int k = 0; k < HALVINGS; k++) {
      long middle = (low + high) / 2;
      long trial = rebuilding.simulate(middle);
      if (trial < bestPeak) {
        best = middle;
        bestPeak = trial;
      }
      if (trial <= middle) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return rebuilding.rebuilt(best);
  }

  /**
   * Applies it.
   *
   * @param buildFraction the most work to spend on building nodes again, as a fraction of all work
   */
  static Rebuilt apply(
      BoundGraph graph,
      List<ExecutionQueue.Step> steps,
      int extent,
      long budget,
      double buildFraction) {
    return new NodeRebuilding(graph, steps, extent, buildFraction).rebuilt(budget);
  }

  private int[][] touched() {
    int[][] lists = new int[steps.size()][];
    // The step that named an element last.
    int[] named = new int[bytes.length];
    Arrays.fill(named, -1);
    for (int k = 0; k < lists.length; k++) {
      int step = k;
      IntStream.Builder list = IntStream.builder();
      steps
          .get(k)
          .forEachInput(
              e -> {
                if (named[e] != step) {
                  named[e] = step;
                  list.add(e);
                }
              });
      if (destinations[k] != ContractionPlan.NONE) {
        list.add(destinations[k]);
      }
      lists[k] = list.build().toArray();
    }
    return lists;
  }

  /** Numbers the uses of nodes; returns the node of each. */
  private int[] numberedUses() {
    int uses = 0;
    for (int e = 0; e < isNode.length; e++) {
      useNumbers[e] = new int[isNode[e] ? positions[e].length : 0];
      uses += useNumbers[e].length;
    }
    int[] nodeOf = new int[uses];
    int[] seen = new int[bytes.length];
    int number = 0;
    for (int[] list : touched) {
      int first = number;
      for (int e : list) {
        if (isNode[e]) {
          int k = number++;
          while (k > first && nodeOf[k - 1] < e) {
            nodeOf[k] = nodeOf[k - 1];
            k--;
          }
          nodeOf[k] = e;
        }
      }
      for (int k = first; k < number; k++) {
        int e = nodeOf[k];
        useNumbers[e][seen[e]++] = k;
      }
    }
    return nodeOf;
  }

  private boolean isUsedAgain(int element) {
    return at[element] < positions[element].length;
  }

  /** The peak of the steps within a budget; nothing is kept. */
  private long simulate(long bytesAllowed) {
    result = null;
    run(bytesAllowed);
    return peak;
  }

  /** The steps within a budget. */
  private Rebuilt rebuilt(long bytesAllowed) {
    List<ExecutionQueue.Step> order = new ArrayList<>(steps.size());
    result = order;
    elements = new ArrayList<>(graph.elements());
    run(bytesAllowed);
    return new Rebuilt(order, elements, peak);
  }

  private void run(long bytesAllowed) {
    budget = bytesAllowed;
    used = 0;
    peak = 0;
    rebuilt = 0;
    nextUses.clear();
    bound = -1;
    Arrays.fill(at, 0);
    Arrays.fill(resident, false);
    Arrays.setAll(current, e -> e);
    for (int k = 0; k < touched.length; k++) {
      for (int e : touched[k]) {
        if (isNode[e]) {
          nextUses.clear(useNumbers[e][at[e]]);
        }
        at[e]++;
      }
      for (int e : touched[k]) {
        if (!resident[e]) {
          if (isNode[e] && e != destinations[k]) {
            build(e);
          } else {
            settle(e);
          }
        }
      }
      if (result != null) {
        result.add(renamed(steps.get(k)));
      }
      for (int e : touched[k]) {
        if (!isUsedAgain(e)) {
          resident[e] = false;
          used -= bytes[e];
        } else if (isNode[e]) {
          int use = useNumbers[e][at[e]];
          nextUses.set(use);
          bound = Math.max(bound, use);
        }
      }
    }
  }

  private void build(int element) {
    settle(element);
    rebuilt++;
    if (result != null) {
      ExecutionQueue.Build build = (ExecutionQueue.Build) graph.steps().get(element).get(0);
      current[element] = elements.size();
      elements.add(graph.elements().get(element));
      result.add(
          new ExecutionQueue.Build(current[element], build.elemental(), build.perambulator()));
    }
  }

  private void settle(int element) {
    while (used + bytes[element] > budget && bound >= 0 && rebuilt < buildLimit) {
      bound = nextUses.previousSetBit(bound);
      if (bound < 0) {
        break;
      }
      nextUses.clear(bound);
      int victim = nodeOfUse[bound];
      resident[victim] = false;
      used -= bytes[victim];
    }
    resident[element] = true;
    used += bytes[element];
    peak = Math.max(peak, used);
  }

  private ExecutionQueue.Step renamed(ExecutionQueue.Step step) {
    if (rebuilt == 0) {
      return step;
    }
    if (step instanceof ExecutionQueue.Multiply m) {
      return new ExecutionQueue.Multiply(
          m.destination(),
          m.leftGamma(),
          current[m.left()],
          m.innerGamma(),
          current[m.right()],
          m.coefficient(),
          m.accumulate());
    }
    if (step instanceof ExecutionQueue.Attach a) {
      return new ExecutionQueue.Attach(
          a.destination(),
          a.leftGamma(),
          current[a.left()],
          a.innerGamma(),
          a.elemental(),
          a.coefficient(),
          a.accumulate());
    }
    if (step instanceof ExecutionQueue.Traces t) {
      return new ExecutionQueue.Traces(
          t.leftGamma(), renamed(t.lefts()), t.innerGamma(), renamed(t.rights()), t.firstTrace());
    }
    if (step instanceof ExecutionQueue.BoundPairs p) {
      return new ExecutionQueue.BoundPairs(
          p.destination(),
          p.attached(),
          current[p.first()],
          p.branches().stream()
              .map(
                  b ->
                      new BaryonPart.Branch(
                          current[b.second()], b.spins(), b.others(), b.antisymmetric()))
              .toList(),
          p.sinkAttached());
    }
    return step;
  }

  private List<Integer> renamed(List<Integer> list) {
    return list.stream().map(e -> current[e]).toList();
  }
}
