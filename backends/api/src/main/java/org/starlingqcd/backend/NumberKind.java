package org.starlingqcd.backend;

/** What the numbers of a matrix are. */
public enum NumberKind {
  /** 64-bit floating-point numbers. */
  REAL(8),

  /** Pairs of 64-bit floating-point numbers, real part first. */
  COMPLEX(16);

  private final int bytes;

  NumberKind(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one number. */
  public int bytes() {
    return bytes;
  }

  /** Real multiplications and additions that a product of two numbers and its addition cost. */
  public int flops() {
    return this == REAL ? 2 : 8;
  }
}
