package org.starlingqcd.hadron.convention;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The outcome of one test.
 *
 * @param test name of the test, such as {@code spin-indices}
 * @param label label of the perambulators or name of the set of quark sinks; empty for a test of
 *     elementals or of all noises
 * @param measured values by name, in the order to show them; empty where nothing was measured
 * @param expected what is expected of them, in words
 * @param verdict whether they are as expected
 * @param meaning what a failure most likely means, or what a test that was not measured needs;
 *     empty for a test that passed
 */
public record Finding(
    String test,
    String label,
    Map<String, Double> measured,
    String expected,
    Verdict verdict,
    String meaning) {
  /** What a test says about a convention. */
  public enum Verdict {
    /** The data follow the convention. */
    PASSED,
    /** The data do not. */
    FAILED,
    /** The measured values are compatible with both. */
    UNDECIDED,
    /** The data lack what the test needs. */
    NOT_MEASURED;

    /** The name in JSON: {@code passed}, {@code failed}, {@code undecided}, … */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The name for a reader. */
    public String text() {
      return key().replace('_', ' ');
    }
  }

  /** Copies the values. */
  public Finding {
    measured = Collections.unmodifiableMap(new LinkedHashMap<>(measured));
  }
}
