package org.starlingqcd.distribution;

import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.cuda.FakeCuda;

/** {@code gpu-check} on the fake CUDA library. */
@Tag("slow")
final class GpuCheckOnCudaTest {
  @Test
  void cuda_passes() {
    onFake(seed -> GpuCheckOnFake.check("cuda", seed, FakeCuda::report, "nucleon,rho_001_e,sigma"));
  }

  @Test
  @Tag("soak")
  void cuda_withEveryReference_passes() {
    onFake(seed -> GpuCheckOnFake.checkAll("cuda", seed, FakeCuda::report));
  }

  private static void onFake(LongConsumer check) {
    long seed = GpuCheckOnFake.seed();
    FakeCuda.use(1, seed);
    try {
      FakeCuda.delayWork(GpuCheckOnFake.MICROSECONDS);
      check.accept(seed);
    } finally {
      FakeCuda.leave();
    }
  }
}
