package org.starlingqcd.correlators;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.text.Printable;

/**
 * Text for a reader: lines of a key and its value, all values in one column, with control
 * characters escaped.
 */
public final class Listing {
  private final StringBuilder text = new StringBuilder();
  private final String format;

  /** An empty text whose values stand in a column, counted from 0. */
  public Listing(int column) {
    format = "%-" + (column - 1) + "s %s%n";
  }

  /** Adds a line of its own. */
  public void heading(String line) {
    text.append(Printable.of(line)).append(System.lineSeparator());
  }

  /** Adds a line. */
  public void line(String key, String value) {
    text.append(String.format(Locale.US, format, key, Printable.of(value)));
  }

  /** Adds a line whose value is formatted. */
  public void line(String key, String form, @Nullable Object... values) {
    line(key, String.format(Locale.US, form, values));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
