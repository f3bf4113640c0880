package org.starlingqcd.graph;

/**
 * A tetraquark of a contraction graph: K(n) and the spin structure S = D̄ ⊗ D. At the source it is
 * the adjoint, which has K† and the two matrices exchanged and transposed. It has two antiquark
 * legs, that carry the first two indices of K and of S, and two quark legs with the others.
 *
 * @param colour which K
 * @param momentum momentum n of the factor; at the source too, that of the factor before the
 *     adjoint is taken
 * @param time where it stands
 * @param antidiquarkMask gammas after C of the diquark whose adjoint D̄ is, sign left out
 * @param diquarkMask gammas after C of D, sign left out
 */
public record TetraquarkVertex(
    PairColour colour, Momentum momentum, TimeSlot time, int antidiquarkMask, int diquarkMask) {

  /** Number of antiquark legs, and of quark legs. */
  public static final int LEGS = 2;

  /** The vertex of a factor, or of its adjoint at the source, without its {@link #sign}. */
  public static TetraquarkVertex of(TetraquarkFactor factor, TimeSlot time) {
    int antidiquark = factor.antidiquark().mask();
    int diquark = factor.diquark().mask();
    return time == TimeSlot.SOURCE
        ? new TetraquarkVertex(factor.colour(), factor.momentum(), time, diquark, antidiquark)
        : new TetraquarkVertex(factor.colour(), factor.momentum(), time, antidiquark, diquark);
  }

  /** What a factor, or its adjoint at the source, is times its vertex. */
  public static int sign(TetraquarkFactor factor, TimeSlot time) {
    int sign = factor.antidiquark().sign() * factor.diquark().sign();
    return time == TimeSlot.SOURCE
        ? sign
            * BaryonVertex.diquarkSymmetry(factor.antidiquark().mask())
            * BaryonVertex.diquarkSymmetry(factor.diquark().mask())
        : sign;
  }

  /** Whether this is the adjoint of a factor, with K†. */
  public boolean isAdjoint() {
    return time == TimeSlot.SOURCE;
  }

  /** Sign of the exchange of the two antiquark legs. */
  public int antiquarkSymmetry() {
    return colour.sign() * BaryonVertex.diquarkSymmetry(antidiquarkMask);
  }

  /** Sign of the exchange of the two quark legs. */
  public int quarkSymmetry() {
    return colour.sign() * BaryonVertex.diquarkSymmetry(diquarkMask);
  }
}
