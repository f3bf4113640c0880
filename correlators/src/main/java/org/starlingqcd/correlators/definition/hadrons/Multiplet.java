package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;

/**
 * Isospin multiplets of quark bilinears, named after the states that they annihilate: built on the
 * quark-field doublet (u, d) and the antiquark-field doublet (d̄, -ū), both with I3 = (+1/2, -1/2).
 */
public enum Multiplet {
  /** d̄Γu and its partners. */
  ISOVECTOR(2),
  /** Light quarks with isospin 0. */
  ISOSCALAR(0),
  /** s̄Γs. */
  STRANGE_ISOSCALAR(0),
  /** A strange antiquark field and a light quark field. */
  KAON(1),
  /** A light antiquark field and a strange quark field. */
  ANTIKAON(1);

  /**
   * One flavour structure of a component.
   *
   * @param coefficient its weight
   * @param bar flavour of the antiquark field
   * @param quark flavour of the quark field
   */
  public record Flavours(SignedRoot coefficient, String bar, String quark) {}

  private final int twiceIsospin;

  Multiplet(int twiceIsospin) {
    this.twiceIsospin = twiceIsospin;
  }

  /** Its isospin. */
  public HalfInteger isospin() {
    return new HalfInteger(twiceIsospin);
  }

  /** Whether a strange quark, or another in its place, occurs in it. */
  public boolean hasStrange() {
    return this != ISOVECTOR && this != ISOSCALAR;
  }

  /** Whether it has a member of charge 0 that charge conjugation takes to itself. */
  public boolean isNeutral() {
    return this != KAON && this != ANTIKAON;
  }

  /** The bilinears of the component with this twice I3. */
  public List<Flavours> component(int twiceThird) {
    return switch (this) {
      case ISOVECTOR ->
          switch (twiceThird) {
            case 2 -> List.of(one(1, "d", "u"));
            case 0 -> List.of(half(-1, "u"), half(1, "d"));
            default -> List.of(one(-1, "u", "d"));
          };
      case ISOSCALAR -> List.of(half(1, "u"), half(1, "d"));
      case STRANGE_ISOSCALAR -> List.of(one(1, "s", "s"));
      case KAON -> List.of(twiceThird > 0 ? one(1, "s", "u") : one(1, "s", "d"));
      case ANTIKAON -> List.of(twiceThird > 0 ? one(1, "d", "s") : one(-1, "u", "s"));
    };
  }

  private static Flavours one(int sign, String bar, String quark) {
    return new Flavours(SignedRoot.of(sign, 1, 1), bar, quark);
  }

  private static Flavours half(int sign, String flavour) {
    return new Flavours(SignedRoot.of(sign, 1, 2), flavour, flavour);
  }
}
