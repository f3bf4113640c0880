package org.starlingqcd.simulator.check;

import java.util.function.Supplier;

/**
 * How a check went.
 *
 * @param name what was checked
 * @param passed whether it is as it should be
 * @param detail the largest error, or what went wrong
 */
public record CheckOutcome(String name, boolean passed, String detail) {
  /**
   * Runs a check, whose failure is an outcome like any other.
   *
   * @param check answers with a detail, or throws what is wrong
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
