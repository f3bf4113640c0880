package org.starlingqcd.simulator.reproduce;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One number of a paper, or one statement, beside ours.
 *
 * @param quantity what it is
 * @param paper the paper's: a number or a text
 * @param ours ours, null where it cannot be had
 * @param allowed the allowed difference, or the condition as a text
 * @param verdict whether it is met
 */
public record PaperRow(
    String quantity,
    Object paper,
    @Nullable Object ours,
    @Nullable Object allowed,
    Verdict verdict) {
  /** Whether a row is met. */
  public enum Verdict {
    PASS,
    FAIL,
    NOT_POSSIBLE;

    /** The name in output. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static Verdict of(boolean met) {
      return met ? PASS : FAIL;
    }
  }

  /** A count that must be the paper's. */
  public static PaperRow exact(String quantity, long paper, long ours) {
    return near(quantity, (double) paper, (double) ours, 0);
  }

  /** A number that may differ from the paper's by {@code allowed}. */
  public static PaperRow near(String quantity, double paper, double ours, double allowed) {
    return new PaperRow(
        quantity, paper, ours, allowed, Verdict.of(Math.abs(ours - paper) <= allowed + 1e-9));
  }

  /**
   * A number that the paper prints in a figure or only as a range, and that the paper's rules
   * predict.
   *
   * @param paper what the paper prints
   * @param expected what its rules give
   */
  public static PaperRow predicted(
      String quantity, String paper, double expected, double ours, double allowed) {
    DecimalFormat number =
        new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
    return new PaperRow(
        quantity,
        paper,
        ours,
        number.format(expected) + " ± " + number.format(allowed),
        Verdict.of(Math.abs(ours - expected) <= allowed + 1e-9));
  }

  /** A number that must be at most {@code bound}. */
  public static PaperRow atMost(String quantity, Object paper, double ours, double bound) {
    return new PaperRow(quantity, paper, ours, text("at most ", bound), Verdict.of(ours <= bound));
  }

  /** A number that must be at least {@code bound}. */
  public static PaperRow atLeast(String quantity, Object paper, double ours, double bound) {
    return new PaperRow(quantity, paper, ours, text("at least ", bound), Verdict.of(ours >= bound));
  }

  private static String text(String condition, double bound) {
    return condition
        + new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(bound);
  }

  /** A statement that must hold; {@code ours} are the numbers that show it. */
  public static PaperRow holds(String quantity, String paper, String ours, boolean met) {
    return new PaperRow(quantity, paper, ours, null, Verdict.of(met));
  }

  /** A number that this program cannot check, and why. */
  public static PaperRow notPossible(String quantity, Object paper, String why) {
    return new PaperRow(quantity, paper, null, why, Verdict.NOT_POSSIBLE);
  }

  /** The row as a JSON object. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("quantity", quantity);
    map.put("paper", paper);
    map.put("ours", ours);
    map.put("allowed", allowed);
    map.put("verdict", verdict.label());
    return map;
  }
}
