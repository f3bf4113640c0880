package org.starlingqcd.hadron.format;

/**
 * A row-major array of numbers in a file, of which boxes are read. Numbers are widened to 64 bits;
 * a complex number is two doubles, real part first.
 */
public interface NumberArray {
  /** What a message calls it: its file, and its place there. */
  String name();

  /** Its extents, the slowest axis first. */
  long[] extents();

  /** Whether a number is a pair of doubles. */
  boolean isComplex();

  /**
   * Reads a box, row-major.
   *
   * @param start first index along each axis
   * @param count number of indices along each axis
   * @param target room for the numbers of the box, from its beginning
   * @throws org.starlingqcd.hadron.data.DistillationException when it cannot be read
   */
  void read(long[] start, long[] count, double[] target);

  /** Numbers in a box. */
  static long size(long[] count) {
    long size = 1;
    for (long extent : count) {
      size = Math.multiplyExact(size, extent);
    }
    return size;
  }
}
