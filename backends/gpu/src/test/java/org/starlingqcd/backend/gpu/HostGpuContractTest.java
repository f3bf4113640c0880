package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceContractTest;

/** The device common to CUDA and HIP behind the seam kept on the host. */
class HostGpuContractTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new HostGpuProvider(true);
  }
}
