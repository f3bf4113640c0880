package org.starlingqcd.backend.hip;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.GpuPlatform;
import org.starlingqcd.backend.gpu.GpuProvider;

/** The backend {@code hip}: AMD GPUs. */
public final class HipProvider extends GpuProvider {
  private static final int PRIORITY = 10;

  private final List<RocmLibraries> candidates;
  private @Nullable GpuPlatform platform;

  /** The provider that looks for ROCm where it usually is. */
  public HipProvider() {
    this(RocmLibraries.candidates(System::getProperty, System::getenv));
  }

  /** A provider that looks at these places only. */
  HipProvider(List<RocmLibraries> candidates) {
    super("HIP");
    this.candidates = List.copyOf(candidates);
  }

  @Override
  public String name() {
    return "hip";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  protected synchronized GpuPlatform load() {
    GpuPlatform loaded = platform;
    if (loaded == null) {
      loaded = HipPlatform.load(candidates);
      platform = loaded;
    }
    return loaded;
  }
}
