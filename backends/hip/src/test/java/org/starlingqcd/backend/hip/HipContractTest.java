package org.starlingqcd.backend.hip;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/**
 * The contract on the fake HIP library, which detects mistakes that a GPU does not report. In
 * double precision {@code GpuCheckOnFakeTest} of the distribution runs it in every size.
 */
@Tag("slow")
class HipContractTest {
  private final HipProvider provider = FakeHip.freshProvider(20240229);

  static Stream<Arguments> checks() {
    return Stream.concat(
        DeviceContractTest.oneOfEachKind().map(check -> Arguments.of(check, Precision.DOUBLE)),
        DeviceContract.checks().stream().map(check -> Arguments.of(check, Precision.SINGLE)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("checks")
  void contract(ContractCheck check, Precision precision) {
    check.run(provider, new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false).in(precision));
    FakeHip.assertNoErrors();
  }
}
