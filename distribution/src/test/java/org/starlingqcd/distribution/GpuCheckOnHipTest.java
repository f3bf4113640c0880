package org.starlingqcd.distribution;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.hip.FakeHip;

/** {@code gpu-check} on the fake HIP library. */
@Tag("slow")
final class GpuCheckOnHipTest {
  @Test
  void hip_passes() {
    System.setProperty("starling.hip.runtime", FakeHip.library().toString());
    try {
      long seed = GpuCheckOnFake.seed();
      FakeHip.reset(FakeHip.BYTES, 1, seed);
      FakeHip.delayWork(GpuCheckOnFake.MICROSECONDS);
      GpuCheckOnFake.check("hip", seed, FakeHip::report);
    } finally {
      System.clearProperty("starling.hip.runtime");
    }
  }
}
