package org.starlingqcd.backend.hip;

import java.util.List;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** The backend {@code hip}: AMD GPUs. */
public final class HipProvider extends GpuProvider {
  private static final int PRIORITY = 10;

  private final List<RocmLibraries> candidates;

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
  protected GpuPlatform load() {
    return HipPlatform.load(candidates);
  }
}
