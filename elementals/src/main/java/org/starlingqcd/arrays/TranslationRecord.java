package org.starlingqcd.arrays;

import org.starlingqcd.backend.HostMemory;

/**
 * A range of host memory that has, or had, one copy on the device as a whole. Its granularity is
 * that of the calls that used it.
 */
final class TranslationRecord {
  /** Where the value is. */
  enum State {
    /** Only on the host. */
    HOST,
    /** Only on the device. */
    DEVICE,
    /** On both. */
    SHARED
  }

  final HostArray array;

  /** Address of its first byte. */
  final long start;

  /** Address behind its last byte. */
  final long end;

  /** Its number in MemHC. */
  final int element;

  /** CRC-32C of the host's bytes since they were last known to be what the guards saw; -1: none. */
  long checksum = -1;

  /** How often its value had come home by then. */
  long arrivals;

  TranslationRecord(HostArray array, long start, long end, int element) {
    this.array = array;
    this.start = start;
    this.end = end;
    this.element = element;
  }

  HostMemory memory() {
    return array.home();
  }

  long bytes() {
    return end - start;
  }

  boolean contains(long from, long to) {
    return start <= from && to <= end;
  }

  @Override
  public String toString() {
    return array.name() + "[" + start + ", " + end + ")";
  }
}
