package org.starlingqcd.memhc.cache;

import java.util.Locale;

/** What a look-up in a cache led to. */
public enum Outcome {
  /** The element was there. */
  HIT,
  /** It was not there, and a place was free. */
  FREE,
  /** It was not there, and at least one other element left for it. */
  REPLACE,
  /** Every place that it may take is locked, so it is not kept after this use. */
  FULL,
  /** There was no place, and bringing it in would not have paid, so it is not kept. */
  BYPASS;

  /** The name in output: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
