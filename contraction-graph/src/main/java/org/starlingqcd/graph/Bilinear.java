package org.starlingqcd.graph;

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
    implements Factor {}
