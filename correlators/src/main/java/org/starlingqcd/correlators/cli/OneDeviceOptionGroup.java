package org.starlingqcd.correlators.cli;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that compute on one device, other than runs. */
public final class OneDeviceOptionGroup {
  /** Share of a GPU's free memory that is taken; libraries need the rest. */
  private static final double GPU_SHARE = 0.9;

  private static final String CPU = "cpu";

  @Mixin private DeviceNumberOptionGroup device = new DeviceNumberOptionGroup();

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = WholeNumber.Threads.class,
      description = "Host threads for computation. Default: one for each processor.")
  private int threads;

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description = "Device memory, such as 4GiB or 80%%. Default: most of the free memory.")
  private @Nullable MemorySize deviceMemory;

  /** The backend that was asked for. */
  public BackendProvider provider() {
    return device.provider();
  }

  /** The device memory that was asked for, in bytes; 0 where none was. */
  public long askedBytes(BackendProvider provider) {
    return deviceMemory == null
        ? 0
        : deviceMemory.of(provider.probe(device.number()).devices().get(0).freeBytes());
  }

  /**
   * Opens the device, with room for {@code bytes} if it computes in RAM or in managed memory.
   *
   * @param bytes 0 for the backend's choice
   */
  public Device open(BackendProvider provider, long bytes, TierOptions placement) {
    return provider.open(
        new DeviceOptions(
                device.number(), threads, isCpu(provider) || placement.managed() ? bytes : 0, false)
            .with(placement));
  }

  /** The bytes to use of an opened device: as asked for, or most of what is free. */
  public static long budget(BackendProvider provider, Device device, long askedBytes) {
    return askedBytes > 0
        ? askedBytes
        : (long) ((isCpu(provider) ? 1 : GPU_SHARE) * device.info().freeBytes());
  }

  private static boolean isCpu(BackendProvider provider) {
    return provider.name().equals(CPU);
  }
}
