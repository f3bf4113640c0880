package org.starlingqcd.memhc.cache;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** When results that a device computed are copied to the host. */
public enum WritePolicy {
  /** When they have to leave the device, or when the host asks for them. */
  BACK,
  /** As soon as they are computed; the device keeps a copy. */
  THROUGH;

  /** The name a user types: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names a user can type. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(WritePolicy::label).toList();
  }

  /**
   * The policy of this name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the names
   */
  public static WritePolicy parse(String name) {
    for (WritePolicy policy : values()) {
      if (policy.label().equals(name)) {
        return policy;
      }
    }
    throw new IllegalArgumentException(
        "no write policy is called '" + name + "'; there are: " + String.join(", ", labels()));
  }
}
