package org.starlingqcd.correlators;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory as a user gives it: bytes, or a part of what is there.
 *
 * @param bytes the amount in bytes, when {@code fraction} is 0
 * @param fraction the part of the memory there, in (0, 1], or 0
 */
public record MemorySize(long bytes, double fraction) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?(?:e[0-9]+)?)\\s*([a-z]*|%)");

  private static final Map<String, Double> UNITS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("b", 1.0),
          Map.entry("kb", 1e3),
          Map.entry("mb", 1e6),
          Map.entry("gb", 1e9),
          Map.entry("tb", 1e12),
          Map.entry("k", 0x1p10),
          Map.entry("m", 0x1p20),
          Map.entry("g", 0x1p30),
          Map.entry("t", 0x1p40),
          Map.entry("kib", 0x1p10),
          Map.entry("mib", 0x1p20),
          Map.entry("gib", 0x1p30),
          Map.entry("tib", 0x1p40));

  /**
   * Reads {@code 4GiB}, {@code 800MB}, {@code 16G} (a power of 1024), {@code 1e9} or {@code 80%},
   * in upper or lower case.
   *
   * @throws InputException when the text is none of these, or not positive
   */
  public static MemorySize parse(String text) {
    Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      double number = Double.parseDouble(matcher.group(1));
      if (matcher.group(2).equals("%")) {
        if (number > 0 && number <= 100) {
          return new MemorySize(0, number / 100);
        }
        throw new InputException("memory must be more than 0% and at most 100%: " + text);
      }
      Double unit = UNITS.get(matcher.group(2));
      double bytes = unit == null ? 0 : number * unit;
      if (bytes >= 1 && bytes < 0x1p62) {
        return new MemorySize((long) bytes, 0);
      }
    }
    throw new InputException(
        "not an amount of memory: '" + text + "'; write it as 4GiB, 800MB or 80%");
  }

  /** The amount as {@link #parse} reads it. */
  @Override
  public String toString() {
    return fraction > 0 ? 100 * fraction + "%" : Long.toString(bytes);
  }

  /** The amount in bytes where {@code available} bytes are there. */
  public long of(long available) {
    return fraction > 0 ? (long) (fraction * available) : bytes;
  }

  /** Bytes in the largest binary unit that leaves a number of at least 1, as {@code 1.50 GiB}. */
  public static String text(long bytes) {
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
      return bytes + " bytes";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.US, "%.2f %s", value, units[unit]);
  }
}
