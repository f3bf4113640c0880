package org.starlingqcd.hadron.convention;

import java.util.Locale;

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

  /** The name in JSON: {@code passed}, {@code failed}, {@code undecided}, {@code not_measured}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name for a reader. */
  public String text() {
    return key().replace('_', ' ');
  }
}
