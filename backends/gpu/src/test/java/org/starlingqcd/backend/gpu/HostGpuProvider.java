package org.starlingqcd.backend.gpu;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** A provider of {@link HostGpu}s. */
public final class HostGpuProvider extends GpuProvider {
  private final Supplier<HostGpu> gpus;
  private @Nullable HostGpu last;

  /** Creates a provider whose opened and probed devices come from {@code gpus}. */
  public HostGpuProvider(Supplier<HostGpu> gpus) {
    super("host");
    this.gpus = gpus;
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
        try (HostGpu gpu = gpus.get()) {
          return gpu.describe(device);
        }
      }

      /** Each knows the one before. */
      @Override
      public GpuCalls calls(int device) {
        HostGpu gpu = gpus.get();
        gpu.reach(last == null ? gpu : last);
        last = gpu;
        return gpu;
      }
    };
  }
}
