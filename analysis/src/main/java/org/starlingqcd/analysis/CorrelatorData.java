package org.starlingqcd.analysis;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

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

  /** Data of whose operators nothing is known. */
  public CorrelatorData(
      String name,
      String ensemble,
      List<String> operators,
      List<Integer> separations,
      OptionalInt temporalExtent,
      List<Configuration> configurations) {
    this(
        name,
        ensemble,
        operators,
        Collections.nCopies(operators.size(), 0),
        separations,
        temporalExtent,
        false,
        configurations);
  }

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
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Configuration(
      int number,
      List<Integer> sourceTimes,
      double[] sum,
      List<Integer> onePointTimes,
      double[] onePoint) {}

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
    int matrix = 2 * operators.size() * operators.size();
    for (Configuration configuration : configurations) {
      int sum = configuration.sum.length;
      int onePoint = configuration.onePoint.length;
      if (configuration.sourceTimes.isEmpty()
          || sum != separations.size() * matrix
          || onePoint != configuration.onePointTimes.size() * 2 * operators.size()) {
        throw new IllegalArgumentException(
            String.format(
                "shapes contradict each other: configuration=%d sources=%s sum.length=%d separations=%d"
                    + " operators=%d onePoint.length=%d times=%d",
                configuration.number,
                configuration.sourceTimes,
                sum,
                separations.size(),
                operators.size(),
                onePoint,
                configuration.onePointTimes.size()));
      }
    }
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
