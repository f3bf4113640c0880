package org.starlingqcd.hadron.data;

import java.util.Arrays;

/** What the numbers of noise are: roots of unity, all of them times a phase, or any phase. */
public enum NoiseGroup {
  /** 1 and -1. */
  Z2(2, 0),
  /** 1, i, -1, -i. */
  Z4(4, 0),
  /** Those of Z4 times e^{iπ/4}. */
  Z4_ROTATED(4, 0.125),
  /** Any phase. */
  U1(0, 0);

  private final int order;
  private final double first;

  NoiseGroup(int order, double first) {
    this.order = order;
    this.first = first;
  }

  /**
   * The number that random bits choose, real and imaginary part. Their highest bits are k of e^{2πi
   * (k / order + first)}; for U1 the highest 53 are the phase, as a fraction of 2π.
   */
  public double[] number(long bits) {
    return order == 0
        ? at((bits >>> 11) * 0x1p-53)
        : at((double) (bits >>> (64 - Integer.numberOfTrailingZeros(order))) / order + first);
  }

  /** How far numbers, interleaved complex, are from the nearest ones of the group at most. */
  public double distance(double[] numbers) {
    double worst = 0;
    for (int k = 0; k < numbers.length; k += 2) {
      double turns = Math.atan2(numbers[k + 1], numbers[k]) / (2 * Math.PI);
      double[] nearest =
          at(order == 0 ? turns : Math.rint(order * (turns - first)) / order + first);
      worst = Math.max(worst, Math.hypot(numbers[k] - nearest[0], numbers[k + 1] - nearest[1]));
    }
    return worst;
  }

  private static double[] at(double turns) {
    double[] number = {StrictMath.cos(2 * Math.PI * turns), StrictMath.sin(2 * Math.PI * turns)};
    // To a multiple of 2⁻⁵⁰: a cosine that misses 0 by rounding is 0.
    Arrays.setAll(number, k -> 0.0 + Math.rint(number[k] * 0x1p50) * 0x1p-50);
    return number;
  }

  @Override
  public String toString() {
    return name().replace('_', '-').replace("ROTATED", "rotated");
  }
}
