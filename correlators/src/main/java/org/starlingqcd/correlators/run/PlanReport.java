package org.starlingqcd.correlators.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.graph.BoundTimes;
import org.starlingqcd.graph.ContractionPlan;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ExecutionQueue;
import org.starlingqcd.graph.QueueOptions;
import org.starlingqcd.graph.Reducer;
import org.starlingqcd.graph.TimeBinding;
import org.starlingqcd.graph.WickContraction;

/**
 * What a run of definitions would do for one source and one separation (other than 0), known
 * without data.
 */
public final class PlanReport {
  private static final int SPINS = 16;
  private static final int PRODUCT_ENTRIES = 64;

  /** Entries of a diquark block: leg by leg 16 + 16 spin pairs, then all 256 pairs of them. */
  private static final int DIQUARK_ENTRIES = 288;

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
    ExecutionQueue queue = TimeBinding.bind(plan, times, QueueOptions.standard());
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
    double square = 8.0 * tensorSize * tensorSize;
    double cube = square * tensorSize;
    double flops = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Build) {
          flops += SPINS * cube;
        } else if (step instanceof ExecutionQueue.Multiply) {
          flops += PRODUCT_ENTRIES * cube;
        } else if (step instanceof ExecutionQueue.Diquark) {
          flops += DIQUARK_ENTRIES * cube * tensorSize;
        } else if (step instanceof ExecutionQueue.Traces block) {
          flops += SPINS * square * block.lefts().size() * block.rights().size();
        }
      }
    }
    return flops;
  }

  /** Most bytes alive at once, when every element goes after the last vector that uses it. */
  private long peakBytes() {
    int[] last = new int[queue.elements().size()];
    for (int v = 0; v < queue.vectors().size(); v++) {
      int vector = v;
      for (ExecutionQueue.Step step : queue.vectors().get(v).steps()) {
        step.forEachInput(element -> last[element] = vector);
      }
    }
    boolean[] alive = new boolean[last.length];
    long[] bytes = new long[1];
    long peak = 0;
    for (int v = 0; v < queue.vectors().size(); v++) {
      for (ExecutionQueue.Step step : queue.vectors().get(v).steps()) {
        step.forEachInput(element -> bytes[0] += come(alive, element));
        if (step.destination() != ContractionPlan.NONE) {
          bytes[0] += come(alive, step.destination());
        }
      }
      peak = Math.max(peak, bytes[0]);
      for (int element = 0; element < last.length; element++) {
        if (alive[element] && last[element] <= v) {
          alive[element] = false;
          bytes[0] -= bytes(queue.elements().get(element));
        }
      }
    }
    return peak;
  }

  private long come(boolean[] alive, int element) {
    if (alive[element]) {
      return 0;
    }
    alive[element] = true;
    return bytes(queue.elements().get(element));
  }

  private long bytes(ExecutionQueue.Element element) {
    if (element instanceof ExecutionQueue.Elemental) {
      return TensorShape.elemental(tensorSize).bytes();
    }
    if (element instanceof ExecutionQueue.BaryonElemental) {
      return new TensorShape(1, 3, tensorSize).bytes();
    }
    if (element instanceof ExecutionQueue.DiquarkBlock) {
      return SPINS * TensorShape.mesonNode(tensorSize).bytes();
    }
    return TensorShape.mesonNode(tensorSize).bytes();
  }
}
