package org.starlingqcd.graph;

/**
 * A term of a current, {@code coefficient × Σ_x e^{-iq·x} q̄_bar Γ D q_quark}, with quark fields of
 * the full lattice.
 */
public record CurrentTerm(Complex coefficient, String bar, CurrentVertex vertex, String quark) {}
