package org.starlingqcd.distribution;

import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.hip.FakeHip;

/** {@code gpu-check} on the fake HIP library. */
@Tag("slow")
final class GpuCheckOnHipTest {
  @Test
  void hip_passes() {
    onFake(
        seed -> GpuCheckOnFake.check("hip", seed, FakeHip::report, "pion,rho_011_d1,written_out"));
  }

  @Test
  @Tag("soak")
  void hip_withEveryReference_passes() {
    onFake(seed -> GpuCheckOnFake.checkAll("hip", seed, FakeHip::report));
  }

  private static void onFake(LongConsumer check) {
    System.setProperty("starling.hip.runtime", FakeHip.library().toString());
    try {
      long seed = GpuCheckOnFake.seed();
      FakeHip.reset(FakeHip.BYTES, 1, seed);
      FakeHip.delayWork(GpuCheckOnFake.MICROSECONDS);
      check.accept(seed);
    } finally {
      System.clearProperty("starling.hip.runtime");
    }
  }
}
