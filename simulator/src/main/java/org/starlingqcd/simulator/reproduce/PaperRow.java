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
  /** Counts and differences are sums of rounded numbers. */
  private static final double ROUNDING = 1e-9;

  /** Whether a row is met. */
  public enum Verdict {
    PASS,
    FAIL,
    NOT_POSSIBLE;

    /** The name in output. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Numbers that show something, and whether they do. */
  record Statement(String ours, boolean met) {
    /** A statement that is true or not. */
    static Statement of(boolean met) {
      return new Statement(met ? "yes" : "no", met);
    }
  }

  /** A statement that must hold. */
  static PaperRow of(String quantity, Object paper, Statement statement) {
    return new PaperRow(quantity, paper, statement.ours, null, verdict(statement.met));
  }

  /** A number that may differ from the paper's by {@code allowed}. */
  static PaperRow near(String quantity, double paper, double ours, double allowed) {
    return new PaperRow(
        quantity, paper, ours, allowed, verdict(Math.abs(ours - paper) <= allowed + ROUNDING));
  }

  /** A number at most, or at least, a bound. */
  static PaperRow bounded(
      String quantity, Object paper, double ours, double bound, boolean atMost) {
    String allowed = (atMost ? "at most " : "at least ") + text("0.##", bound);
    return new PaperRow(
        quantity, paper, ours, allowed, verdict(atMost ? ours <= bound : ours >= bound));
  }

  /**
   * A number that the paper prints in a figure or only as a range, and that the paper's rules
   * predict.
   *
   * @param paper what the paper prints
   * @param expected what its rules give
   */
  static PaperRow predicted(
      String quantity, Object paper, double ours, double expected, double allowed) {
    return new PaperRow(
        quantity,
        paper,
        ours,
        text("0.###", expected) + " ± " + text("0.###", allowed),
        verdict(Math.abs(ours - expected) <= allowed + ROUNDING));
  }

  private static Verdict verdict(boolean met) {
    return met ? Verdict.PASS : Verdict.FAIL;
  }

  private static String text(String format, double number) {
    return new DecimalFormat(format, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(number);
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
