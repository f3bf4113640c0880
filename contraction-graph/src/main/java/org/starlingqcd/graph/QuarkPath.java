package org.starlingqcd.graph;

import java.util.List;

/**
 * A quark line from a leg of a sink baryon to a leg of a source baryon, or from a quark leg of a
 * tetraquark to an antiquark leg of the same or another, perhaps through mesons. Its word begins
 * with the bare line ({@link NodeRef#line}) and continues with a letter {@code 16 * node +
 * gammaMask} for each meson it passes, so that its matrix is {@code τ Γ_1 Φ_1 τ_1 Γ_2 Φ_2 τ_2 …}.
 *
 * @param sink number of the sink baryon, or of the quark's tetraquark, within its graph
 * @param sinkLeg 0 … 2, or 0 … 1
 * @param source number of the source baryon, or of the antiquark's tetraquark, within its graph
 * @param sourceLeg 0 … 2, or 0 … 1
 * @param word letters
 */
public record QuarkPath(int sink, int sinkLeg, int source, int sourceLeg, List<Integer> word) {
  /** Copies the word. */
  public QuarkPath {
    word = List.copyOf(word);
  }
}
