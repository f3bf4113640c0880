package org.starlingqcd.correlators.definition.hadrons;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Gamma;

/** The mesons known by name: isospin multiplet, gamma structure, behaviour under O_h. */
public enum Meson {
  /** Isovector pseudoscalar. */
  PI("pi", Multiplet.ISOVECTOR, Structure.PSEUDOSCALAR),
  /** Isovector scalar. */
  A0("a0", Multiplet.ISOVECTOR, Structure.SCALAR),
  /** Isovector vector. */
  RHO("rho", Multiplet.ISOVECTOR, Structure.VECTOR),
  /** Isovector axial vector. */
  A1("a1", Multiplet.ISOVECTOR, Structure.AXIAL_VECTOR),
  /** Isovector axial vector of the other charge conjugation. */
  B1("b1", Multiplet.ISOVECTOR, Structure.AXIAL_TENSOR),
  /** Light isoscalar pseudoscalar. */
  ETA("eta", Multiplet.ISOSCALAR, Structure.PSEUDOSCALAR),
  /** Light isoscalar scalar. */
  F0("f0", Multiplet.ISOSCALAR, Structure.SCALAR),
  /** Light isoscalar vector. */
  OMEGA("omega", Multiplet.ISOSCALAR, Structure.VECTOR),
  /** Light isoscalar axial vector. */
  F1("f1", Multiplet.ISOSCALAR, Structure.AXIAL_VECTOR),
  /** Light isoscalar axial vector of the other charge conjugation. */
  H1("h1", Multiplet.ISOSCALAR, Structure.AXIAL_TENSOR),
  /** Strange isoscalar pseudoscalar. */
  ETA_S("eta_s", Multiplet.STRANGE_ISOSCALAR, Structure.PSEUDOSCALAR),
  /** Strange isoscalar scalar. */
  F0_S("f0_s", Multiplet.STRANGE_ISOSCALAR, Structure.SCALAR),
  /** Strange isoscalar vector. */
  PHI("phi", Multiplet.STRANGE_ISOSCALAR, Structure.VECTOR),
  /** Kaon. */
  K("K", Multiplet.KAON, Structure.PSEUDOSCALAR),
  /** Vector kaon. */
  KSTAR("Kstar", Multiplet.KAON, Structure.VECTOR),
  /** Antikaon. */
  KBAR("Kbar", Multiplet.ANTIKAON, Structure.PSEUDOSCALAR),
  /** Vector antikaon. */
  KSTARBAR("Kstarbar", Multiplet.ANTIKAON, Structure.VECTOR);

  private enum Structure {
    PSEUDOSCALAR(true, false),
    SCALAR(false, false),
    VECTOR(false, true),
    AXIAL_VECTOR(true, true),
    AXIAL_TENSOR(true, true);

    private final boolean determinant;
    private final boolean polarized;

    Structure(boolean determinant, boolean polarized) {
      this.determinant = determinant;
      this.polarized = polarized;
    }

    Gamma gamma(int axis) {
      return switch (this) {
        case PSEUDOSCALAR -> Gamma.G5;
        case SCALAR -> Gamma.ONE;
        case VECTOR -> Gamma.g(axis + 1);
        case AXIAL_VECTOR -> Gamma.g(axis + 1).times(Gamma.G5);
        case AXIAL_TENSOR -> Gamma.g((axis + 1) % 3 + 1).times(Gamma.g((axis + 2) % 3 + 1));
      };
    }
  }

  private final String text;
  private final Multiplet multiplet;
  private final Structure structure;

  Meson(String text, Multiplet multiplet, Structure structure) {
    this.text = text;
    this.multiplet = multiplet;
    this.structure = structure;
  }

  /** The meson of a name as it is written in a definition, if there is one. */
  public static Optional<Meson> named(String text) {
    return Arrays.stream(values()).filter(meson -> meson.text.equals(text)).findFirst();
  }

  /** All names, for messages. */
  public static String names() {
    return Arrays.stream(values()).map(meson -> meson.text).collect(Collectors.joining(", "));
  }

  /** Its isospin multiplet. */
  public Multiplet multiplet() {
    return multiplet;
  }

  /** Whether it has a polarization. */
  public boolean polarized() {
    return structure.polarized;
  }

  /**
   * Γ.
   *
   * @param axis axis of the polarization, 0 for spin 0
   */
  public Gamma gamma(int axis) {
    return structure.gamma(axis);
  }

  /** The sign that a group element gives this meson, that of its polarization's image aside. */
  public int sign(CubicRotation rotation) {
    return structure.determinant ? rotation.determinant() : 1;
  }

  @Override
  public String toString() {
    return text;
  }
}
