package org.starlingqcd.backend.cpu;

import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/** The contract with conventional products. */
@Tag("slow")
class CpuDeviceExactTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }

  @Override
  protected DeviceOptions options() {
    return new DeviceOptions(0, 3, DeviceUnderTest.CAPACITY, true);
  }
}
