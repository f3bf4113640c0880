package org.starlingqcd.hadron.text;

/** Formats texts of the user for messages. */
public final class Quoted {
  private static final int LONGEST = 60;

  private Quoted() {}

  /** The text in quotes, shortened, control characters escaped. */
  public static String of(String text) {
    boolean whole = text.codePointCount(0, text.length()) <= LONGEST;
    String shown = whole ? text : text.substring(0, text.offsetByCodePoints(0, LONGEST));
    return "'" + Printable.of(shown) + (whole ? "'" : "…'");
  }
}
