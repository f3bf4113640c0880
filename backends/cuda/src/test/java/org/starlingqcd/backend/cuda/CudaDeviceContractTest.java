package org.starlingqcd.backend.cuda;

import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/** The contract on a GPU, where there is one. */
@Tag("slow")
class CudaDeviceContractTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new CudaProvider();
  }
}
