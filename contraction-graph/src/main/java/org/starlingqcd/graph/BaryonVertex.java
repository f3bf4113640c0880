package org.starlingqcd.graph;

/**
 * A baryon of a contraction graph: the elemental {@code B(n)} and the spin structure {@code S =
 * C·diquark ⊗ w(parity, component)}, kept apart because S is sparse. At the source it stands for
 * the adjoint, {@code B*} and {@code S̄}. It has three ports; leg k carries the k-th index of B and
 * of S.
 *
 * @param displacement displacement of the elemental
 * @param momentum momentum n of the factor; at the source too, that of the factor before the
 *     adjoint is taken
 * @param diquarkMask gammas after C, sign left out
 * @param parity +1 or -1
 * @param component 1 … 4
 * @param deGrandRossi true if the component is one of the DeGrand-Rossi basis, false if it is one
 *     of the data's own basis
 */
public record BaryonVertex(
    String displacement,
    Momentum momentum,
    int diquarkMask,
    int parity,
    int component,
    boolean deGrandRossi) {

  /** Number of ports. */
  public static final int LEGS = 3;

  /** The vertex of a factor; the sign of its diquark is left out. */
  public static BaryonVertex of(BaryonFactor factor) {
    return new BaryonVertex(
        factor.displacement(),
        factor.momentum(),
        factor.diquark().mask(),
        factor.parity(),
        factor.component(),
        factor.deGrandRossi());
  }

  /**
   * Whether the elemental is totally antisymmetric in its three indices: without displacement it
   * is, if they have one profile.
   */
  public boolean isAntisymmetric() {
    return Profiles.isAntisymmetric(displacement);
  }

  /** Sign picked up by S when its first two indices are exchanged. */
  public int diquarkSymmetry() {
    return diquarkSymmetry(diquarkMask);
  }

  /**
   * The sign in {@code (CΓ)ᵀ = ±CΓ}. With {@code C g_μ C⁻¹ = -g_μᵀ} and {@code Cᵀ = -C}, n gammas
   * give {@code -(-1)^n (-1)^(n(n-1)/2)}.
   */
  public static int diquarkSymmetry(int mask) {
    int n = Integer.bitCount(mask);
    return (n + n * (n - 1) / 2) % 2 == 0 ? -1 : 1;
  }
}
