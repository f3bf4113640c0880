package org.starlingqcd.analysis;

import java.util.List;
import java.util.Locale;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * How three-point functions are analysed.
 *
 * @param analysis resampling, subtraction of the vacuum, the generalized eigenvalue problem of both
 *     sides, and how the two-point functions are fitted
 * @param part which Wick contractions of the current
 * @param sinkState the state at the sink, with a generalized eigenvalue problem
 * @param sourceState the state at the source, likewise
 * @param windows first and last separation of the fits to the two-point functions of sink and
 *     source, for optimized operators; empty: no such fits
 */
public record CurrentOptions(
    AnalysisOptions analysis,
    Part part,
    int sinkState,
    int sourceState,
    List<NumberSelection.Range> windows) {
  /** Wick contractions of the current. */
  public enum Part {
    /** All that there are. */
    TOTAL,
    /** The current's fields are paired with those of operators. */
    CONNECTED,
    /** The current's fields are paired with each other. */
    DISCONNECTED;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
