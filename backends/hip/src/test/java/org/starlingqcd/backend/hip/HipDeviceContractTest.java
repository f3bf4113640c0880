package org.starlingqcd.backend.hip;

import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/** The contract on a GPU through ROCm, where there is one. */
@Tag("slow")
class HipDeviceContractTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new HipProvider();
  }
}
