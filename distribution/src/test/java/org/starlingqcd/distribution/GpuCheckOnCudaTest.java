package org.starlingqcd.distribution;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.cuda.FakeCuda;

/** {@code gpu-check} on the fake CUDA library. */
@Tag("slow")
final class GpuCheckOnCudaTest {
  @Test
  void cuda_passes() {
    long seed = GpuCheckOnFake.seed();
    FakeCuda.use(1, seed);
    try {
      FakeCuda.delayWork(GpuCheckOnFake.MICROSECONDS);
      GpuCheckOnFake.check("cuda", seed, FakeCuda::report);
    } finally {
      FakeCuda.leave();
    }
  }
}
