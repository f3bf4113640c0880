package org.starlingqcd.backend.hip;

import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.library.CheckedLibrary;

/** HIP and hipBLAS on one device. */
final class HipLibrary extends CheckedLibrary {
  private final HipPlatform platform;

  HipLibrary(HipPlatform platform, int device) {
    super(new HipCalls(), device);
    this.platform = platform;
  }

  @Override
  public DeviceInfo info() {
    return platform.describe(device());
  }

  /**
   * Returns false: ROCm's generator would be one more library to install, and random numbers from
   * the host suffice for synthetic data.
   */
  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return false;
  }

  @Override
  public void close() {
    unloadKernels();
  }
}
