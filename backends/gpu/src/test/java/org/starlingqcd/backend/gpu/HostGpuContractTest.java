package org.starlingqcd.backend.gpu;

import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.tck.DeviceContractTest;

/** The contract of the device shared by CUDA and HIP, on a library on the host. */
@Tag("slow")
class HostGpuContractTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new HostGpuProvider(() -> new HostGpu(1L << 30, true));
  }

  /** The host has no kernels, without which traces are not summed in double precision. */
  @Override
  protected boolean hasSinglePrecision() {
    return false;
  }
}
