package org.starlingqcd.backend;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of a backend, listed in {@code META-INF/services}. Loading and probing a provider
 * never throws. When a native library cannot be loaded, the provider catches the failure, so that
 * one broken backend does not disable the others.
 */
public interface BackendProvider {
  /** The name a user types: {@code cpu}, {@code cuda}, {@code hip}. */
  String name();

  /**
   * Rank among the backends that {@code auto} tries; the highest that works is taken. The CPU has
   * 0.
   */
  int priority();

  /** Looks for devices and returns them, or the reason why there is none. */
  Availability probe();

  /**
   * Looks at a single device. The free memory of a GPU is known only after the GPU has been
   * initialized, which takes time and some hundred MiB of its memory, so other devices are left
   * alone.
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
   * Checks the user's settings for the backend in the environment without opening a device.
   *
   * @throws BackendSettingException when a setting is wrong, as {@link #open} would throw it
   */
  default void checkSettings() {}

  /**
   * Does what is done once for a machine, such as measuring rates, and stores what it finds, so
   * that later runs do without.
   *
   * @param announce told what is about to be done, before it begins; not called if nothing is to do
   * @throws BackendSettingException when a setting of the user's is wrong
   * @throws BackendException when the backend cannot be used, with the reason
   */
  default void prepare(Consumer<String> announce) {}

  /**
   * The memories of the machine on which a device that computes in RAM can be placed; empty where
   * the system does not allow that, and for devices with a memory of their own.
   *
   * @param measure whether to measure their rates, which takes about 50 ms for each
   * @throws BackendSettingException when a setting of the user's is wrong
   */
  default List<MemoryInfo> memories(boolean measure) {
    return List.of();
  }

  /**
   * Opens a device.
   *
   * @throws BackendSettingException when a setting of the user's is wrong
   * @throws BackendException when it cannot be opened, with the reason
   */
  Device open(DeviceOptions options);

  /**
   * Allocates page-locked host memory, out of which every device of this backend copies. It may be
   * allocated before a device is open and closed after all are, on any thread.
   *
   * @param device number of the device that the system allocates it for
   * @return null where devices have no use for it, or the system page-locks no more
   */
  default @Nullable HostMemory pageLocked(int device, long bytes) {
    return null;
  }

  /**
   * Measures the rates of its kernels on this machine and stores them for estimates of times.
   *
   * @return the rates, as lines of a table; empty for a backend that measures none
   * @throws BackendException when it cannot be opened, with the reason
   */
  default List<String> calibrate() {
    return List.of();
  }

  /**
   * The rates that were measured and stored earlier. Measures nothing.
   *
   * @return empty where nothing was measured, and where the user's settings ask for certain kernels
   */
  default Optional<MeasuredRates> rates() {
    return Optional.empty();
  }
}
