package org.starlingqcd.graph;

import java.util.List;

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
 * @param profiles of K: of both antiquark legs, and of both quark legs; none where no pair of legs
 *     has one for both
 */
public record TetraquarkVertex(
    PairColour colour,
    Momentum momentum,
    TimeSlot time,
    int antidiquarkMask,
    int diquarkMask,
    List<String> profiles) {

  /** Number of antiquark legs, and of quark legs. */
  public static final int LEGS = 2;

  /**
   * The vertex of a factor, or of its adjoint at the source, without its {@link #sign}.
   *
   * @param legs the factor, {@link TetraquarkFactor#reversed} at the source
   */
  public static TetraquarkVertex of(TetraquarkFactor legs, TimeSlot time) {
    List<String> p = legs.allProfiles();
    String bars = p.get(0).equals(p.get(1)) ? p.get(0) : "";
    String quarks = p.get(2).equals(p.get(3)) ? p.get(2) : "";
    return new TetraquarkVertex(
        legs.colour(),
        legs.momentum(),
        time,
        legs.antidiquark().mask(),
        legs.diquark().mask(),
        bars.isEmpty() && quarks.isEmpty() ? List.of() : List.of(bars, quarks));
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
