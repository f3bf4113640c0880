package org.starlingqcd.graph;

import java.util.List;

/**
 * The meson factor {@code q̄_bar Γ D q_quark} with a momentum; in distillation space the matrix
 * {@code Γ ⊗ Φ_D(n, t)}.
 *
 * @param bar flavour of the antiquark field
 * @param gamma Γ, sign included
 * @param quark flavour of the quark field
 * @param momentum n
 * @param displacement name of D: {@code none}, {@code nabla_x}, …
 */
public record Bilinear(
    String bar, Gamma gamma, String quark, Momentum momentum, String displacement)
    implements Factor {
  @Override
  public List<String> flavours() {
    return List.of(bar, quark);
  }

  @Override
  public int antiquarks() {
    return 1;
  }

  @Override
  public Bilinear withFlavours(List<String> f) {
    return new Bilinear(f.get(0), gamma, f.get(1), momentum, displacement);
  }

  @Override
  public List<Gamma> gammas() {
    return List.of(gamma);
  }
}
