package org.starlingqcd.backend.cuda;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/**
 * The contract through JCuda, JCublas and JCudaDriver on the fake device, which detects mistakes
 * that a GPU does not report, and delays work. Every block comes from the driver, so that new
 * memory holds NaN and no address is used again. All but the calls is tested on HIP in every size.
 */
@Tag("slow")
class CudaContractTest {
  @BeforeAll
  static void useFake() {
    System.setProperty("starling.gpu.slabs", "off");
    FakeCuda.use(1, 20240229);
    FakeCuda.delayWork(20);
  }

  @AfterAll
  static void leaveFake() {
    FakeCuda.leave();
    System.clearProperty("starling.gpu.slabs");
  }

  static Stream<Arguments> checks() {
    return Stream.of(Precision.values())
        .flatMap(
            precision ->
                DeviceContractTest.oneOfEachKind().map(check -> Arguments.of(check, precision)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("checks")
  void contract(ContractCheck check, Precision precision) {
    check.run(
        FakeCuda.provider(),
        new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false).in(precision));
    FakeCuda.assertNoErrors();
  }
}
