package org.starlingqcd.correlators.definition;

/**
 * The eigenvalue of an operator under a symmetry whose square is 1, or why it has none.
 *
 * @param sign +1 or -1; 0 if there is none or it is not known
 * @param text {@code +}, {@code -}, {@code none: …} where the symmetry does not apply, {@code no
 *     eigenstate}, or {@code not decided: …}
 */
public record Eigenvalue(int sign, String text) {
  static final Eigenvalue PLUS = new Eigenvalue(1, "+");
  static final Eigenvalue MINUS = new Eigenvalue(-1, "-");
  static final Eigenvalue MIXED = new Eigenvalue(0, "no eigenstate");

  static Eigenvalue of(int sign) {
    return sign > 0 ? PLUS : MINUS;
  }

  static Eigenvalue none(String reason) {
    return new Eigenvalue(0, "none: " + reason);
  }

  static Eigenvalue undecided(String reason) {
    return new Eigenvalue(0, "not decided: " + reason);
  }

  /** Whether the symmetry does not apply. */
  public boolean isNone() {
    return text.startsWith("none");
  }

  /** Whether both are known and differ. */
  boolean isOpposite(Eigenvalue other) {
    return sign * other.sign < 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
