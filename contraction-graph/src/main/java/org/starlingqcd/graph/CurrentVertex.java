package org.starlingqcd.graph;

/**
 * What stands between the two quark lines that a current joins: {@code Σ_x e^{-iq·x} Γ D} on the
 * full lattice. A generalized perambulator and a loop depend on a current through this alone.
 *
 * @param gamma Γ with sign +1; signs belong to coefficients
 * @param displacement name of D: {@code none}, {@code D_x}, …, {@code D_t}, {@code conserved}, or
 *     any other name that the data give
 * @param momentum q
 */
public record CurrentVertex(Gamma gamma, String displacement, Momentum momentum)
    implements Comparable<CurrentVertex> {
  /** Refuses a sign. */
  public CurrentVertex {
    if (gamma.sign() < 0) {
      throw new IllegalArgumentException("the sign belongs to the coefficient: " + gamma);
    }
  }

  @Override
  public int compareTo(CurrentVertex other) {
    int c = Integer.compare(gamma.mask(), other.gamma.mask());
    if (c == 0) {
      c = displacement.compareTo(other.displacement);
    }
    return c != 0 ? c : momentum.compareTo(other.momentum);
  }

  /** The name that groups of files have, {@code gamma/displacement/qx_qy_qz}. */
  @Override
  public String toString() {
    return gamma + "/" + displacement + "/" + momentum.fileName();
  }
}
