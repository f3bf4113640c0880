package org.starlingqcd.correlators.definition.yaml;

/** Texts of the user as they are shown in messages. */
public final class Quoted {
  private static final int LONGEST = 60;

  private Quoted() {}

  /** The text in quotes, shortened, control characters escaped. */
  public static String of(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.codePoints()
        .limit(LONGEST)
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown
        .append(text.codePoints().skip(LONGEST).findAny().isPresent() ? "…'" : "'")
        .toString();
  }
}
