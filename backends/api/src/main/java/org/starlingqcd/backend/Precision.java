package org.starlingqcd.backend;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The numbers that elements consist of, on the device and on the host. Traces and correlators are
 * sums in double precision either way.
 */
public enum Precision {
  /** Real and imaginary parts of 64 bits: complex128. */
  DOUBLE(Double.BYTES, 0x1p-53),

  /** Real and imaginary parts of 32 bits: complex64. Data in double are rounded once. */
  SINGLE(Float.BYTES, 0x1p-24);

  private final int realBytes;
  private final double unitRoundoff;

  Precision(int realBytes, double unitRoundoff) {
    this.realBytes = realBytes;
    this.unitRoundoff = unitRoundoff;
  }

  /** Bytes of a real number. */
  public int realBytes() {
    return realBytes;
  }

  /** Bytes of a complex number. */
  public int complexBytes() {
    return 2 * realBytes;
  }

  /** The largest relative error of rounding a number once: 2⁻⁵³ or 2⁻²⁴. */
  public double unitRoundoff() {
    return unitRoundoff;
  }

  /** The name that users type and that files hold: {@code double} or {@code single}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }

  /**
   * The precision of real numbers of this many bytes.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Precision ofBytes(int realBytes) {
    return Arrays.stream(values())
        .filter(each -> each.realBytes == realBytes)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("must be 8 or 4: realBytes=" + realBytes));
  }

  /** The precision with a label, if there is one. */
  public static Optional<Precision> of(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }
}
