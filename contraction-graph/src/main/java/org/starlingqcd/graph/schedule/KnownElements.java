package org.starlingqcd.graph.schedule;

import java.util.Collection;
import java.util.Set;
import org.starlingqcd.graph.CurrentVertex;

/**
 * The elements of a correlation matrix that need not be computed: those between known operators at
 * known separations, and the one-point functions of known operators at the times that occur there.
 * With a current, those of known vertices at known insertion separations.
 *
 * @param rows numbers of the known sink operators
 * @param columns numbers of the known source operators
 * @param separations known separations dt
 * @param vertices known currents; the matrix without a current needs none
 * @param insertions known insertion separations
 */
public record KnownElements(
    Set<Integer> rows,
    Set<Integer> columns,
    Set<Integer> separations,
    Set<CurrentVertex> vertices,
    Set<Integer> insertions) {
  /** Copies the sets. */
  public KnownElements {
    rows = Set.copyOf(rows);
    columns = Set.copyOf(columns);
    separations = Set.copyOf(separations);
    vertices = Set.copyOf(vertices);
    insertions = Set.copyOf(insertions);
  }

  /** Elements between some operators, without currents. */
  public KnownElements(Set<Integer> operators, Set<Integer> separations) {
    this(operators, operators, separations, Set.of(), Set.of());
  }

  /** Whether C_ij is known at a separation. */
  boolean has(int row, int column, int separation) {
    return rows.contains(row) && columns.contains(column) && separations.contains(separation);
  }

  /** Whether all of some currents are known at all of some insertion separations. */
  public boolean hasAll(Collection<CurrentVertex> some, Collection<Integer> times) {
    return vertices.containsAll(some) && insertions.containsAll(times);
  }
}
