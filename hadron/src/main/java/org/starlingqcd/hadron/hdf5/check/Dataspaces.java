package org.starlingqcd.hadron.hdf5.check;

import java.nio.ByteBuffer;

/** Checks extents. */
final class Dataspaces {
  private static final int HIGHEST_RANK = 32;
  private static final long MOST = 1L << 56;

  private Dataspaces() {}

  /** The number of elements. */
  static long check(ByteBuffer bytes, long place) throws DamageException {
    int version = bytes.get();
    int rank = bytes.get();
    int flags = bytes.get();
    int type = version == 2 ? bytes.get() : 1;
    if (version < 1 || version > 2 || rank < 0 || rank > HIGHEST_RANK || type > 2 || type < 0) {
      throw new DamageException(place, "extents of version " + version + " and rank " + rank);
    }
    if (version == 1) {
      bytes.position(8);
    }
    if (type == 2) {
      return 0;
    }
    long count = 1;
    for (int k = 0; k < rank; k++) {
      long extent = bytes.getLong();
      if (extent < 0 || (extent > 0 && count > MOST / extent)) {
        throw new DamageException(place, "more elements than a file can have");
      }
      count *= extent;
    }
    if ((flags & 1) != 0 && bytes.remaining() < 8 * rank) {
      throw new DamageException(place, "extents without their largest values");
    }
    return count;
  }
}
