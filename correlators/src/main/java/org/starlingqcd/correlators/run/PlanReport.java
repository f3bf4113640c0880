package org.starlingqcd.correlators.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.graph.BoundTimes;
import org.starlingqcd.graph.ContractionPlan;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementSizes;
import org.starlingqcd.graph.ExecutionQueue;
import org.starlingqcd.graph.QueueOptions;
import org.starlingqcd.graph.Reducer;
import org.starlingqcd.graph.ResidencySimulation;
import org.starlingqcd.graph.TimeBinding;
import org.starlingqcd.graph.WickContraction;

/**
 * What a run of definitions would do for one source and one separation (other than 0), known
 * without data.
 */
public final class PlanReport {
  private final List<Definition> definitions;
  private final int tensorSize;
  private final DiagramSet diagrams;
  private final ContractionPlan plan;
  private final ExecutionQueue queue;

  private PlanReport(
      List<Definition> definitions,
      int tensorSize,
      DiagramSet diagrams,
      ContractionPlan plan,
      ExecutionQueue queue) {
    this.definitions = definitions;
    this.tensorSize = tensorSize;
    this.diagrams = diagrams;
    this.plan = plan;
    this.queue = queue;
  }

  /**
   * Plans definitions together.
   *
   * @param tensorSize number of eigenvectors N that flops and bytes are reckoned with
   */
  public static PlanReport of(List<Definition> definitions, int tensorSize) {
    List<CorrelationMatrix> matrices =
        definitions.stream().map(Definition::toCorrelationMatrix).toList();
    DiagramSet diagrams = WickContraction.contract(matrices);
    ContractionPlan plan = Reducer.reduce(diagrams);
    // Any two different times would do; a one-point function counts once.
    boolean onePoint = matrices.stream().anyMatch(CorrelationMatrix::onePoint);
    BoundTimes times = new BoundTimes(2, List.of(0), List.of(1), onePoint ? List.of(1) : List.of());
    ExecutionQueue queue =
        TimeBinding.bind(
            plan, times, QueueOptions.standard().withBudget(Long.MAX_VALUE, tensorSize));
    return new PlanReport(definitions, tensorSize, diagrams, plan, queue);
  }

  /** The graphs in the language of Graphviz. */
  public String dot() {
    return DiagramDrawing.dot(diagrams);
  }

  /** The JSON object of {@code starling plan --json}; {@code definition} is one name or a list. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    List<String> names = definitions.stream().map(Definition::name).toList();
    List<List<String>> operators =
        definitions.stream()
            .map(d -> d.operators().stream().map(operator -> operator.name()).toList())
            .toList();
    map.put("definition", names.size() == 1 ? names.get(0) : names);
    map.put("operators", operators.stream().mapToInt(List::size).sum());
    map.put("tensor_size", tensorSize);
    map.put("diagrams", plan.counts().diagrams());
    map.put("unique_diagrams", plan.counts().uniqueDiagrams());
    map.put("initial_nodes", plan.nodes().size());
    long products = products();
    long traces = queue.traceCount();
    map.put("products", products);
    map.put("traces", traces);
    map.put("contractions", products + traces);
    map.put("products_unshared", plan.counts().productsUnshared());
    map.put("traces_unshared", plan.counts().tracesUnshared());
    if (!plan.baryonPart().diquarks().isEmpty()) {
      map.put("diquark_blocks", plan.baryonPart().diquarks().size());
      map.put("diquark_blocks_unshared", plan.baryonPart().diquarksUnshared());
    }
    map.put("flops", flops());
    map.put("vectors", queue.vectors().size());
    map.put("peak_bytes", peakBytes());
    return map;
  }

  private long products() {
    long products = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        products +=
            step instanceof ExecutionQueue.Multiply || step instanceof ExecutionQueue.Diquark
                ? 1
                : 0;
      }
    }
    return products;
  }

  private double flops() {
    double flops = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        flops +=
            step instanceof ExecutionQueue.Diquark diquark
                ? DiquarkContraction.flops(tensorSize, queue.isSymmetric(diquark))
                : ElementSizes.flops(step, tensorSize);
      }
    }
    return flops;
  }

  /** Most bytes on the device at once, when memory has no bound. */
  private long peakBytes() {
    return ResidencySimulation.run(
            queue, tensorSize, Long.MAX_VALUE, ResidencySimulation.Eviction.FURTHEST_NEXT_USE)
        .peakBytes();
  }
}
