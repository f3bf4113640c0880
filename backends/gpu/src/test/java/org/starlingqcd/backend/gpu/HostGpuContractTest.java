package org.starlingqcd.backend.gpu;

import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/**
 * The contract of the device shared by CUDA and HIP, on a library on the host that has no kernels.
 * Without kernels there is no single precision, because traces would not be summed in double. What
 * kernels do elsewhere is checked in every size, the rest on the fake HIP.
 */
@Tag("slow")
class HostGpuContractTest {
  static Stream<ContractCheck> checks() {
    Predicate<ContractCheck> own =
        check -> check.name().matches("(traces|spin sums) .*|lines .*sink.* N 27, .*call");
    return Stream.concat(
        DeviceContract.checks().stream().filter(own),
        DeviceContractTest.oneOfEachKind().filter(own.negate()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  void contract(ContractCheck check) {
    check.run(
        new HostGpuProvider(() -> new HostGpu(1L << 30, true)),
        new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false));
  }
}
