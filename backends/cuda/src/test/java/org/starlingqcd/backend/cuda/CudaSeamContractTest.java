package org.starlingqcd.backend.cuda;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.gpu.HostGpuProvider;
import org.starlingqcd.backend.tck.DeviceContractTest;

/** The contract with every product passed through JCublas to a cuBLAS that runs on the host. */
@Tag("slow")
class CudaSeamContractTest extends DeviceContractTest {
  @BeforeAll
  static void loadCublas() {
    FakeCublas.load();
  }

  @Override
  protected BackendProvider provider() {
    return new HostGpuProvider(HostedCudaLibrary::new);
  }

  /** The host has no kernels, without which traces are not summed in double precision. */
  @Override
  protected boolean hasSinglePrecision() {
    return false;
  }
}
