package org.starlingqcd.memhc.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How the fast of two tiers of memory is used. */
public enum Tiering {
  /** Nothing is used in slow memory by choice: every element of a kernel is brought in. */
  OFF,
  /** The first elements fill the fast memory and stay; the others are used in slow memory. */
  STATIC,
  /**
   * The queue of accesses guides what is brought in; the rest is used in slow memory (Alvarez et
   * al., "Runtime-Guided Management of Stacked DRAM Memories in Task Parallel Programs", ICS 2018,
   * doi:10.1145/3205289.3205312).
   */
  GUIDED;

  /** The name a user types: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names a user can type. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Tiering::label).toList();
  }

  /**
   * The tiering of this name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the names
   */
  public static Tiering parse(String name) {
    for (Tiering tiering : values()) {
      if (tiering.label().equals(name)) {
        return tiering;
      }
    }
    throw new IllegalArgumentException(
        "no tiering is called '" + name + "'; there are: " + String.join(", ", labels()));
  }
}
