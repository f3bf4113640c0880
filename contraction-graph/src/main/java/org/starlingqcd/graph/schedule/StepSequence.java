package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Turns the events of a bound graph into steps. Before each trace and element come the elements
 * that it needs and that have not been made yet, left factor first.
 */
final class StepSequence {
  private final BoundGraph graph;
  private final boolean[] made;
  private final List<ExecutionQueue.Step> order = new ArrayList<>();
  private final IntConsumer making = this::make;

  private StepSequence(BoundGraph graph) {
    this.graph = graph;
    made = new boolean[graph.elements().size()];
  }

  static List<ExecutionQueue.Step> of(BoundGraph graph) {
    StepSequence given = new StepSequence(graph);
    for (int event : graph.events()) {
      if (event < 0) {
        given.make(~event);
      } else {
        graph.traces().get(event).forEachInput(given.making);
        given.order.add(graph.traces().get(event));
      }
    }
    return given.order;
  }

  private void make(int element) {
    if (made[element]) {
      return;
    }
    made[element] = true;
    for (ExecutionQueue.Step step : graph.steps().get(element)) {
      step.forEachInput(making);
      order.add(step);
    }
  }
}
