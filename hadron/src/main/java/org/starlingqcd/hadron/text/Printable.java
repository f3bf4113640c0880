package org.starlingqcd.hadron.text;

/**
 * Text of a file as it is shown to people. A name in somebody's file may hold control sequences of
 * a terminal, line breaks that pretend to be messages, or characters that turn the direction of
 * writing.
 */
public final class Printable {
  private Printable() {}

  /** Returns the text with every unprintable character escaped, such as {@code \}{@code u001b}. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(Printable::isHidden)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (isHidden(c)) {
                shown.append(escaped(c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  /** The escape of a character. */
  public static String escaped(int character) {
    return String.format("\\u%04x", character);
  }

  /** Whether a terminal acts on the character instead of showing it. */
  public static boolean isHidden(int character) {
    return Character.isISOControl(character)
        || character == 0x061c
        || (character >= 0x200e && character <= 0x200f)
        || (character >= 0x2028 && character <= 0x202e)
        || (character >= 0x2066 && character <= 0x2069);
  }
}
