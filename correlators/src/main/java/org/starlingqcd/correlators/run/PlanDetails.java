package org.starlingqcd.correlators.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramPicture;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.PlanComparison;
import org.starlingqcd.graph.PlanFile;
import org.starlingqcd.graph.Reducer;
import org.starlingqcd.graph.ReducerOptions;
import org.starlingqcd.graph.ResidencySimulation;
import org.starlingqcd.graph.WickContraction;

/**
 * What goes beyond the counts of a plan: what each optimization saves, what each order needs, how
 * far the plan can be from the optimum, pictures of single diagrams, and plans kept in files.
 */
public final class PlanDetails {
  private static final ReducerOptions OPTIONS = ReducerOptions.standard();

  private final List<CorrelationMatrix> matrices;
  private final DiagramSet diagrams;

  /** Details of several definitions planned together. */
  public PlanDetails(List<Definition> definitions) {
    matrices = definitions.stream().map(Definition::toCorrelationMatrix).toList();
    diagrams = WickContraction.contract(matrices);
  }

  /**
   * Counts without each optimization, needs of each order, and the least number of products; the
   * keys are those of {@code starling plan --compare --json}.
   *
   * @param tensorSize number of eigenvectors N that bytes are reckoned with
   */
  public Map<String, Object> comparison(int tensorSize) {
    Map<String, Object> without = new LinkedHashMap<>();
    PlanComparison.variants(diagrams, OPTIONS)
        .forEach(
            (name, variant) -> {
              Map<String, Object> counts = new LinkedHashMap<>();
              counts.put("initial_nodes", variant.nodes());
              counts.put("products", variant.products());
              counts.put("intermediates", variant.intermediates());
              counts.put("traces", variant.traces());
              without.put(name, counts);
            });
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("with_all_optimizations", without.remove("all"));
    all.put("with_none", without.remove("none"));
    all.put("without", without);
    all.put("products_lower_bound", PlanComparison.leastProducts(diagrams, OPTIONS));
    all.put("orders", orders(tensorSize));
    return all;
  }

  private Map<String, Object> orders(int tensorSize) {
    Map<String, Object> orders = new LinkedHashMap<>();
    PlanComparison.orders(diagrams, OPTIONS, tensorSize)
        .forEach(
            (order, needs) -> {
              Map<String, Object> map = new LinkedHashMap<>();
              map.put("peak_bytes", needs.peakBytes());
              map.put("furthest_next_use", traffic(needs.atQuarter()));
              map.put("pre_protected_lru", traffic(needs.atQuarterLru()));
              orders.put(order.name().toLowerCase(Locale.ROOT), map);
            });
    return orders;
  }

  private static Map<String, Object> traffic(ResidencySimulation.Traffic traffic) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("evictions", traffic.evictions());
    map.put("bytes_to_device", traffic.loadedBytes());
    map.put("bytes_to_host", traffic.writtenBytes());
    return map;
  }

  /**
   * A diagram as SVG.
   *
   * @param number from 1
   */
  public String svg(int number) {
    if (number < 1 || number > diagrams.diagramCount()) {
      throw new InputException(
          "--diagram must be >= 1 && <= " + diagrams.diagramCount() + ": " + number);
    }
    try {
      return DiagramPicture.svg(diagrams, number - 1);
    } catch (IllegalArgumentException e) {
      throw new InputException("--diagram " + number + ": " + e.getMessage(), e);
    }
  }

  /** The plan as a file keeps it ({@link PlanFile}). */
  public String saved() {
    try {
      return PlanFile.text(Reducer.reduce(diagrams, OPTIONS), OPTIONS);
    } catch (IllegalArgumentException e) {
      throw new InputException("--save: " + e.getMessage(), e);
    }
  }
}
