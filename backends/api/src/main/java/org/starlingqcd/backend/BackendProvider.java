package org.starlingqcd.backend;

import java.util.List;

/**
 * Entry point of a backend, listed in {@code META-INF/services}. Loading and probing a provider
 * never throws and never loads a native library that may be absent without catching the failure:
 * one broken backend must not take another with it.
 */
public interface BackendProvider {
  /** The name a user types: {@code cpu}, {@code cuda}, {@code hip}. */
  String name();

  /**
   * Order in which {@code auto} tries the backends; the highest that works is taken. The CPU has 0.
   */
  int priority();

  /** Looks for devices; answers with the reason when there is none. */
  Availability probe();

  /**
   * Looks at one device and at no other: what memory of a GPU is free is known only after it was
   * taken into use, which costs time and some hundred MiB of it.
   *
   * @return the device, or the reason why it cannot be used
   */
  default Availability probe(int device) {
    Availability all = probe();
    List<DeviceInfo> found = all.devices().stream().filter(info -> info.index() == device).toList();
    return all.isPresent() && found.isEmpty()
        ? Availability.absent("there is no device " + device)
        : new Availability(found, all.reason());
  }

  /**
   * Checks what the user set for the backend in the environment, and opens nothing.
   *
   * @throws BackendSettingException when {@link #open} would throw it
   */
  default void checkSettings() {}

  /**
   * Opens a device.
   *
   * @throws BackendSettingException when something that the user set is wrong
   * @throws BackendException when it cannot be opened, with the reason
   */
  Device open(DeviceOptions options);

  /**
   * Measures which of its kernels are fastest here and keeps the answer for later sessions.
   *
   * @return what was measured, as lines of a table; empty for a backend that has nothing to choose
   * @throws BackendException when it cannot be opened, with the reason
   */
  default List<String> calibrate() {
    return List.of();
  }
}
