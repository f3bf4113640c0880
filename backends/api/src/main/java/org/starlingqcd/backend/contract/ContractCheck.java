package org.starlingqcd.backend.contract;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;

/**
 * One check of the contract. It opens its own device and frees everything at the end.
 *
 * @param name the behavior that is checked
 * @param body runs the check and compares
 */
public record ContractCheck(String name, Body body) {

  /** The steps of a check. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs them.
     *
     * @throws ContractBreachException when the device breaks its contract
     */
    void run(DeviceUnderTest device);
  }

  /**
   * Runs the check.
   *
   * @param options how the device is opened; a check needs a capacity of {@link
   *     DeviceUnderTest#CAPACITY}
   * @return the largest error in units of its bound, at most 1; 0 when no numbers were compared
   *     within a bound
   * @throws ContractBreachException when the device breaks its contract @throws
   *     org.starlingqcd.backend.BackendException when a call fails
   */
  public double run(BackendProvider provider, DeviceOptions options) {
    try (DeviceUnderTest device = new DeviceUnderTest(provider, options)) {
      body.run(device);
      return device.largestError();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
