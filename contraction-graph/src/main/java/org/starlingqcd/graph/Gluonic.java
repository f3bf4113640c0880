package org.starlingqcd.graph;

import java.util.Comparator;

/**
 * A gluonic factor: a number for each time, without quarks. Its adjoint is the complex conjugate.
 *
 * @param name its name in the data
 * @param row its row; empty where it has one only
 * @param momentum n
 */
public record Gluonic(String name, String row, Momentum momentum)
    implements Factor, Comparable<Gluonic> {
  private static final Comparator<Gluonic> ORDER =
      Comparator.comparing(Gluonic::name)
          .thenComparing(Gluonic::momentum)
          .thenComparing(Gluonic::row);

  @Override
  public int compareTo(Gluonic other) {
    return ORDER.compare(this, other);
  }

  /** The name that the dataset has in the group {@code gluonic}. */
  @Override
  public String toString() {
    return name + "/" + momentum.fileName() + (row.isEmpty() ? "" : "/" + row);
  }
}
