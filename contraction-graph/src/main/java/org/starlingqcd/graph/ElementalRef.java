package org.starlingqcd.graph;

/**
 * A meson elemental {@code Φ_D(n)} or its adjoint. Without displacement the adjoint of n is the
 * elemental of -n, so {@code adjoint} is set for displaced ones only; {@link #of} sees to that.
 */
public record ElementalRef(String displacement, Momentum momentum, boolean adjoint) {
  /** The name of the elemental without displacement. */
  public static final String NO_DISPLACEMENT = "none";

  /**
   * The unit matrix in the place of an elemental: its node is a bare quark line. No displacement in
   * a definition or a file has this name, because names of displacements contain no slash.
   */
  public static final ElementalRef UNIT = new ElementalRef("unit/", Momentum.ZERO, false);

  /** In the place of an elemental: its node is a quark line with a current on it. */
  static final ElementalRef CURRENT = new ElementalRef("current/", Momentum.ZERO, false);

  /**
   * Refuses the adjoint of an elemental without displacement, because that is the elemental of -n.
   */
  public ElementalRef {
    if (adjoint && Profiles.plain(displacement).equals(NO_DISPLACEMENT)) {
      throw new IllegalArgumentException(
          "the adjoint without displacement is the elemental at " + momentum.negate());
    }
  }

  /** {@code Φ_D(n)} or, if {@code adjoint}, {@code Φ_D(n)†}, under its one name. */
  public static ElementalRef of(String displacement, Momentum momentum, boolean adjoint) {
    return adjoint && Profiles.plain(displacement).equals(NO_DISPLACEMENT)
        ? new ElementalRef(
            Profiles.of(NO_DISPLACEMENT, Profiles.reversed(displacement)), momentum.negate(), false)
        : new ElementalRef(displacement, momentum, adjoint);
  }

  /** The matrix adjoint. */
  public ElementalRef dagger() {
    return of(displacement, momentum, !adjoint);
  }
}
