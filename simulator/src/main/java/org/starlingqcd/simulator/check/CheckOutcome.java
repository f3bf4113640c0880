package org.starlingqcd.simulator.check;

import java.util.function.Supplier;

/**
 * The outcome of a check.
 *
 * @param name what was checked
 * @param passed whether the check passed
 * @param detail the largest error, or the failure
 */
public record CheckOutcome(String name, boolean passed, String detail) {
  /**
   * Runs a check; an exception is a failed outcome.
   *
   * @param check returns a detail or throws
   */
  static CheckOutcome of(String name, Supplier<String> check) {
    try {
      return new CheckOutcome(name, true, check.get());
    } catch (RuntimeException e) {
      String words = e.getMessage() == null ? e.toString() : e.getMessage();
      return new CheckOutcome(name, false, words);
    }
  }
}
