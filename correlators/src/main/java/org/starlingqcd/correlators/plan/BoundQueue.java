package org.starlingqcd.correlators.plan;

import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DataBlock;
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
  private final List<AnyDefinition> definitions;
  private final List<CorrelationMatrix> matrices;
  private final ContractionPlan plan;
  private final ExecutionQueue queue;
  private final BoundTimes times;
  private final CurrentTimes currentTimes;

  private BoundQueue(
      List<? extends AnyDefinition> definitions,
      ContractionPlan plan,
      ExecutionQueue queue,
      BoundTimes times,
      CurrentTimes currentTimes) {
    this.definitions = List.copyOf(definitions);
    matrices = matrices(definitions);
    this.plan = plan;
    this.queue = queue;
    this.times = times;
    this.currentTimes = currentTimes;
  }

  /**
   * Binds the plan of definitions to times.
   *
   * @param plan what {@link #contractions} gave for them
   * @param temporalExtent T
   * @param distances of the sources from the first, which is 0
   * @param separations of two-point functions
   * @param currentTimes those of three-point functions, whose separations are among these
   * @param known by the place of a definition among them, its elements that are left out
   * @param options how the contractions are put in order
   */
  public static BoundQueue of(
      List<? extends AnyDefinition> definitions,
      ContractionPlan plan,
      int temporalExtent,
      List<Integer> distances,
      List<Integer> separations,
      CurrentTimes currentTimes,
      Map<Integer, KnownElements> known,
      QueueOptions options) {
    List<CorrelationMatrix> matrices = matrices(definitions);
    List<Integer> bound =
        definitions.stream().allMatch(CurrentDefinition.class::isInstance)
            ? currentTimes.separations()
            : separations;
    BoundTimes times = BoundTimes.of(temporalExtent, distances, bound);
    if (matrices.stream().noneMatch(CorrelationMatrix::onePoint)) {
      times = new BoundTimes(temporalExtent, distances, bound, List.of());
    }
    Map<Integer, List<KnownElements>> leftOut = new HashMap<>();
    Map<Integer, List<CurrentVertex>> vertices = new HashMap<>();
    int first = 0;
    for (int k = 0; k < definitions.size(); k++) {
      // Parts of operators are not in the result.
      if (definitions.get(k).matrices().isEmpty()) {
        continue;
      }
      boolean parts = !gluonic(definitions.get(k)).isEmpty();
      KnownElements elements = parts ? null : known.get(k);
      if (definitions.get(k) instanceof CurrentDefinition currents) {
        KnownElements others = others(currents, bound, currentTimes);
        for (int f = 0; f < currents.flavours().size(); f++) {
          vertices.put(first + 1 + f, currents.vertices(currents.flavours().get(f)));
          leaveOut(leftOut, first + 1 + f, elements);
          leaveOut(leftOut, first + 1 + f, others);
        }
        leaveOut(leftOut, first, others);
        if (elements != null
            && currents.disconnected()
            && !elements.hasAll(vertices(currents), currentTimes.insertions())) {
          // What is new of the disconnected part is made of all two-point functions.
          elements = null;
        }
      }
      leaveOut(leftOut, first, elements);
      first += definitions.get(k).matrices().size();
    }
    times =
        times.without(leftOut).with(new BoundTimes.Currents(vertices, currentTimes.insertions()));
    return new BoundQueue(
        definitions,
        plan,
        TimeBinding.bind(plan, times, options, QueueCost::of),
        times,
        currentTimes);
  }

  private static void leaveOut(
      Map<Integer, List<KnownElements>> leftOut, int matrix, @Nullable KnownElements elements) {
    if (elements != null) {
      leftOut.computeIfAbsent(matrix, m -> new ArrayList<>()).add(elements);
    }
  }

  /** What only two-point functions are computed for, if there is something. */
  private static @Nullable KnownElements others(
      CurrentDefinition currents, List<Integer> separations, CurrentTimes times) {
    Set<Integer> others = new HashSet<>(separations);
    others.removeAll(times.separations());
    CorrelationMatrix matrix = currents.matrices().get(0);
    return others.isEmpty()
        ? null
        : new KnownElements(
            numbers(matrix.operators().size()),
            numbers(matrix.sources().size()),
            others,
            vertices(currents),
            Set.copyOf(times.insertions()));
  }

  private static Set<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toSet());
  }

  private static Set<CurrentVertex> vertices(CurrentDefinition currents) {
    return currents.flavours().stream()
        .flatMap(flavours -> currents.vertices(flavours).stream())
        .collect(Collectors.toSet());
  }

  /**
   * The plan of definitions, from the file that the settings name, or made anew.
   *
   * @param data what it depends on of the data
   */
  public static ContractionPlan contractions(
      List<? extends AnyDefinition> definitions, DataTraits data, PlanSettings planning) {
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

  /** What is contracted, definition by definition. */
  static List<CorrelationMatrix> matrices(List<? extends AnyDefinition> definitions) {
    return definitions.stream().flatMap(definition -> definition.matrices().stream()).toList();
  }

  /** Perambulator labels that the definitions use. */
  static Set<String> labels(Collection<? extends AnyDefinition> definitions) {
    Set<String> labels = new LinkedHashSet<>();
    definitions.forEach(definition -> labels.addAll(definition.quarkLabels().values()));
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
   * @param data loops and gluonic factors
   * @param stochastic the units of definitions with stochastic lines, which the queue does not have
   */
  public List<ResultUnit> units(
      QueueResult result,
      int configuration,
      int first,
      int number,
      Function<DataBlock, Complex> data,
      BiFunction<AnyDefinition, Integer, ResultUnit> stochastic) {
    List<ResultUnit> units = new ArrayList<>(matrices.size());
    int source = (first + times.sources().get(number)) % times.temporalExtent();
    int m = 0;
    for (AnyDefinition definition : definitions) {
      if (definition instanceof CurrentDefinition currents) {
        units.add(unit(currents, m, result, configuration, source, number, data));
      } else if (definition.matrices().isEmpty()) {
        units.add(stochastic.apply(definition, source));
      } else {
        int[] onePointTimes = {};
        double[] onePoint = {};
        if (matrices.get(m).onePoint()) {
          int n = matrices.get(m).operators().size();
          SortedMap<Integer, Integer> places = onePointPlaces(first, number);
          onePointTimes = Ints.toArray(places.keySet());
          double[] all = result.onePoint(m, n, times.onePointTimes().size());
          onePoint = new double[2 * n * onePointTimes.length];
          int to = 0;
          for (int place : places.values()) {
            System.arraycopy(all, 2 * n * place, onePoint, 2 * n * to++, 2 * n);
          }
          onePoint = definition.sinkParts().onePoint(onePoint, onePointTimes, data);
        }
        units.add(
            new ResultUnit(
                configuration,
                source,
                numbers(definition, m, result, source, number, times.separations(), data),
                onePointTimes,
                onePoint));
      }
      m += definition.matrices().size();
    }
    return units;
  }

  /** The numbers of a matrix at one source and some of the separations. */
  private double[] numbers(
      AnyDefinition definition,
      int matrix,
      QueueResult result,
      int source,
      int number,
      List<Integer> separations,
      Function<DataBlock, Complex> data) {
    List<CurrentVertex> vertices = times.currents().vertices().get(matrix);
    int inner = vertices == null ? 1 : vertices.size() * currentTimes.insertions().size();
    int rows = matrices.get(matrix).operators().size();
    int columns = matrices.get(matrix).sources().size();
    int bound = times.separations().size();
    double[] all = result.correlator(matrix, rows, columns, times.sources().size() * bound * inner);
    int length = 2 * inner * rows * columns;
    double[] some = new double[separations.size() * length];
    for (int d = 0; d < separations.size(); d++) {
      int place = number * bound + times.separations().indexOf(separations.get(d));
      System.arraycopy(all, place * length, some, d * length, length);
    }
    return definition
        .sinkParts()
        .correlators(
            some,
            definition.sourceParts(),
            separations.stream().mapToInt(dt -> (source + dt) % times.temporalExtent()).toArray(),
            source,
            vertices != null,
            data);
  }

  private ResultUnit unit(
      CurrentDefinition definition,
      int matrix,
      QueueResult result,
      int configuration,
      int source,
      int number,
      Function<DataBlock, Complex> data) {
    int extent = times.temporalExtent();
    List<Complex[]> currents = loops(definition, data);
    double[] correlators =
        new CurrentResults(
                definition,
                currentTimes.separations().size(),
                currentTimes.insertions(),
                IntStream.range(0, definition.matrices().size())
                    .mapToObj(
                        place ->
                            numbers(
                                definition,
                                matrix + place,
                                result,
                                source,
                                number,
                                currentTimes.separations(),
                                data))
                    .toList())
            .numbers(source, extent, currents);
    List<String> names = definition.loops();
    int[] loopTimes = IntStream.range(0, names.isEmpty() ? 0 : extent).toArray();
    double[] rows = new double[2 * names.size() * loopTimes.length];
    int at = 0;
    for (int t : loopTimes) {
      for (int k = 0; k < currents.size(); k++) {
        if (names.contains(definition.insertions().get(k).name())) {
          rows[at++] = currents.get(k)[t].re();
          rows[at++] = currents.get(k)[t].im();
        }
      }
    }
    return new ResultUnit(configuration, source, correlators, loopTimes, rows);
  }

  /** By insertion, J₁(t) at all times; nothing if diagrams with loops are not computed. */
  private List<Complex[]> loops(CurrentDefinition definition, Function<DataBlock, Complex> data) {
    List<Complex[]> all = new ArrayList<>();
    for (Insertion insertion :
        definition.disconnected() ? definition.insertions() : List.<Insertion>of()) {
      Complex[] sums = new Complex[times.temporalExtent()];
      Arrays.fill(sums, new Complex(0, 0));
      for (CurrentTerm term : CurrentDefinition.loops(insertion)) {
        String label = label(definition, term);
        for (int t = 0; t < sums.length; t++) {
          Complex loop = data.apply(new DataBlock.Loop(label, term.vertex(), t));
          sums[t] = sums[t].plus(loop.times(term.coefficient()).times(-1));
        }
      }
      all.add(sums);
    }
    return all;
  }

  private static String label(CurrentDefinition definition, CurrentTerm term) {
    return Objects.requireNonNull(definition.quarkLabels().get(term.bar()));
  }

  /**
   * The loops that three-point functions need, at all times, and gluonic factors of operators at
   * those of a source and its sinks.
   */
  public Set<DataBlock> numbersAt(int source) {
    int extent = times.temporalExtent();
    Set<DataBlock> numbers = new LinkedHashSet<>();
    for (DataBlock.Loop loop : loops(definitions)) {
      for (int t = 0; t < extent; t++) {
        numbers.add(new DataBlock.Loop(loop.label(), loop.vertex(), t));
      }
    }
    for (AnyDefinition definition : definitions) {
      for (Gluonic factor : gluonic(definition)) {
        numbers.add(new DataBlock.GluonicValue(factor, source));
        for (int dt : times.separations()) {
          numbers.add(new DataBlock.GluonicValue(factor, (source + dt) % extent));
        }
      }
    }
    return numbers;
  }

  /** The gluonic factors of a definition. */
  static Set<Gluonic> gluonic(AnyDefinition definition) {
    Set<Gluonic> factors = new LinkedHashSet<>(definition.sinkParts().factors());
    factors.addAll(definition.sourceParts().factors());
    return factors;
  }

  /** The loops that three-point functions need, at time 0. */
  static Set<DataBlock.Loop> loops(List<? extends AnyDefinition> definitions) {
    Set<DataBlock.Loop> loops = new LinkedHashSet<>();
    for (AnyDefinition definition : definitions) {
      if (definition instanceof CurrentDefinition currents && currents.disconnected()) {
        for (Insertion insertion : currents.insertions()) {
          for (CurrentTerm term : CurrentDefinition.loops(insertion)) {
            loops.add(new DataBlock.Loop(label(currents, term), term.vertex(), 0));
          }
        }
      }
    }
    return loops;
  }

  /** Numbers of the one-point times that occur with a source, by time. */
  private SortedMap<Integer, Integer> onePointPlaces(int first, int number) {
    SortedMap<Integer, Integer> places = new TreeMap<>();
    List<Integer> relative = times.onePointTimes();
    for (int k = 0; k < relative.size(); k++) {
      if (times.occursWith(number, relative.get(k))) {
        places.put((relative.get(k) + first) % times.temporalExtent(), k);
      }
    }
    return places;
  }
}
