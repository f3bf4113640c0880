package org.starlingqcd.backend;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a backend works here.
 *
 * @param devices its devices; empty when it does not work
 * @param reason why it does not work; null when it does
 */
public record Availability(List<DeviceInfo> devices, @Nullable String reason) {
  /** A backend that works with these devices. */
  public static Availability of(List<DeviceInfo> devices) {
    return new Availability(List.copyOf(devices), null);
  }

  /** A backend that does not work, and why. */
  public static Availability absent(String reason) {
    return new Availability(List.of(), reason);
  }

  /** Whether at least one device can be opened. */
  public boolean isPresent() {
    return !devices.isEmpty();
  }
}
