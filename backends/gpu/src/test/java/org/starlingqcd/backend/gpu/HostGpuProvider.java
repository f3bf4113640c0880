package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.DeviceInfo;

/** A provider of {@link HostGpu}s. */
public final class HostGpuProvider extends GpuProvider {
  private final boolean hasRandom;

  /** Devices with or without random numbers of their own. */
  public HostGpuProvider(boolean hasRandom) {
    super("host");
    this.hasRandom = hasRandom;
  }

  @Override
  public String name() {
    return "host";
  }

  @Override
  public int priority() {
    return -1;
  }

  @Override
  protected GpuPlatform load() {
    return new GpuPlatform() {
      @Override
      public int deviceCount() {
        return 1;
      }

      @Override
      public DeviceInfo describe(int device) {
        try (HostGpu gpu = new HostGpu(1L << 30, hasRandom)) {
          return gpu.info();
        }
      }

      @Override
      public GpuLibrary open(int device) {
        return new HostGpu(1L << 30, hasRandom);
      }
    };
  }
}
