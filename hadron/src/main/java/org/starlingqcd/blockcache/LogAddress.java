package org.starlingqcd.blockcache;

/**
 * Where a block is, as a word that is never 0: a segment and an offset in it, or the process that
 * reads it.
 *
 * <p>Bits 0 and 1: 1 stored, 2 being read. Stored: bit 2, that the block came back after it had
 * been dropped; bits 3 to 33, the offset in units of {@value #UNIT} bytes; bits 34 to 61, the
 * segment. Being read: bits 3 to 34, the token of the process.
 */
final class LogAddress {
  /** Records begin at multiples of this number of bytes. */
  static final int UNIT = 64;

  private static final long STORED = 1;
  private static final long LOADING = 2;
  private static final long RETURNED = 4;
  private static final int OFFSET_AT = 3;
  private static final int SEGMENT_AT = 34;
  private static final long OFFSETS = (1L << (SEGMENT_AT - OFFSET_AT)) - 1;
  private static final long SEGMENTS = (1L << 28) - 1;

  private LogAddress() {}

  static long stored(long segment, long offset, boolean returned) {
    return ((segment & SEGMENTS) << SEGMENT_AT)
        | ((offset / UNIT) << OFFSET_AT)
        | (returned ? RETURNED : 0)
        | STORED;
  }

  static long loading(int token) {
    return ((token & 0xffff_ffffL) << OFFSET_AT) | LOADING;
  }

  static boolean isStored(long address) {
    return (address & 3) == STORED;
  }

  static boolean isLoading(long address) {
    return (address & 3) == LOADING;
  }

  static int owner(long address) {
    return (int) (address >>> OFFSET_AT);
  }

  static long segment(long address) {
    return (address >>> SEGMENT_AT) & SEGMENTS;
  }

  static long offset(long address) {
    return ((address >>> OFFSET_AT) & OFFSETS) * UNIT;
  }

  static boolean isReturned(long address) {
    return (address & RETURNED) != 0;
  }

  static long withoutReturned(long address) {
    return address & ~RETURNED;
  }
}
