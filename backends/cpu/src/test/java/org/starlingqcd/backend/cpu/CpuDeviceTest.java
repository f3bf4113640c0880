package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

class CpuDeviceTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }
}
