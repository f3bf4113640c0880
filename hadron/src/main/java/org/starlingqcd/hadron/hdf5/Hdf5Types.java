package org.starlingqcd.hadron.hdf5;

import org.bytedeco.hdf5.global.hdf5;

/** Types in files and in memory. Used under the library's lock only. */
final class Hdf5Types {
  private Hdf5Types() {}

  /** The element type for a type in a file. */
  static ElementType elementType(long type) {
    int kind = hdf5.H5Tget_class(type);
    if (kind == hdf5.H5T_FLOAT) {
      return ElementType.REAL;
    }
    if (kind == hdf5.H5T_INTEGER || kind == hdf5.H5T_ENUM) {
      return ElementType.INTEGER;
    }
    if (kind == hdf5.H5T_STRING) {
      return ElementType.STRING;
    }
    if (kind == hdf5.H5T_COMPOUND && hdf5.H5Tget_nmembers(type) == 2 && complexMembers(type) >= 0) {
      return ElementType.COMPLEX;
    }
    return ElementType.OTHER;
  }

  /** The pair of {@link Hdf5Library#COMPLEX_MEMBERS} that a compound has; -1 for none. */
  private static int complexMembers(long compound) {
    if (hdf5.H5Tequal(compound, Hdf5Library.COMPLEX) > 0) {
      return 0; // As we write it, which needs no look at the members.
    }
    for (int k = 0; k < Hdf5Library.COMPLEX_MEMBERS.size(); k++) {
      if (Hdf5Library.COMPLEX_MEMBERS.get(k).stream()
          .allMatch(member -> isFloat(compound, member))) {
        return k;
      }
    }
    return -1;
  }

  private static boolean isFloat(long compound, String member) {
    int index = hdf5.H5Tget_member_index(compound, member);
    if (index < 0) {
      hdf5.H5Eclear2(Hdf5Library.DEFAULT);
      return false;
    }
    return hdf5.H5Tget_member_class(compound, index) == hdf5.H5T_FLOAT;
  }

  /** The type of an element in a new file. */
  static long fileType(ElementType type) {
    return switch (type) {
      case COMPLEX -> Hdf5Library.COMPLEX;
      case REAL -> hdf5.H5T_IEEE_F64LE_g();
      case INTEGER -> hdf5.H5T_STD_I64LE_g();
      case STRING -> Hdf5Library.STRING;
      case OTHER -> throw new IllegalArgumentException("a dataset cannot hold it: type=" + type);
    };
  }

  /** The type in our memory of elements of a kind that have a type in a file. */
  static long memoryType(long fileType, ElementType type) {
    return type == ElementType.COMPLEX
        ? Hdf5Library.complex(complexMembers(fileType))
        : type == ElementType.REAL || type == ElementType.INTEGER ? memoryType(type) : -1;
  }

  /** The type in our memory of the elements of a new dataset; -1 if they are no numbers. */
  static long memoryType(ElementType type) {
    return switch (type) {
      case COMPLEX -> Hdf5Library.COMPLEX;
      case REAL -> hdf5.H5T_NATIVE_DOUBLE_g();
      case INTEGER -> hdf5.H5T_NATIVE_INT64_g();
      case STRING -> -1;
      case OTHER ->
          throw new IllegalArgumentException("a dataset of it cannot be read: type=" + type);
    };
  }
}
