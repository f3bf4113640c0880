package org.starlingqcd.backend.cpu;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.contract.DeviceUnderTest;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

class CpuDeviceTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }

  /** Lesser processors, conventional products, and a program built without a C++ compiler. */
  private enum Other {
    AVX2,
    BASELINE,
    EXACT,
    WITHOUT_LOOPS
  }

  static Stream<Arguments> others() {
    return Stream.of(Other.values())
        .flatMap(other -> Stream.of(Precision.values()).map(p -> Arguments.of(other, p)))
        .flatMap(
            a ->
                DeviceContract.checks().stream()
                    .map(check -> Arguments.of(a.get()[0], a.get()[1], check)));
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @MethodSource("others")
  void contract_holdsElsewhere(Other other, Precision precision, ContractCheck check) {
    DeviceOptions options =
        new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, other == Other.EXACT).in(precision);
    switch (other) {
      case AVX2 -> InstructionSets.limit(InstructionSets.AVX2);
      case BASELINE -> InstructionSets.limit(InstructionSets.BASELINE);
      default -> InstructionSets.limit(InstructionSets.AVX512);
    }
    try {
      check.run(
          other == Other.WITHOUT_LOOPS
              ? new CpuKernelsTest.Opening(o -> new CpuDevice(o, OpenBlas.load(), null, false))
              : provider(),
          options);
    } finally {
      InstructionSets.limit(InstructionSets.AVX512);
    }
  }
}
