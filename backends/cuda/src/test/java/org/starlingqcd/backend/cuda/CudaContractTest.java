package org.starlingqcd.backend.cuda;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/**
 * The contract through JCuda, JCublas and JCudaDriver on the fake device, which detects mistakes
 * that a GPU does not report, and delays work. Every block comes from the driver, so that new
 * memory holds NaN and no address is used again.
 */
@Tag("slow")
class CudaContractTest extends DeviceContractTest {
  @BeforeAll
  static void useFake() {
    System.setProperty("starling.gpu.slabs", "off");
    FakeCuda.use(1, 20240229);
    FakeCuda.delayWork(20);
  }

  @AfterAll
  static void leaveFake() {
    FakeCuda.leave();
    System.clearProperty("starling.gpu.slabs");
  }

  @Override
  protected BackendProvider provider() {
    return FakeCuda.provider();
  }

  @AfterEach
  void noErrors() {
    FakeCuda.assertNoErrors();
  }
}
