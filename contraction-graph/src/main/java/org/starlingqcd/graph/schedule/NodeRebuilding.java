package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Keeps an order of steps within a budget by dropping nodes whose next use is far away and building
 * them again: a build costs a quarter of a product, while moving a node to the host and back costs
 * two copies. Where memory is short, it drops the node whose next use is furthest in the future.
 */
final class NodeRebuilding {
  private final BoundGraph graph;
  private final List<ExecutionQueue.Step> steps;
  private final long budget;
  private final int buildLimit;
  private final List<ExecutionQueue.Element> elements;
  private final List<ExecutionQueue.Step> result = new ArrayList<>();
  private final long[] bytes;
  private final int[][] positions;
  private final int[] at;
  // The present number of an element; a node gets a new number each time it is built.
  private final int[] current;
  private final boolean[] resident;
  private final TreeSet<Integer> nodes;
  private long used;
  private long peak;
  private int rebuilt;

  private NodeRebuilding(
      BoundGraph graph,
      List<ExecutionQueue.Step> steps,
      int extent,
      long budget,
      double buildFraction) {
    this.graph = graph;
    this.steps = steps;
    this.budget = budget;
    elements = new ArrayList<>(graph.elements());
    bytes = ElementSizes.bytes(graph.elements(), extent);
    double flops = 0;
    double build = 1;
    for (ExecutionQueue.Step step : steps) {
      flops += ElementSizes.flops(step, extent);
      if (step instanceof ExecutionQueue.Build) {
        build = ElementSizes.flops(step, extent);
      }
    }
    buildLimit = (int) Math.min(Integer.MAX_VALUE, buildFraction * flops / build);
    positions = positions();
    at = new int[bytes.length];
    current = new int[bytes.length];
    Arrays.setAll(current, e -> e);
    resident = new boolean[bytes.length];
    nodes = new TreeSet<>(Comparator.<Integer>comparingInt(e -> -next(e)).thenComparingInt(e -> e));
  }

  /** The steps, the elements with those that were added, and the peak in bytes of this order. */
  record Rebuilt(
      List<ExecutionQueue.Step> steps, List<ExecutionQueue.Element> elements, long peakBytes) {}

  /** Number of times that the search for the lowest peak halves its interval. */
  private static final int HALVINGS = 8;

  /** Finds, by bisection, the lowest peak for at most a given fraction of additional work. */
  static Rebuilt lowestPeak(
      BoundGraph graph, List<ExecutionQueue.Step> steps, int extent, double buildFraction) {
    Rebuilt best = apply(graph, steps, extent, Long.MAX_VALUE, buildFraction);
    long low = 0;
    long high = best.peakBytes();
    for (int k = 0; k < HALVINGS; k++) {
      long middle = (low + high) / 2;
      Rebuilt trial = apply(graph, steps, extent, middle, buildFraction);
      if (trial.peakBytes() < best.peakBytes()) {
        best = trial;
      }
      if (trial.peakBytes() <= middle) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return best;
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
    return new NodeRebuilding(graph, steps, extent, budget, buildFraction).run();
  }

  private int[][] positions() {
    int[] count = new int[bytes.length];
    for (ExecutionQueue.Step step : steps) {
      touched(step).forEach(e -> count[e]++);
    }
    int[][] lists = new int[bytes.length][];
    for (int e = 0; e < lists.length; e++) {
      lists[e] = new int[count[e]];
    }
    Arrays.fill(count, 0);
    for (int k = 0; k < steps.size(); k++) {
      for (int e : touched(steps.get(k))) {
        lists[e][count[e]++] = k;
      }
    }
    return lists;
  }

  /** The distinct elements of a step. */
  private static List<Integer> touched(ExecutionQueue.Step step) {
    List<Integer> list = new ArrayList<>();
    step.forEachInput(
        e -> {
          if (!list.contains(e)) {
            list.add(e);
          }
        });
    if (step.destination() != ContractionPlan.NONE) {
      list.add(step.destination());
    }
    return list;
  }

  /** The position of the next use of an element; beyond all others if there is none. */
  private int next(int element) {
    return at[element] < positions[element].length
        ? positions[element][at[element]]
        : Integer.MAX_VALUE;
  }

  private boolean isNode(int element) {
    return graph.elements().get(element) instanceof ExecutionQueue.Node;
  }

  private Rebuilt run() {
    for (ExecutionQueue.Step step : steps) {
      List<Integer> touched = touched(step);
      for (int e : touched) {
        nodes.remove(e);
        at[e]++;
      }
      for (int e : touched) {
        if (!resident[e] && isNode(e) && e != step.destination()) {
          build(e);
        } else if (!resident[e]) {
          settle(e);
        }
      }
      result.add(renamed(step));
      for (int e : touched) {
        if (next(e) == Integer.MAX_VALUE) {
          resident[e] = false;
          used -= bytes[e];
        } else if (isNode(e)) {
          nodes.add(e);
        }
      }
    }
    return new Rebuilt(result, elements, peak);
  }

  private void build(int element) {
    ExecutionQueue.Build build = (ExecutionQueue.Build) graph.steps().get(element).get(0);
    settle(element);
    current[element] = elements.size();
    elements.add(graph.elements().get(element));
    rebuilt++;
    result.add(new ExecutionQueue.Build(current[element], build.elemental(), build.perambulator()));
  }

  private void settle(int element) {
    while (used + bytes[element] > budget && !nodes.isEmpty() && rebuilt < buildLimit) {
      int victim = nodes.first();
      nodes.remove(victim);
      resident[victim] = false;
      used -= bytes[victim];
    }
    resident[element] = true;
    used += bytes[element];
    peak = Math.max(peak, used);
  }

  private ExecutionQueue.Step renamed(ExecutionQueue.Step step) {
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
