package org.starlingqcd.hadron.execute;

import java.util.List;
import org.starlingqcd.graph.TimeSlot;

/**
 * A quark line that is cut into {@code Q(t, t') = Σ_d L^d(t) R^d(t')†}, t the quark's end and t'
 * the antiquark's.
 *
 * @param kind what L and R are
 * @param source the set of its sinks, or the label of its perambulator
 * @param noises numbers of the noises that it may have, in their order; none for an exact line
 * @param size how many d there are
 * @param quark where its quark stands
 * @param antiquark where its antiquark stands
 */
public record CutLine(
    Kind kind, String source, List<Integer> noises, int size, TimeSlot quark, TimeSlot antiquark) {

  /** How a line is cut. */
  public enum Kind {
    /** Noise at the antiquark: L = φ, R = ρ. */
    FORWARD,
    /** Noise at the quark: L = γ5 ρ, R = γ5 φ. */
    REVERSED,
    /** L = τ, R = 1. */
    EXACT,
    /** L = γ5 τ(t', t)† γ5, R = 1. */
    CONJUGATE
  }

  /** Copies the list. */
  public CutLine {
    noises = List.copyOf(noises);
  }

  /** Whether it has noise. */
  public boolean isStochastic() {
    return kind == Kind.FORWARD || kind == Kind.REVERSED;
  }

  /** Where the noise stands. */
  public TimeSlot noiseEnd() {
    return kind == Kind.REVERSED ? quark : antiquark;
  }

  /** Whether what stands at an end depends on the time of the other end too. */
  boolean reaches(boolean atQuark) {
    return switch (kind) {
      case FORWARD, EXACT, CONJUGATE -> atQuark;
      case REVERSED -> !atQuark;
    };
  }

  /** The number of exact lines' noise. */
  static final int NO_NOISE = -1;

  /** The noises, or the one that stands for none. */
  List<Integer> choices() {
    return isStochastic() ? noises : List.of(NO_NOISE);
  }
}
