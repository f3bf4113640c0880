package org.starlingqcd.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.backend.cuda.FakeCuda;
import org.starlingqcd.backend.gpu.HostGpu;
import org.starlingqcd.backend.gpu.HostGpuProvider;
import org.starlingqcd.backend.hip.FakeHip;

/** Arrays equal plain arrays whatever is called, on every backend and with every protocol. */
class RandomCallsTest {
  private static final int STEPS = 300;

  @ParameterizedTest
  @CsvSource({
    "WRITE_BACK, lfu, REAL, 1",
    "WRITE_BACK, lru, COMPLEX, 2",
    "WRITE_BACK, cost-aware, COMPLEX, 3",
    "WRITE_THROUGH, lfu, COMPLEX, 4",
    "WRITE_THROUGH, random, REAL, 5",
    "NONE, lfu, COMPLEX, 6"
  })
  void calls_onTheProcessor_equalPlainArrays(
      CoherenceProtocol protocol, String policy, NumberKind kind, long seed) {
    run(new CpuBackend(), protocol, policy, kind, seed);
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE_BACK, lfu, COMPLEX, 7",
    "WRITE_BACK, lru, REAL, 8",
    "WRITE_THROUGH, lfu, COMPLEX, 9"
  })
  void calls_onTheHostedGpu_equalPlainArrays(
      CoherenceProtocol protocol, String policy, NumberKind kind, long seed) {
    run(new HostGpuProvider(() -> new HostGpu(1L << 28, true)), protocol, policy, kind, seed);
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE_BACK, lfu, COMPLEX, 10",
    "WRITE_BACK, lru, REAL, 11",
    "WRITE_THROUGH, lfu, COMPLEX, 12"
  })
  void calls_onTheFakeHip_equalPlainArrays(
      CoherenceProtocol protocol, String policy, NumberKind kind, long seed) {
    run(FakeHip.freshProvider(20240229), protocol, policy, kind, seed);
    FakeHip.assertNoErrors();
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE_BACK, lfu, COMPLEX, 13",
    "WRITE_BACK, lru, REAL, 14",
    "WRITE_THROUGH, lfu, COMPLEX, 15",
    "NONE, lfu, REAL, 16"
  })
  void calls_onTheFakeCuda_equalPlainArrays(
      CoherenceProtocol protocol, String policy, NumberKind kind, long seed) {
    FakeCuda.use(1, seed);
    try {
      run(FakeCuda.provider(), protocol, policy, kind, seed);
      assertEquals("", FakeCuda.report());
    } finally {
      FakeCuda.leave();
    }
  }

  private static void run(
      BackendProvider provider,
      CoherenceProtocol protocol,
      String policy,
      NumberKind kind,
      long seed) {
    try (Device device = provider.open(new DeviceOptions(0, 2, 1 << 20, false))) {
      long evictions = RandomCalls.run(device, protocol, policy, kind, seed, STEPS);
      assertTrue(protocol == CoherenceProtocol.NONE || evictions > 0, "records were evicted");
    }
  }
}
