package org.starlingqcd.correlators.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueResult;

/**
 * Several definitions planned together, sharing nodes, products and traces, and bound to times.
 *
 * <p>Times are bound once, for a first source at 0 and others at given distances from it.
 * Everything depends on times modulo T only, so for another first source the same queue runs on
 * inputs whose times are shifted: nothing is planned, bound or translated again for another source
 * or configuration.
 */
public final class BoundQueue {
  private final List<CorrelationMatrix> matrices;
  private final ContractionPlan plan;
  private final ExecutionQueue queue;
  private final BoundTimes times;

  private BoundQueue(
      List<CorrelationMatrix> matrices,
      ContractionPlan plan,
      ExecutionQueue queue,
      BoundTimes times) {
    this.matrices = matrices;
    this.plan = plan;
    this.queue = queue;
    this.times = times;
  }

  /**
   * Binds the plan of definitions to times.
   *
   * @param plan what {@link #contractions} gave for them
   * @param temporalExtent T
   * @param distances of the sources from the first, which is 0
   * @param known by the place of a definition among them, its elements that are left out
   * @param planning how the contractions are put in order
   * @param budgetBytes device memory that the order is made for
   * @param eigenvectors N
   */
  public static BoundQueue of(
      List<Definition> definitions,
      ContractionPlan plan,
      int temporalExtent,
      List<Integer> distances,
      List<Integer> separations,
      Map<Integer, KnownElements> known,
      PlanSettings planning,
      long budgetBytes,
      int eigenvectors) {
    List<CorrelationMatrix> matrices = matrices(definitions);
    QueueOptions options = planning.queueOptions(budgetBytes, eigenvectors);
    BoundTimes times = BoundTimes.of(temporalExtent, distances, separations);
    if (matrices.stream().noneMatch(CorrelationMatrix::onePoint)) {
      times = new BoundTimes(temporalExtent, distances, separations, List.of());
    }
    times = times.without(known);
    return new BoundQueue(
        matrices, plan, TimeBinding.bind(plan, times, options, QueueCost::of), times);
  }

  /**
   * The plan of definitions, from the file that the settings name, or made anew.
   *
   * @param data what it depends on of the data
   */
  public static ContractionPlan contractions(
      List<Definition> definitions, DataTraits data, PlanSettings planning) {
    List<CorrelationMatrix> matrices = matrices(definitions);
    return planning.plan(matrices, () -> diagrams(matrices), data);
  }

  /**
   * The diagrams of correlation matrices.
   *
   * @throws InputException when an operator has more hadrons than can be contracted
   */
  static DiagramSet diagrams(List<CorrelationMatrix> matrices) {
    return contraction(matrices).diagrams();
  }

  /**
   * The contraction of correlation matrices.
   *
   * @throws InputException when an operator has more hadrons than can be contracted
   */
  static WickContraction contraction(List<CorrelationMatrix> matrices) {
    try {
      return WickContraction.of(matrices);
    } catch (IllegalArgumentException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<CorrelationMatrix> matrices(List<Definition> definitions) {
    return definitions.stream().map(Definition::toCorrelationMatrix).toList();
  }

  /** Perambulator labels that the definitions use. */
  static Set<String> labels(Collection<Definition> definitions) {
    Set<String> labels = new LinkedHashSet<>();
    definitions.forEach(
        definition -> labels.addAll(definition.toCorrelationMatrix().quarkLabels().values()));
    return labels;
  }

  /** The plan before it was bound to times. */
  ContractionPlan plan() {
    return plan;
  }

  /** The queue, with the first source at 0. */
  public ExecutionQueue queue() {
    return queue;
  }

  /** The inputs, each once, in the order in which they are used with the first source at a time. */
  public List<Input> inputsAt(int source) {
    return queue.inputs().stream()
        .map(input -> input.shifted(source, times.temporalExtent()))
        .toList();
  }

  /**
   * The units of all definitions, in their order, from what the queue gave.
   *
   * @param first time of the first source
   * @param number number of the source that is asked for
   */
  public List<ResultUnit> units(QueueResult result, int configuration, int first, int number) {
    List<ResultUnit> units = new ArrayList<>(matrices.size());
    int source = (first + times.sources().get(number)) % times.temporalExtent();
    int separations = times.separations().size();
    for (int m = 0; m < matrices.size(); m++) {
      int n = matrices.get(m).operators().size();
      int numbers = 2 * separations * n * n;
      double[] correlator =
          Arrays.copyOfRange(
              result.correlator(m, n, times.sources().size() * separations),
              number * numbers,
              (number + 1) * numbers);
      int[] onePointTimes = {};
      double[] onePoint = {};
      if (matrices.get(m).onePoint()) {
        int[] order = onePointOrder(first, number);
        onePointTimes = timesAt(first, order);
        onePoint = rows(result.onePoint(m, n, times.onePointTimes().size()), n, order);
      }
      units.add(new ResultUnit(configuration, source, correlator, onePointTimes, onePoint));
    }
    return units;
  }

  /** Numbers of the one-point times that occur with a source, by ascending time. */
  private int[] onePointOrder(int first, int number) {
    List<Integer> relative = times.onePointTimes();
    return IntStream.range(0, relative.size())
        .filter(k -> times.occursWith(number, relative.get(k)))
        .boxed()
        .sorted(Comparator.comparing(k -> (relative.get(k) + first) % times.temporalExtent()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int[] timesAt(int first, int[] order) {
    return Arrays.stream(order)
        .map(k -> (times.onePointTimes().get(k) + first) % times.temporalExtent())
        .toArray();
  }

  /** Rows of {@code n} complex numbers in another order. */
  private static double[] rows(double[] values, int n, int[] order) {
    double[] rows = new double[2 * n * order.length];
    for (int k = 0; k < order.length; k++) {
      System.arraycopy(values, 2 * n * order[k], rows, 2 * n * k, 2 * n);
    }
    return rows;
  }
}
