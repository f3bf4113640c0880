package org.starlingqcd.backend.cuda;

import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.library.CheckedLibrary;

/** JCuda, JCublas and JCurand on one device. */
final class CudaLibrary extends CheckedLibrary {
  private final CudaPlatform platform;
  private final CudaCalls calls;
  private final CudaRandom random = new CudaRandom();

  CudaLibrary(CudaPlatform platform, CudaCalls calls, int device) {
    super(calls, device);
    this.platform = platform;
    this.calls = calls;
  }

  @Override
  public DeviceInfo info() {
    return platform.describe(device());
  }

  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return random.fill(target, count, seed, calls.stream(stream));
  }

  @Override
  public void close() {
    try {
      unloadKernels();
    } finally {
      try {
        random.close();
      } finally {
        calls.close();
      }
    }
  }
}
