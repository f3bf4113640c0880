package org.starlingqcd.backend.tck;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;

/**
 * One check of the contract. It opens a device of its own and gives everything back.
 *
 * @param name what a device does that passes
 * @param body does it and compares
 */
public record ContractCheck(String name, Body body) {

  /** The steps of a check. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs them.
     *
     * @throws ContractBreachException when the device does something else
     */
    void run(DeviceUnderTest device);
  }

  /**
   * Runs the check.
   *
   * @param options how the device is opened; {@link DeviceUnderTest#CAPACITY} is what a check needs
   * @return the largest error in units of its bound, at most 1; 0 when nothing was compared by size
   * @throws ContractBreachException when the device does something else
   * @throws org.starlingqcd.backend.BackendException when a call fails
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
