package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceContractTest;
import org.starlingqcd.backend.DeviceOptions;

/** The same with conventional products. */
class CpuDeviceExactTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }

  @Override
  protected DeviceOptions options() {
    return new DeviceOptions(0, 2, CAPACITY, true);
  }
}
