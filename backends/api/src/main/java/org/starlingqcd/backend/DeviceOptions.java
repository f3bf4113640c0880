package org.starlingqcd.backend;

/**
 * How a device is opened.
 *
 * @param device number of the device, from 0
 * @param threads host threads that compute; 0 lets the backend choose
 * @param capacityBytes bound on the total that {@link Device#allocate} hands out; 0 lets the
 *     backend choose
 * @param exact whether to use conventional products only (no 3M), whose error is bounded element by
 *     element
 * @param precision of all elements of the device
 * @param tiers where a device that computes in RAM takes its memory
 */
public record DeviceOptions(
    int device,
    int threads,
    long capacityBytes,
    boolean exact,
    Precision precision,
    TierOptions tiers) {
  /** Device 0 with the backend's choice of everything else. */
  public static DeviceOptions defaults() {
    return new DeviceOptions(0, 0, 0, false);
  }

  /** A device that computes in double precision. */
  public DeviceOptions(int device, int threads, long capacityBytes, boolean exact) {
    this(device, threads, capacityBytes, exact, Precision.DOUBLE, TierOptions.none());
  }

  /** The same options with another precision. */
  public DeviceOptions in(Precision other) {
    return new DeviceOptions(device, threads, capacityBytes, exact, other, tiers);
  }

  /** The same options with two tiers of memory. */
  public DeviceOptions with(TierOptions newTiers) {
    return new DeviceOptions(device, threads, capacityBytes, exact, precision, newTiers);
  }

  /** Checks the ranges. */
  public DeviceOptions {
    if (device < 0 || threads < 0 || capacityBytes < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: device=%s threads=%s capacityBytes=%s"
              .formatted(device, threads, capacityBytes));
    }
  }
}
