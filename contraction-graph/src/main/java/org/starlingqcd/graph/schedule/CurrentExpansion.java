package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Puts currents into a bound plan. In the plan a quark line with a current on it stands for every
 * current, and alone in its traces: the other factor is what is left of a diagram when this line is
 * cut, the environment, which depends on no current. Here every such trace becomes one for each
 * vertex and insertion time, so that a current costs no product.
 *
 * <p>The traces of one line follow each other, by insertion time and vertex, where the last of them
 * stood. Each block is read once and then not needed any more; only environments stay.
 */
final class CurrentExpansion {
  private static final CurrentVertex ANY = new CurrentVertex(Gamma.ONE, "any/", Momentum.ZERO);

  /** The number of a trace that is needed and not made yet. */
  private static final int NEEDED = -2;

  private final BoundGraph graph;
  private final BoundTimes times;
  private final List<ExecutionQueue.Step> steps = new ArrayList<>();
  private final List<ExecutionQueue.Element> elements;
  // By trace with a line with any current, vertex and insertion time: the trace that takes its
  // place, or one that is not made yet.
  private final Map<Integer, Map<CurrentVertex, int[]>> expanded = new HashMap<>();
  private int traceCount;

  /** The line with any current between two times. */
  static Input.Generalized anyCurrent(NodeRef node, int sinkTime, int sourceTime) {
    return new Input.Generalized(node.barLabel(), node.quarkLabel(), ANY, sinkTime, 0, sourceTime);
  }

  /**
   * Expands steps, each trace of which is one of two elements.
   *
   * @param graph the plan at its times, with results
   * @param given the steps in their order
   * @param elements those of the steps
   * @param times of the plan and of the currents
   */
  CurrentExpansion(
      BoundGraph graph,
      List<ExecutionQueue.Step> given,
      List<ExecutionQueue.Element> elements,
      BoundTimes times) {
    this.graph = graph;
    this.times = times;
    this.elements = new ArrayList<>(elements);
    traceCount = graph.traces().size();
    Map<Integer, List<ExecutionQueue.Traces>> open = new LinkedHashMap<>();
    for (ExecutionQueue.Step step : given) {
      int line = line(step);
      if (line >= 0) {
        ExecutionQueue.Traces trace = (ExecutionQueue.Traces) step;
        open.computeIfAbsent(line, l -> new ArrayList<>()).add(trace);
        expanded.put(trace.firstTrace(), new LinkedHashMap<>());
      }
    }
    graph.results().forEach(this::need);
    Map<Integer, Integer> left = new HashMap<>();
    open.forEach((line, traces) -> left.put(line, traces.size()));
    for (ExecutionQueue.Step step : given) {
      int line = line(step);
      if (line < 0) {
        steps.add(step);
      } else if (left.merge(line, -1, Integer::sum) == 0) {
        expand(line, open.getOrDefault(line, List.of()));
      }
    }
  }

  /** The element of a trace that is a line with any current, or -1. */
  private int line(ExecutionQueue.Step step) {
    if (step instanceof ExecutionQueue.Traces trace) {
      for (List<Integer> side : List.of(trace.lefts(), trace.rights())) {
        if (!side.isEmpty()
            && elements.get(side.get(0)) instanceof Input.Generalized input
            && input.vertex().equals(ANY)) {
          return side.get(0);
        }
      }
    }
    return -1;
  }

  private List<CurrentVertex> vertices(BoundGraph.BoundOutput result) {
    return times.currents().vertices().getOrDefault(result.output().matrix(), List.of());
  }

  /** The insertion time at a separation from the source of a result. */
  private int time(BoundGraph.BoundOutput result, int separation) {
    int source = times.sources().get(result.index() / times.separations().size());
    return (source + separation) % times.temporalExtent();
  }

  private boolean isKnown(BoundGraph.BoundOutput result, CurrentVertex vertex, int separation) {
    ContractionPlan.Output output = result.output();
    return times.isKnown(
        output.matrix(),
        output.row(),
        output.column(),
        times.separations().get(result.index() % times.separations().size()),
        List.of(vertex),
        List.of(separation));
  }

  /** Notes at which times and for which vertices a result needs its traces. */
  private void need(BoundGraph.BoundOutput result) {
    for (CurrentVertex vertex : vertices(result)) {
      for (int trace : result.traces()) {
        Map<CurrentVertex, int[]> byVertex = expanded.get(trace);
        if (byVertex != null) {
          int[] numbers =
              byVertex.computeIfAbsent(
                  vertex,
                  v -> {
                    int[] none = new int[times.temporalExtent()];
                    Arrays.fill(none, ContractionPlan.NONE);
                    return none;
                  });
          for (int separation : times.currents().separations()) {
            if (!isKnown(result, vertex, separation)) {
              numbers[time(result, separation)] = NEEDED;
            }
          }
        }
      }
    }
  }

  private void expand(int line, List<ExecutionQueue.Traces> traces) {
    Input.Generalized any = (Input.Generalized) elements.get(line);
    Set<CurrentVertex> vertices = new LinkedHashSet<>();
    traces.forEach(trace -> vertices.addAll(numbers(trace).keySet()));
    for (int t = 0; t < times.temporalExtent(); t++) {
      for (CurrentVertex vertex : vertices) {
        int block = ContractionPlan.NONE;
        // Where sink and source time agree, two traces of the plan may be one.
        Map<Environment, Integer> made = new HashMap<>();
        for (ExecutionQueue.Traces trace : traces) {
          int[] numbers = numbers(trace).get(vertex);
          if (numbers == null || numbers[t] != NEEDED) {
            continue;
          }
          if (block == ContractionPlan.NONE) {
            block = elements.size();
            elements.add(
                new Input.Generalized(
                    any.bar(), any.quark(), vertex, any.sinkTime(), t, any.sourceTime()));
          }
          Environment environment = environment(trace, line);
          Integer number = made.get(environment);
          if (number == null) {
            number = traceCount++;
            steps.add(environment.with(block, number));
            made.put(environment, number);
          }
          numbers[t] = number;
        }
      }
    }
  }

  private Map<CurrentVertex, int[]> numbers(ExecutionQueue.Traces trace) {
    return expanded.getOrDefault(trace.firstTrace(), Map.of());
  }

  /** What multiplies a line in a trace, {@code Tr[Γ_L · element · Γ_I · line]}. */
  private record Environment(int leftGamma, int element, int innerGamma) {
    ExecutionQueue.Traces with(int block, int number) {
      return new ExecutionQueue.Traces(
          leftGamma, List.of(element), innerGamma, List.of(block), number);
    }
  }

  private static Environment environment(ExecutionQueue.Traces trace, int line) {
    return trace.lefts().get(0) == line
        ? new Environment(trace.innerGamma(), trace.rights().get(0), trace.leftGamma())
        : new Environment(trace.leftGamma(), trace.lefts().get(0), trace.innerGamma());
  }

  /** The steps. */
  List<ExecutionQueue.Step> steps() {
    return steps;
  }

  /** The elements, those given and the blocks. */
  List<ExecutionQueue.Element> elements() {
    return elements;
  }

  /** Number of traces, with those that were replaced. */
  int traceCount() {
    return traceCount;
  }

  /**
   * The results. Those of a matrix with a current have index {@code (index · vertices + v) · times
   * + t}.
   *
   * @param numbers for each trace its number in the queue
   */
  List<ExecutionQueue.Result> results(int[] numbers) {
    BoundGraph.Results made = new BoundGraph.Results(numbers);
    List<ExecutionQueue.Result> results = new ArrayList<>();
    for (BoundGraph.BoundOutput result : graph.results()) {
      List<CurrentVertex> vertices = vertices(result);
      if (vertices.isEmpty()) {
        results.add(made.of(result, result.index(), result.traces()));
      }
      List<Integer> separations = times.currents().separations();
      for (int v = 0; v < vertices.size(); v++) {
        for (int t = 0; t < separations.size(); t++) {
          if (isKnown(result, vertices.get(v), separations.get(t))) {
            continue;
          }
          int[] traces = result.traces().clone();
          for (int k = 0; k < traces.length; k++) {
            Map<CurrentVertex, int[]> replaced = expanded.get(traces[k]);
            if (replaced != null) {
              int[] byTime = Objects.requireNonNull(replaced.get(vertices.get(v)));
              traces[k] = byTime[time(result, separations.get(t))];
            }
          }
          if (Arrays.stream(traces).anyMatch(trace -> trace < 0)) {
            throw new AssertionError("a trace without its current: " + result.output());
          }
          int index = (result.index() * vertices.size() + v) * separations.size() + t;
          results.add(made.of(result, index, traces));
        }
      }
    }
    return results;
  }
}
