package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which the diagrams come: trace after trace as the outputs name them, each preceded
 * by what it needs and what has not been made yet, left factor first.
 */
final class GivenOrder {
  private final BoundGraph graph;
  private final boolean[] made;
  private final List<ExecutionQueue.Step> order = new ArrayList<>();

  private GivenOrder(BoundGraph graph) {
    this.graph = graph;
    made = new boolean[graph.elements().size()];
  }

  static List<ExecutionQueue.Step> of(BoundGraph graph) {
    GivenOrder given = new GivenOrder(graph);
    for (ExecutionQueue.Traces trace : graph.traces()) {
      trace.lefts().forEach(given::make);
      trace.rights().forEach(given::make);
      given.order.add(trace);
    }
    return given.order;
  }

  private void make(int element) {
    if (made[element]) {
      return;
    }
    made[element] = true;
    for (ExecutionQueue.Step step : graph.steps().get(element)) {
      step.forEachInput(this::make);
      order.add(step);
    }
  }
}
