package org.starlingqcd.correlators.definition.symmetry;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A multiple of one half: an isospin or a component of one.
 *
 * @param twice twice the value
 */
public record HalfInteger(int twice) {
  private static final Pattern FRACTION = Pattern.compile("([+-]?\\d{1,6})\\s*/\\s*([12])");
  private static final Pattern DECIMAL = Pattern.compile("([+-]?)(\\d{1,6})(?:\\.(?:0*|(50*)))?");

  /** Parses {@code 1}, {@code 1/2}, {@code -3/2} or {@code 0.5}; refuses anything else. */
  public static Optional<HalfInteger> parse(String text) {
    Matcher fraction = FRACTION.matcher(text);
    if (fraction.matches()) {
      int numerator = Integer.parseInt(fraction.group(1));
      return Optional.of(
          new HalfInteger(fraction.group(2).equals("2") ? numerator : 2 * numerator));
    }
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      int twice = 2 * Integer.parseInt(decimal.group(2)) + (decimal.group(3) == null ? 0 : 1);
      return Optional.of(new HalfInteger(decimal.group(1).equals("-") ? -twice : twice));
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return twice % 2 == 0 ? Integer.toString(twice / 2) : twice + "/2";
  }
}
