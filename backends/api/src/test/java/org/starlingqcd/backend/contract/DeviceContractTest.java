package org.starlingqcd.backend.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;

/**
 * The contract of a device as tests, which each backend subclasses. Without a device they are
 * skipped with the reason.
 */
public abstract class DeviceContractTest {
  /** The backend under test. */
  protected abstract BackendProvider provider();

  /** Options with which the device of a test is opened. */
  protected DeviceOptions options() {
    return new DeviceOptions(0, 2, DeviceUnderTest.CAPACITY, false);
  }

  static List<ContractCheck> checks() {
    return DeviceContract.checks();
  }

  /**
   * Of checks that differ in numbers alone the last one: for a backend that shares all but its
   * calls with one whose tests run the whole contract.
   */
  public static Stream<ContractCheck> oneOfEachKind() {
    return DeviceContract.checks().stream()
        .collect(
            Collectors.groupingBy(
                check -> check.name().replaceAll("\\d+", "0"),
                LinkedHashMap::new,
                Collectors.toList()))
        .values()
        .stream()
        .map(kind -> kind.get(kind.size() - 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  final void contract(ContractCheck check) {
    run(check, options());
  }

  @ParameterizedTest(name = "{0}, in single precision")
  @MethodSource("checks")
  final void contractInSinglePrecision(ContractCheck check) {
    run(check, options().in(Precision.SINGLE));
  }

  private void run(ContractCheck check, DeviceOptions options) {
    BackendProvider provider = provider();
    Availability availability = provider.probe();
    Assumptions.assumeTrue(availability.isPresent(), () -> "no device: " + availability.reason());
    check.run(provider, options);
  }
}
