package org.starlingqcd.correlators.result;

import java.util.List;
import java.util.OptionalInt;

/**
 * What one result file is about; the same for all its units.
 *
 * @param name name of the definition
 * @param ensemble ensemble of the data
 * @param definition text of the definition (YAML)
 * @param operators names of the operators, in the order of the correlator's axes
 * @param separations separations dt in the order of the correlator's axis, lattice units
 * @param onePoint whether one-point functions belong to it
 * @param temporalExtent T, where it is known
 */
public record ResultHeader(
    String name,
    String ensemble,
    String definition,
    List<String> operators,
    List<Integer> separations,
    boolean onePoint,
    OptionalInt temporalExtent) {
  /** Copies the lists. */
  public ResultHeader {
    operators = List.copyOf(operators);
    separations = List.copyOf(separations);
  }

  /** A header without the temporal extent. */
  public ResultHeader(
      String name,
      String ensemble,
      String definition,
      List<String> operators,
      List<Integer> separations,
      boolean onePoint) {
    this(name, ensemble, definition, operators, separations, onePoint, OptionalInt.empty());
  }

  /** Numbers (real and imaginary parts) of the correlator of one unit: {@code [dt][i][j]}. */
  int correlatorDoubles() {
    return Math.toIntExact(2L * separations.size() * operators.size() * operators.size());
  }
}
