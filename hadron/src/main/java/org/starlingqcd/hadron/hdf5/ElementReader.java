package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jhdf.GlobalHeap;
import io.jhdf.object.datatype.CompoundDataType;
import io.jhdf.object.datatype.CompoundDataType.CompoundDataMember;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.EnumDataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import io.jhdf.object.datatype.StringData;
import io.jhdf.object.datatype.VariableLength;
import io.jhdf.storage.HdfBackingStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns elements as they lie in a file into numbers and strings. */
final class ElementReader {
  private static final int MOST_NUMBER_BYTES = 64;

  /** Names that programs give to real and imaginary part; ours first. */
  private static final List<List<String>> COMPLEX_MEMBERS =
      List.of(List.of("r", "i"), List.of("re", "im"), List.of("real", "imag"));

  private final DataType stored;
  private final ElementType type;

  ElementReader(DataType stored) {
    this.stored = stored;
    this.type = type(stored);
  }

  private static ElementType type(DataType type) {
    if (!(type instanceof StringData) && type.getSize() > MOST_NUMBER_BYTES) {
      return ElementType.OTHER;
    }
    if (type instanceof FloatingPoint) {
      return ElementType.REAL;
    }
    if (type instanceof FixedPoint || type instanceof EnumDataType) {
      return ElementType.INTEGER;
    }
    if (type instanceof StringData
        || (type instanceof VariableLength text && text.isVariableLengthString())) {
      return ElementType.STRING;
    }
    if (type instanceof CompoundDataType compound && compound.getMembers().size() == 2) {
      Set<String> floats = new HashSet<>();
      for (CompoundDataMember member : compound.getMembers()) {
        if (member.getDataType() instanceof FloatingPoint) {
          floats.add(member.getName());
        }
      }
      for (List<String> names : COMPLEX_MEMBERS) {
        if (floats.equals(Set.copyOf(names))) {
          return ElementType.COMPLEX;
        }
      }
    }
    return ElementType.OTHER;
  }

  ElementType type() {
    return type;
  }

  /** Bytes of an element in the file. */
  int width() {
    return stored.getSize();
  }

  /** Doubles of an element in memory. */
  int doubles() {
    return type == ElementType.COMPLEX ? 2 : 1;
  }

  /** Whether real or complex numbers lie in the file as they do in memory. */
  boolean isPlain() {
    if (width() != doubles() * Double.BYTES) {
      return false;
    }
    for (int part = 0; part < doubles(); part++) {
      boolean plain =
          part(part) instanceof FloatingPoint number
              && number.getSize() == Double.BYTES
              && number.getByteOrder() == ByteOrder.LITTLE_ENDIAN
              && offset(part) == part * Double.BYTES;
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** The type of the real or imaginary part, or of the element itself. */
  private DataType part(int part) {
    return type == ElementType.COMPLEX ? member(part).getDataType() : stored;
  }

  private int offset(int part) {
    return type == ElementType.COMPLEX ? member(part).getOffset() : 0;
  }

  private CompoundDataMember member(int part) {
    for (CompoundDataMember member : ((CompoundDataType) stored).getMembers()) {
      for (List<String> names : COMPLEX_MEMBERS) {
        if (names.get(part).equals(member.getName())) {
          return member;
        }
      }
    }
    throw new IllegalStateException("no complex number");
  }

  /** Real numbers, or real and imaginary parts, from the position of a buffer on; O(count). */
  double[] reals(ByteBuffer bytes, int count) {
    double[] numbers = new double[count * doubles()];
    for (int part = 0; part < doubles(); part++) {
      DataType of = part(part);
      int first = bytes.position() + offset(part);
      if (of instanceof FloatingPoint number) {
        ByteBuffer ordered = bytes.duplicate().order(number.getByteOrder());
        for (int k = 0; k < count; k++) {
          int at = first + k * width();
          numbers[k * doubles() + part] =
              switch (number.getSize()) {
                case Double.BYTES -> ordered.getDouble(at);
                case Float.BYTES -> ordered.getFloat(at);
                case Short.BYTES -> half(ordered.getShort(at));
                default ->
                    throw new IllegalArgumentException(
                        "real numbers of " + number.getSize() + " bytes are not supported");
              };
        }
      } else {
        long[] integers = integers(bytes, count);
        for (int k = 0; k < count; k++) {
          numbers[k] = integers[k];
        }
      }
    }
    return numbers;
  }

  private static double half(short bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    double size =
        exponent == 0
            ? Math.scalb((double) mantissa, -24)
            : exponent == 31
                ? mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : Math.scalb(1024.0 + mantissa, exponent - 25);
    return bits < 0 ? -size : size;
  }

  /** Integers from the position of a buffer on; one that is too large is the largest. */
  long[] integers(ByteBuffer bytes, int count) {
    DataType base = stored instanceof EnumDataType named ? named.getBaseType() : stored;
    FixedPoint number = (FixedPoint) base;
    boolean big = number.getByteOrder() == ByteOrder.BIG_ENDIAN;
    int unused = Long.SIZE - number.getBitPrecision();
    int shift = unused - number.getBitOffset();
    if (width() > Long.BYTES || shift < 0) {
      throw new IllegalArgumentException("integers of " + width() + " bytes are not supported");
    }
    long[] integers = new long[count];
    for (int k = 0; k < count; k++) {
      long value = 0;
      for (int b = 0; b < width(); b++) {
        int at = bytes.position() + k * width() + (big ? b : width() - 1 - b);
        value = value << Byte.SIZE | (bytes.get(at) & 0xff);
      }
      long high = value << shift;
      integers[k] = number.isSigned() ? high >> unused : high >>> unused;
      if (!number.isSigned() && integers[k] < 0) {
        integers[k] = Long.MAX_VALUE;
      }
    }
    return integers;
  }

  /** Strings of fixed or variable length, up to their first zero. */
  List<String> strings(ByteBuffer bytes, int count, HdfBackingStorage file) {
    List<String> strings = new ArrayList<>(count);
    Map<Long, GlobalHeap> heaps = new HashMap<>();
    for (int k = 0; k < count; k++) {
      ByteBuffer element =
          bytes.slice(bytes.position() + k * width(), width()).order(ByteOrder.LITTLE_ENDIAN);
      if (stored instanceof StringData fixed) {
        String text = text(element);
        boolean padded = fixed.getPaddingType() == StringData.PaddingType.SPACE_PADDED;
        strings.add(padded ? text.stripTrailing() : text);
      } else {
        // Its length, the address of a heap, and its number there.
        int length = element.getInt(0);
        long heap = element.getLong(Integer.BYTES);
        int number = element.getInt(Integer.BYTES + Long.BYTES);
        if (length == 0 || heap == 0) {
          strings.add("");
          continue;
        }
        GlobalHeap known = heaps.get(heap);
        if (known == null) {
          known = heap(file, heap);
          heaps.put(heap, known);
        }
        strings.add(text(known.getObjectData(number).limit(length)));
      }
    }
    return strings;
  }

  /** A heap, which is not read where it ends beyond the file. */
  private static GlobalHeap heap(HdfBackingStorage file, long address) {
    ByteBuffer head = file.readBufferFromAddress(address, 2 * Long.BYTES);
    long size = head.order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES);
    if (size < 0 || size > file.size() - address) {
      throw new IllegalArgumentException(
          "a heap of strings ends beyond the file: " + size + " bytes");
    }
    return new GlobalHeap(file, address);
  }

  private static String text(ByteBuffer bytes) {
    int end = bytes.position();
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    return UTF_8.decode(bytes.limit(end)).toString();
  }
}
