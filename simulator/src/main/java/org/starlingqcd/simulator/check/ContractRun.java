package org.starlingqcd.simulator.check;

import java.util.Locale;
import java.util.function.Consumer;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;

/** Checks the contract of devices, as the tests of the backends do, on this device. */
public final class ContractRun {
  private final BackendProvider provider;
  private final DeviceOptions options;

  /** Checks device {@code number} of a backend. */
  public ContractRun(BackendProvider provider, int number) {
    this.provider = provider;
    this.options = new DeviceOptions(number, 0, DeviceUnderTest.CAPACITY, false);
  }

  /** Runs all checks, also after failures, and reports the outcome of each. */
  public void run(Consumer<CheckOutcome> outcomes) {
    for (ContractCheck check : DeviceContract.checks()) {
      outcomes.accept(CheckOutcome.of(check.name(), () -> detail(check.run(provider, options))));
    }
  }

  private static String detail(double error) {
    return error > 0 ? String.format(Locale.ROOT, "largest error %.2g of its bound", error) : "";
  }
}
