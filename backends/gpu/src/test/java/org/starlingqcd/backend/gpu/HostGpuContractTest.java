package org.starlingqcd.backend.gpu;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/**
 * The contract of the device shared by CUDA and HIP, on a library on the host that has no kernels.
 * Without kernels there is no single precision, because traces would not be summed in double.
 */
@Tag("slow")
class HostGpuContractTest {
  static List<ContractCheck> checks() {
    return DeviceContract.checks();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  void contract(ContractCheck check) {
    check.run(
        new HostGpuProvider(() -> new HostGpu(1L << 30, true)),
        new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false));
  }
}
