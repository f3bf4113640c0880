package org.starlingqcd.graph.schedule;

import java.util.Set;

/**
 * The elements of a correlation matrix that need not be computed: those between known operators at
 * known separations, and the one-point functions of known operators at the times that occur there.
 *
 * @param operators numbers of the known operators
 * @param separations known separations dt
 */
public record KnownElements(Set<Integer> operators, Set<Integer> separations) {
  /** Copies the sets. */
  public KnownElements {
    operators = Set.copyOf(operators);
    separations = Set.copyOf(separations);
  }

  /** Whether C_ij is known at a separation. */
  boolean has(int row, int column, int separation) {
    return operators.contains(row)
        && operators.contains(column)
        && separations.contains(separation);
  }
}
