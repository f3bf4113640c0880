package org.starlingqcd.arrays;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** When the bytes of arrays move between the host and the device. */
public enum CoherenceProtocol {
  /** Every call copies its operands to the device and its results back. */
  NONE,

  /** Results come back when the host reads them, or when they have to leave the device. */
  WRITE_BACK,

  /** Results come back at once; the device keeps a copy, and the host may read without asking. */
  WRITE_THROUGH;

  /** The name a user types. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The names a user can type. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(CoherenceProtocol::label).toList();
  }

  /**
   * The protocol of this name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the names
   */
  public static CoherenceProtocol parse(String name) {
    return Arrays.stream(values())
        .filter(protocol -> protocol.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no protocol is called '%s'; there are: %s"
                        .formatted(name, String.join(", ", labels()))));
  }
}
