package org.starlingqcd.hadron.hdf5.check;

import java.nio.ByteBuffer;

/** Checks datatypes, which the library uses for bit positions and sizes of its buffers. */
final class Datatypes {
  private static final int DEEPEST = 16;
  private static final int FIXED = 0;
  private static final int FLOAT = 1;
  private static final int TIME = 2;
  private static final int STRING = 3;
  private static final int BITS = 4;
  private static final int OPAQUE = 5;
  private static final int COMPOUND = 6;
  private static final int REFERENCE = 7;
  private static final int ENUMERATION = 8;
  private static final int VARIABLE = 9;
  private static final int ARRAY = 10;

  /** Length, address of a collection and number of the object in it. */
  static final int VARIABLE_BYTES = 16;

  private static final int MOST_NUMBER_BYTES = 16;

  /**
   * A type.
   *
   * @param size bytes of an element
   * @param base bytes of an element of its sequences; 0 for all but types of variable length
   */
  record Type(long size, long base) {
    boolean isVariable() {
      return base > 0;
    }
  }

  private final ByteBuffer bytes;
  private final long start;

  private Datatypes(ByteBuffer bytes, long start) {
    this.bytes = bytes;
    this.start = start;
  }

  /**
   * Checks a datatype; the buffer is then behind it.
   *
   * @param start where the buffer lies in the file
   */
  static Type check(ByteBuffer bytes, long start) throws DamageException {
    return new Datatypes(bytes, start).type(0);
  }

  private DamageException damage(String what) {
    return new DamageException(start + bytes.position(), "datatype: " + what);
  }

  private Type type(int depth) throws DamageException {
    if (depth > DEEPEST) {
      throw damage("nested too deeply");
    }
    int head = bytes.get() & 0xff;
    int version = head >> 4;
    int bits = (bytes.get() & 0xff) | (bytes.get() & 0xff) << 8 | (bytes.get() & 0xff) << 16;
    long size = bytes.getInt() & 0xffffffffL;
    if (version < 1 || version > 4 || size == 0 || size > Integer.MAX_VALUE) {
      throw damage("version " + version + ", " + size + " bytes");
    }
    switch (head & 15) {
      case FIXED, BITS -> number(size);
      case FLOAT -> floating(size, bits);
      case TIME -> bytes.getShort();
      case STRING -> {
        if ((bits & 15) > 2 || (bits >> 4 & 15) > 1) {
          throw damage("a string of unknown padding or characters");
        }
      }
      case OPAQUE -> skip((bits & 0xff) + 7 & ~7);
      case COMPOUND -> compound(version, bits & 0xffff, size, depth);
      case REFERENCE -> {
        if ((bits & 15) > 4) {
          throw damage("a reference of an unknown kind");
        }
      }
      case ENUMERATION -> enumeration(version, bits & 0xffff, size, depth);
      case VARIABLE -> {
        Type base = type(depth + 1);
        if (size != VARIABLE_BYTES || (bits & 15) > 1) {
          throw damage("variable length of " + size + " bytes");
        }
        // What sequences of sequences refer to is left to the library.
        return new Type(size, base.isVariable() ? 0 : base.size());
      }
      case ARRAY -> array(version, size, depth);
      default -> throw damage("unknown class " + (head & 15));
    }
    return new Type(size, 0);
  }

  private int number(long size) throws DamageException {
    int offset = bytes.getShort() & 0xffff;
    int precision = bytes.getShort() & 0xffff;
    if (size > MOST_NUMBER_BYTES || precision == 0 || offset + precision > 8 * size) {
      throw damage(precision + " bits from " + offset + " on in " + size + " bytes");
    }
    return offset + precision;
  }

  private void floating(long size, int bits) throws DamageException {
    int end = number(size);
    int exponent = bytes.get() & 0xff;
    int exponentBits = bytes.get() & 0xff;
    int mantissa = bytes.get() & 0xff;
    int mantissaBits = bytes.get() & 0xff;
    bytes.getInt();
    int sign = bits >> 8 & 0xff;
    boolean sound =
        exponentBits > 0
            && mantissaBits > 0
            && exponentBits < 32
            && exponent + exponentBits <= end
            && mantissa + mantissaBits <= end
            && (exponent + exponentBits <= mantissa || mantissa + mantissaBits <= exponent)
            && sign < end
            && (sign < exponent || sign >= exponent + exponentBits)
            && (sign < mantissa || sign >= mantissa + mantissaBits)
            && (bits >> 4 & 3) != 3;
    if (!sound) {
      throw damage("a floating-point number with impossible places of its parts");
    }
  }

  private void skip(int count) throws DamageException {
    if (count < 0 || count > bytes.remaining()) {
      throw damage("ends too early");
    }
    bytes.position(bytes.position() + count);
  }

  /** Skips a name that ends with zero, and what fills it up to a multiple of 8. */
  private void name(boolean padded) {
    int from = bytes.position();
    while (bytes.get() != 0) {}
    int length = bytes.position() - from;
    if (padded) {
      bytes.position(from + (length + 7 & ~7));
    }
  }

  private void compound(int version, int members, long size, int depth) throws DamageException {
    if (members == 0) {
      throw damage("a compound without members");
    }
    int width = size < 1 << 8 ? 1 : size < 1 << 16 ? 2 : size < 1 << 24 ? 3 : 4;
    for (int k = 0; k < members; k++) {
      name(version < 3);
      long offset = 0;
      int octets = version < 3 ? 4 : width;
      for (int b = 0; b < octets; b++) {
        offset |= (bytes.get() & 0xffL) << (8 * b);
      }
      long elements = 1;
      if (version == 1) {
        int rank = bytes.get() & 0xff;
        skip(11);
        for (int d = 0; d < 4; d++) {
          long extent = bytes.getInt() & 0xffffffffL;
          elements *= d < rank ? Math.min(extent, Short.MAX_VALUE) : 1;
        }
        if (rank > 4) {
          throw damage("a member of rank " + rank);
        }
      }
      Type member = type(depth + 1);
      if (offset + elements * member.size() > size) {
        throw damage("a member that leaves its compound");
      }
    }
  }

  private void enumeration(int version, int members, long size, int depth) throws DamageException {
    if (type(depth + 1).size() != size) {
      throw damage("an enumeration of another size than its numbers");
    }
    for (int k = 0; k < members; k++) {
      name(version < 3);
    }
    skip((int) Math.min(members * size, Integer.MAX_VALUE));
  }

  private void array(int version, long size, int depth) throws DamageException {
    int rank = bytes.get() & 0xff;
    if (version < 3) {
      skip(3);
    }
    long elements = 1;
    for (int d = 0; d < rank; d++) {
      long extent = bytes.getInt() & 0xffffffffL;
      if (extent == 0 || extent > Integer.MAX_VALUE / elements) {
        throw damage("an array of impossible extents");
      }
      elements *= extent;
    }
    if (version < 3) {
      skip(4 * rank);
    }
    Type base = type(depth + 1);
    if (rank == 0 || rank > 32 || base.size() * elements != size) {
      throw damage("an array of " + rank + " dimensions");
    }
  }
}
