package org.starlingqcd.correlators.definition.hadrons;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.starlingqcd.graph.Gamma;

/** The mesons without derivatives that are known by name: isospin multiplet, gamma structure. */
public enum Meson {
  PI("pi", Multiplet.ISOVECTOR, Structure.PSEUDOSCALAR),
  A0("a0", Multiplet.ISOVECTOR, Structure.SCALAR),
  RHO("rho", Multiplet.ISOVECTOR, Structure.VECTOR),
  A1("a1", Multiplet.ISOVECTOR, Structure.AXIAL_VECTOR),
  B1("b1", Multiplet.ISOVECTOR, Structure.AXIAL_TENSOR),
  PI_2("pi_2", Multiplet.ISOVECTOR, Structure.PSEUDOSCALAR_2),
  B_0("b_0", Multiplet.ISOVECTOR, Structure.SCALAR_2),
  RHO_2("rho_2", Multiplet.ISOVECTOR, Structure.VECTOR_2),
  ETA("eta", Multiplet.ISOSCALAR, Structure.PSEUDOSCALAR),
  F0("f0", Multiplet.ISOSCALAR, Structure.SCALAR),
  OMEGA("omega", Multiplet.ISOSCALAR, Structure.VECTOR),
  F1("f1", Multiplet.ISOSCALAR, Structure.AXIAL_VECTOR),
  H1("h1", Multiplet.ISOSCALAR, Structure.AXIAL_TENSOR),
  ETA_2("eta_2", Multiplet.ISOSCALAR, Structure.PSEUDOSCALAR_2),
  H_0("h_0", Multiplet.ISOSCALAR, Structure.SCALAR_2),
  OMEGA_2("omega_2", Multiplet.ISOSCALAR, Structure.VECTOR_2),
  ETA_S("eta_s", Multiplet.STRANGE_ISOSCALAR, Structure.PSEUDOSCALAR),
  F0_S("f0_s", Multiplet.STRANGE_ISOSCALAR, Structure.SCALAR),
  PHI("phi", Multiplet.STRANGE_ISOSCALAR, Structure.VECTOR),
  K("K", Multiplet.KAON, Structure.PSEUDOSCALAR),
  KSTAR("Kstar", Multiplet.KAON, Structure.VECTOR),
  KBAR("Kbar", Multiplet.ANTIKAON, Structure.PSEUDOSCALAR),
  KSTARBAR("Kstarbar", Multiplet.ANTIKAON, Structure.VECTOR);

  private enum Structure {
    PSEUDOSCALAR("A1", -1),
    SCALAR("A1", 1),
    VECTOR("T1", -1),
    AXIAL_VECTOR("T1", 1),
    AXIAL_TENSOR("T1", 1),
    PSEUDOSCALAR_2("A1", -1),
    SCALAR_2("A1", 1),
    VECTOR_2("T1", -1);

    private final String irrep;
    private final int parity;

    Structure(String irrep, int parity) {
      this.irrep = irrep;
      this.parity = parity;
    }

    Gamma gamma(int axis) {
      return switch (this) {
        case PSEUDOSCALAR -> Gamma.G5;
        case SCALAR -> Gamma.ONE;
        case VECTOR -> Gamma.g(axis + 1);
        case AXIAL_VECTOR -> Gamma.g(axis + 1).times(Gamma.G5);
        case AXIAL_TENSOR -> Gamma.g((axis + 1) % 3 + 1).times(Gamma.g((axis + 2) % 3 + 1));
        case PSEUDOSCALAR_2 -> Gamma.G4.times(Gamma.G5);
        case SCALAR_2 -> Gamma.G4;
        case VECTOR_2 -> Gamma.G4.times(Gamma.g(axis + 1));
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

  /** All names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(meson -> meson.text).toList();
  }

  /** Its isospin multiplet. */
  public Multiplet multiplet() {
    return multiplet;
  }

  /** Whether it has a polarization x, y, z. */
  public boolean polarized() {
    return spin() == 1;
  }

  /** Spin of Γ, 0 or 1. */
  int spin() {
    return structure.irrep.equals("T1") ? 1 : 0;
  }

  /** The irrep at rest without the parity sign: {@code A1} or {@code T1}. */
  String irrep() {
    return structure.irrep;
  }

  /** Parity, +1 or -1. */
  int parity() {
    return structure.parity;
  }

  /** Charge conjugation of a neutral member, +1 or -1: {@code C Γᵀ C⁻¹ = ±Γ}. */
  int chargeConjugation() {
    // C g_μᵀ C⁻¹ = -g_μ, and the transpose reverses a product of k anticommuting gammas.
    int k = Integer.bitCount(gamma(0).mask());
    return (k + k * (k - 1) / 2) % 2 == 0 ? 1 : -1;
  }

  /**
   * Γ.
   *
   * @param axis axis of the polarization, 0 for spin 0
   */
  public Gamma gamma(int axis) {
    return structure.gamma(axis);
  }

  @Override
  public String toString() {
    return text;
  }
}
