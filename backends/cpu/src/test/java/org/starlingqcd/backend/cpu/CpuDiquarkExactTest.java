package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DiquarkContractTest;

class CpuDiquarkExactTest extends DiquarkContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }

  @Override
  protected DeviceOptions options() {
    return new DeviceOptions(0, 3, CAPACITY, true);
  }
}
