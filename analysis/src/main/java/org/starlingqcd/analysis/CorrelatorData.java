package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * One correlation matrix on every configuration, summed over sources.
 *
 * @param name the definition's name
 * @param ensemble the ensemble's name
 * @param operators operator names; n is their number
 * @param conjugation sign of each operator under complex conjugation with parity, +1 or -1, as the
 *     numbers are; anything else where it is not known. C_ij is real on average where signs are
 *     equal and imaginary where they are not
 * @param separations sink minus source time, ascending
 * @param temporalExtent T, if known
 * @param mesonic whether all operators consist of mesons; a correlator is then periodic in time,
 *     whatever the boundary condition of the quarks
 * @param configurations the data of each, by ascending number
 */
public record CorrelatorData(
    String name,
    String ensemble,
    List<String> operators,
    List<Integer> conjugation,
    List<Integer> separations,
    OptionalInt temporalExtent,
    boolean mesonic,
    List<Configuration> configurations) {

  /**
   * One configuration.
   *
   * @param number the configuration's number
   * @param sourceTimes the sources summed over
   * @param sum Σ over sources of C_ij(t0 + dt, t0), interleaved complex [separation][sink i][source
   *     j]
   * @param onePointTimes time slices with one-point functions, ascending; empty where none are
   *     computed
   * @param onePoint one-point functions ⟨O_i(t)⟩, interleaved complex [time][i]
   * @param noise squared error of the real part of C_ii, averaged over sources, that comes from
   *     stochastic lines, [separation][i]; empty where windows of noises were not kept
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Configuration(
      int number,
      List<Integer> sourceTimes,
      double[] sum,
      List<Integer> onePointTimes,
      double[] onePoint,
      double[] noise) {
    /** A configuration without windows of noises. */
    public Configuration(
        int number,
        List<Integer> sourceTimes,
        double[] sum,
        List<Integer> onePointTimes,
        double[] onePoint) {
      this(number, sourceTimes, sum, onePointTimes, onePoint, new double[0]);
    }

    /** The same with other numbers. */
    Configuration with(double[] otherSum, double[] otherOnePoint) {
      return new Configuration(number, sourceTimes, otherSum, onePointTimes, otherOnePoint, noise);
    }
  }

  /** Checks the shapes and copies the lists. */
  public CorrelatorData {
    operators = List.copyOf(operators);
    conjugation = List.copyOf(conjugation);
    separations = List.copyOf(separations);
    configurations = List.copyOf(configurations);
    if (conjugation.size() != operators.size()) {
      throw new IllegalArgumentException(
          "need a sign for each operator: conjugation=" + conjugation + " operators=" + operators);
    }
    for (Configuration one : configurations) {
      if (one.sourceTimes.isEmpty()
          || one.sum.length != 2 * separations.size() * operators.size() * operators.size()
          || one.onePoint.length != 2 * one.onePointTimes.size() * operators.size()) {
        throw new IllegalArgumentException(
            "shapes contradict each other: configuration=%s sources=%s sum.length=%s separations=%s operators=%s onePoint.length=%s times=%s"
                .formatted(
                    one.number,
                    one.sourceTimes,
                    one.sum.length,
                    separations,
                    operators,
                    one.onePoint.length,
                    one.onePointTimes));
      }
    }
  }

  /**
   * Reads result files.
   *
   * @return one for each name, in the order of the files
   * @throws InputException when a file is not a valid result, files do not belong together, or
   *     nothing is selected
   */
  public static List<CorrelatorData> load(List<Path> files, SelectionSettings selection) {
    return ResultUnits.collect(
            files, first -> ResultUnits.ofTwoPoint(selection, first, part -> true, false))
        .stream()
        .map(CorrelatorData::data)
        .toList();
  }

  private static CorrelatorData data(ResultUnits units) {
    units.requireUnits();
    ResultHeader header = units.header;
    List<Configuration> list = new ArrayList<>();
    units.configurations.forEach(
        (number, one) ->
            list.add(
                new Configuration(
                    number,
                    List.copyOf(one.sources.keySet()),
                    one.sums.getOrDefault("correlator", new double[0]),
                    List.copyOf(one.onePoint.keySet()),
                    one.onePoint.values().stream()
                        .flatMapToDouble(row -> Arrays.stream(units.onePoint(row)))
                        .toArray(),
                    noise(units, one))));
    OptionalInt known = units.selection.extent(units.path, units.extent);
    return new CorrelatorData(
        header.name(),
        header.ensemble(),
        ResultUnits.chosen(units.sinks, header.operators()),
        ResultUnits.chosen(units.sinks, header.signs()),
        header.separations(),
        known.isPresent() ? known : extentOfOnePointTimes(list, header.separations()),
        isMesonic(header.definition()),
        list);
  }

  /*
   * A correlator is the mean over K windows of noises, and its variance from noise that of the windows over K if
   * they are independent. They share noises, so it is larger than that.
   */

  /** As in {@link Configuration}. */
  private static double[] noise(ResultUnits units, ResultUnits.Units one) {
    double[] windows = one.sums.getOrDefault("by_subset", new double[0]);
    int n = units.sinks.length;
    int length = 2 * units.header.separations().size() * n * n;
    int count = windows.length / length;
    if (count < 2) {
      return new double[0];
    }
    double[] noise = new double[length / (2 * n)];
    for (int k = 0; k < noise.length; k++) {
      int at = 2 * (k / n * n * n + k % n * (n + 1));
      double[] values = new double[count];
      Arrays.setAll(values, window -> windows[window * length + at] / one.sources.size());
      noise[k] = StatUtils.variance(values) / count;
    }
    return noise;
  }

  /** A definition that this version does not understand may have baryons. */
  private static boolean isMesonic(String definition) {
    try {
      return DefinitionLoader.parse("definition", definition).operators().stream()
          .noneMatch(OperatorDefinition::hasBaryons);
    } catch (DefinitionException e) {
      return false;
    }
  }

  /*
   * One-point functions exist at the times that occur as a source or, modulo T, as a sink. If a sink wraps
   * around, only one T gives these times: a smaller T moves a sink elsewhere, a larger one adds a time.
   */

  /** The temporal extent, if the times of one-point functions allow only one. */
  private static OptionalInt extentOfOnePointTimes(
      List<Configuration> configurations, List<Integer> separations) {
    Set<Integer> possible = new TreeSet<>();
    int last = separations.get(separations.size() - 1);
    for (Configuration configuration : configurations) {
      TreeSet<Integer> times = new TreeSet<>(configuration.onePointTimes());
      if (times.isEmpty()) {
        return OptionalInt.empty();
      }
      TreeSet<Integer> sources = new TreeSet<>(configuration.sourceTimes());
      for (int extent = 1 + times.last(); extent <= sources.last() + last; extent++) {
        TreeSet<Integer> needed = new TreeSet<>(sources);
        for (int source : sources) {
          for (int separation : separations) {
            needed.add((source + separation) % extent);
          }
        }
        if (needed.equals(times)) {
          possible.add(extent);
        }
      }
    }
    return possible.size() == 1 ? OptionalInt.of(possible.iterator().next()) : OptionalInt.empty();
  }

  /**
   * The last separation at which a single exponential can dominate. Beyond T/2 a meson's correlator
   * is that of the state that runs around the lattice.
   */
  int lastBeforeReturn() {
    return mesonic && temporalExtent.isPresent()
        ? temporalExtent.getAsInt() / 2
        : Integer.MAX_VALUE;
  }

  /** T where a cosh is fitted, 0 for exponentials. */
  int periodicExtent(FitSettings.Form form) {
    if (form == FitSettings.Form.COSH) {
      requireExtent("a fit of a cosh");
    }
    boolean periodic = form == FitSettings.Form.COSH || (form == FitSettings.Form.AUTO && mesonic);
    return periodic ? temporalExtent.orElse(0) : 0;
  }

  /** Refuses to go on without T. */
  void requireExtent(String what) {
    if (temporalExtent.isEmpty()) {
      throw InputException.of(
          "%s: %s needs the temporal extent, which the result does not say: --temporal-extent T",
          name, what);
    }
  }

  /** The numbers of the configurations. */
  public List<Integer> numbers() {
    return configurations.stream().map(Configuration::number).toList();
  }

  /** The same with other numbers and signs of the operators. */
  CorrelatorData with(List<Integer> signs, List<Configuration> numbers) {
    return new CorrelatorData(
        name, ensemble, operators, signs, separations, temporalExtent, mesonic, numbers);
  }

  /** Averages over sources, by the place of a configuration and 0 (real) or 1 (imaginary part). */
  public interface Averages {
    /** An element of the matrix at a separation by its place; or of the one-point functions. */
    double at(int configuration, int part, int separation, int sink, int source);
  }

  /**
   * Averages over sources, as other programs keep them, as if each configuration had one source at
   * time 0 and the same one-point functions at all times.
   *
   * @param onePoint of an operator, as sink and source at place 0; null where there are none
   */
  public static CorrelatorData ofAverages(
      String name,
      String ensemble,
      List<String> operators,
      List<Integer> conjugation,
      List<Integer> separations,
      OptionalInt temporalExtent,
      List<Integer> numbers,
      Averages matrix,
      @Nullable Averages onePoint) {
    int n = operators.size();
    int times = onePoint == null ? 0 : 1 + separations.get(separations.size() - 1);
    List<Integer> at = IntStream.range(0, times).boxed().toList();
    List<Configuration> configurations = new ArrayList<>();
    for (int c = 0; c < numbers.size(); c++) {
      double[] sum = new double[2 * separations.size() * n * n];
      for (int k = 0; k < sum.length; k++) {
        sum[k] = matrix.at(c, k % 2, k / 2 / n / n, k / 2 / n % n, k / 2 % n);
      }
      double[] rows = new double[2 * times * n];
      for (int k = 0; k < rows.length && onePoint != null; k++) {
        rows[k] = k < 2 * n ? onePoint.at(c, k % 2, 0, k / 2, k / 2) : rows[k - 2 * n];
      }
      configurations.add(new Configuration(numbers.get(c), List.of(0), sum, at, rows));
    }
    // Files of earlier versions of this program have no signs.
    List<Integer> signs = conjugation.size() == n ? conjugation : Collections.nCopies(n, 0);
    return new CorrelatorData(
        name, ensemble, operators, signs, separations, temporalExtent, false, configurations);
  }

  /**
   * The selected part of averages over sources.
   *
   * @param file where they come from
   * @throws InputException when nothing of it is there
   */
  public CorrelatorData select(Object file, SelectionSettings selection) {
    if (!selection.sources.isAll()) {
      throw new InputException(
          file + ": holds averages over sources, so --sources cannot select among them");
    }
    int[] indices = selection.indices(file, operators);
    List<Configuration> chosen = new ArrayList<>();
    for (Configuration one : configurations) {
      if (selection.configurations.contains(one.number)) {
        String where = file + ": configuration " + one.number;
        chosen.add(
            one.with(
                SelectionSettings.matrices(
                    where, one.sum, indices, indices, operators, operators, separations::get),
                SelectionSettings.rows(one.onePoint, indices, operators.size())));
      }
    }
    if (chosen.isEmpty()) {
      throw InputException.of(
          "%s: of the configurations %s none is there, only %s",
          file, selection.configurations, NumberSelection.text(numbers()));
    }
    return new CorrelatorData(
        name,
        ensemble,
        ResultUnits.chosen(indices, operators),
        ResultUnits.chosen(indices, conjugation),
        separations,
        selection.extent(file, temporalExtent),
        mesonic,
        chosen);
  }

  /**
   * A number of a configuration's matrix, averaged over its sources.
   *
   * @param configuration its place in the list
   * @param part 0 for the real part, 1 for the imaginary part
   */
  public double average(int configuration, int part, int separation, int sink, int source) {
    Configuration one = configurations.get(configuration);
    return one.sum[2 * ((separation * size() + sink) * size() + source) + part]
        / one.sourceTimes.size();
  }

  /** A part of a one-point function, averaged over the time slices of a configuration. */
  public double onePointAverage(int configuration, int part, int operator) {
    double[] rows = configurations.get(configuration).onePoint;
    double sum = 0;
    for (int k = 2 * operator + part; k < rows.length; k += 2 * size()) {
      sum += rows[k];
    }
    int times = rows.length / (2 * size());
    return sum / times;
  }

  /**
   * A number of the matrix on each configuration, averaged over sources.
   *
   * @param index into {@link Configuration#sum}
   */
  double[] averages(int index) {
    return configurations.stream().mapToDouble(c -> c.sum[index] / c.sourceTimes.size()).toArray();
  }

  /** Whether every configuration says how noises scatter. */
  boolean hasNoise() {
    return configurations.stream().noneMatch(c -> c.noise.length == 0);
  }

  /** The number of operators n. */
  public int size() {
    return operators.size();
  }

  /** Whether every configuration has one-point functions. */
  public boolean hasOnePointFunctions() {
    return configurations.stream().noneMatch(c -> c.onePointTimes.isEmpty());
  }
}
