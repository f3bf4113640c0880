package org.starlingqcd.backend.hip;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** The backend {@code hip}: AMD GPUs. */
public final class HipProvider extends GpuProvider {
  private static final int PRIORITY = 10;

  private final @Nullable List<RocmLibraries> candidates;

  /** Creates a provider that looks for ROCm in the usual places, each time that it loads. */
  public HipProvider() {
    this(null);
  }

  /** Creates a provider that looks only at the given places. */
  HipProvider(@Nullable List<RocmLibraries> candidates) {
    super("HIP");
    this.candidates = candidates;
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
  protected GpuPlatform load() {
    return HipPlatform.load(
        candidates == null
            ? RocmLibraries.candidates(System::getProperty, System::getenv)
            : candidates);
  }
}
