package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

/** The contract with every kernel that the environment can choose. */
@Tag("slow")
public class CpuKernelsTest {
  public static final List<String> KERNELS =
      List.of(
          "tile=0,products=3",
          "tile=0,products=4",
          "tile=16,products=3",
          "tile=64,products=4",
          "zgemm",
          "packed,products=3",
          "packed,products=4",
          "strassen,products=3");

  private static final DeviceOptions OPTIONS =
      new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false);

  /** The size of tiles is no matter of precision. */
  private static final List<String> KERNELS_IN_SINGLE_PRECISION =
      List.of(
          "tile=0,products=3",
          "tile=16,products=4",
          "zgemm",
          "packed,products=3",
          "packed,products=4",
          "strassen,products=3");

  static Stream<Arguments> checks() {
    return under(KERNELS);
  }

  static Stream<Arguments> checksInSinglePrecision() {
    return under(KERNELS_IN_SINGLE_PRECISION);
  }

  /**
   * Of the kernels with one layout in memory the first ones: what has no product meets no other.
   */
  private static final Set<String> LAYOUTS =
      Set.of("tile=0,products=3", "tile=16,products=3", "tile=16,products=4", "tile=64,products=4");

  private static final Pattern PRODUCT =
      Pattern.compile(
          "(device and|meson nodes|a whole vector|elemental times|any mapping|tensors of|sums of"
              + " contractions|an element of|lines as a matrix|one line twice|saved|slow"
              + " memory|streams).*");

  private static Stream<Arguments> under(List<String> kernels) {
    return kernels.stream()
        .flatMap(
            kernel ->
                DeviceContract.checks().stream()
                    .filter(c -> LAYOUTS.contains(kernel) || PRODUCT.matcher(c.name()).matches())
                    .map(c -> Arguments.of(kernel, c)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("checks")
  void contract_holdsUnderEveryKernel(String kernel, ContractCheck check) {
    check.run(chosen(kernel), OPTIONS);
  }

  @ParameterizedTest(name = "{0} in single precision: {1}")
  @MethodSource("checksInSinglePrecision")
  void contract_holdsUnderEveryKernelInSinglePrecision(String kernel, ContractCheck check) {
    check.run(chosen(kernel), OPTIONS.in(Precision.SINGLE));
  }

  @Test
  void kernel_isTheOneThatMultiplies() {
    try (Device chosen = chosen("strassen,products=3").open(OPTIONS);
        Device exact =
            chosen("strassen,products=3")
                .open(new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, true))) {
      assertEquals(Optional.of("strassen,products=3"), chosen.kernel(64));
      assertEquals(Optional.of("packed,products=4"), exact.kernel(64));
    }
  }

  private static BackendProvider chosen(String kernel) {
    return new Opening(o -> new CpuDevice(o, OpenBlas.load(), KernelChoice.parse(kernel)));
  }

  /** The CPU, opened in a way of its own. */
  record Opening(Function<DeviceOptions, Device> opening) implements BackendProvider {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public Availability probe() {
      return new CpuBackend().probe();
    }

    @Override
    public Device open(DeviceOptions options) {
      return opening.apply(options);
    }
  }
}
