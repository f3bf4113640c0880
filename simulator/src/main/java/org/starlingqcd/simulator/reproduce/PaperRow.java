package org.starlingqcd.simulator.reproduce;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A number or a statement beside ours.
 *
 * @param quantity what it is, with the table, figure or section of the paper
 * @param whose where the figure comes from
 * @param figure what ours is compared with: a number or a text
 * @param ours ours, null where it cannot be had
 * @param allowed the condition as a text; empty for a statement
 * @param verdict whether it is met
 * @param reason why it is not met, or cannot be had; empty where nothing is to be said
 */
public record PaperRow(
    String quantity,
    Whose whose,
    Object figure,
    @Nullable Object ours,
    String allowed,
    Verdict verdict,
    String reason) {

  /** Where a figure comes from. */
  public enum Whose {
    /** The paper prints it. */
    PAPER,
    /** Our own calculation or second model gives it. */
    MODEL,
    /** The paper prints it, or it follows from the paper, and a parameter here is chosen by it. */
    INFERRED;

    /** The name in output. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether a row is met. */
  public enum Verdict {
    PASS,
    /** Not met, as is known. */
    DIFFERS,
    /** A time, or a ratio of times, which has no condition. */
    MEASURED,
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

  /** The row as a JSON object. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("quantity", quantity);
    map.put("whose", whose.label());
    map.put("paper", figure);
    map.put("ours", ours);
    map.put("allowed", allowed);
    map.put("verdict", verdict.label());
    map.put("reason", reason);
    return map;
  }
}
