package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import io.jhdf.api.Attribute;
import io.jhdf.storage.HdfBackingStorage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;
import org.starlingqcd.hadron.hdf5.Hdf5Library.NativeValues;

/**
 * The attributes of one object. Numbers are converted to the type asked for; strings may be of
 * fixed or variable length. Writing replaces an attribute of the same name.
 *
 * <p>An attribute has at most 64 KiB. A longer list of a group is a dataset of its name in the
 * group, which reading finds where there is no attribute.
 */
public final class Hdf5Attributes {
  /** Bytes of the values of an attribute that is no dataset; a part of the 64 KiB is its head. */
  private static final int MOST_BYTES = 60_000;

  /** More elements than the attributes of any file that is read here have. */
  private static final int MOST = 1 << 24;

  /** Bytes of a string of variable length, without its characters. */
  private static final int STRING_BYTES = 16;

  private final Hdf5File file;
  private final String object;

  /** An attribute and how its elements are read. */
  private record Values(ElementReader elements, ByteBuffer bytes, int count) {}

  Hdf5Attributes(Hdf5File file, String object) {
    this.file = file;
    this.object = Hdf5File.isRoot(object) ? "/" : object;
  }

  private Hdf5File.Found owner() {
    Hdf5File.Found found = file.find(object);
    if (found == null) {
      throw new Hdf5Exception(file.at(object) + "no such object");
    }
    return found;
  }

  /**
   * Reads an attribute, or a list too long for one.
   *
   * @param types that it may have, {@code expected} in words; none for any
   */
  private <T> T reading(
      String name,
      String expected,
      List<ElementType> types,
      Function<Values, T> reader,
      Function<Hdf5Dataset, T> ofList) {
    @Nullable T found =
        Hdf5File.<@Nullable T>reading(
            file.at(object) + "attribute '" + name + "' ",
            () -> {
              Attribute attribute = owner().node().getAttribute(name);
              if (attribute == null) {
                return null;
              }
              if (attribute.getSize() > MOST) {
                throw new IllegalArgumentException(
                    attribute.getSize() + " elements, more than " + MOST);
              }
              ElementReader elements = new ElementReader(attribute.getDataType());
              if (!types.isEmpty() && !types.contains(elements.type())) {
                throw unexpected(name, expected, "another type");
              }
              ByteBuffer bytes =
                  Objects.requireNonNullElseGet(
                      attribute.getBuffer(), () -> ByteBuffer.allocate(0));
              int count = attribute.isEmpty() ? 0 : (int) attribute.getSize();
              return reader.apply(new Values(elements, bytes, count));
            });
    if (found != null) {
      return found;
    }
    if (!isList(name)) {
      throw new Hdf5Exception(file.at(object) + "has no attribute '" + name + "'");
    }
    try (Hdf5Dataset list = file.dataset(list(name))) {
      return ofList.apply(list);
    }
  }

  /** Whether there is an attribute of this name, or a list too long for one. */
  public boolean has(String name) {
    return isAttribute(name) || isList(name);
  }

  private boolean isAttribute(String name) {
    return Hdf5File.reading(
        file.at(object) + "attribute '" + name + "' ",
        () -> owner().node().getAttribute(name) != null);
  }

  /** Whether there is a dataset of this name in the group. */
  private boolean isList(String name) {
    return !name.contains("/")
        && file.kind(object) == ObjectKind.GROUP
        && file.kind(list(name)) == ObjectKind.DATASET;
  }

  private String list(String name) {
    return Hdf5File.isRoot(object) ? name : object + "/" + name;
  }

  /** The names, in ascending order. */
  public List<String> names() {
    return Hdf5File.reading(
        file.at(object), () -> owner().node().getAttributes().keySet().stream().sorted().toList());
  }

  /** What the elements of an attribute are. */
  public ElementType type(String name) {
    return reading(name, "", List.of(), values -> values.elements().type(), Hdf5Dataset::type);
  }

  /**
   * A string.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one string
   */
  public String string(String name) {
    List<String> strings = strings(name);
    if (strings.size() != 1) {
      throw unexpected(name, "one string", strings.size() + " strings");
    }
    return strings.get(0);
  }

  /**
   * An array of strings, of any rank.
   *
   * @throws Hdf5Exception when there is no such attribute, or it holds no strings
   */
  public List<String> strings(String name) {
    HdfBackingStorage storage = owner().contents().objects().getHdfBackingStorage();
    return reading(
        name,
        "a string",
        List.of(ElementType.STRING),
        values -> values.elements().strings(values.bytes(), values.count(), storage),
        Hdf5Dataset::readStrings);
  }

  /**
   * An integer; a boolean is 0 or 1.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one integer
   */
  public long integer(String name) {
    long[] values = integers(name);
    if (values.length != 1) {
      throw unexpected(name, "one integer", values.length + " integers");
    }
    return values[0];
  }

  /**
   * An array of integers, of any rank.
   *
   * @throws Hdf5Exception when there is no such attribute, or it holds no integers
   */
  public long[] integers(String name) {
    return reading(
        name,
        "an integer",
        List.of(ElementType.INTEGER),
        values -> values.elements().integers(values.bytes(), values.count()),
        Hdf5Dataset::readIntegers);
  }

  /**
   * As {@link #integers}, in 32 bits each.
   *
   * @throws Hdf5Exception as there, or when a number has more
   */
  public int[] ints(String name) {
    long[] values = integers(name);
    for (long value : values) {
      if ((int) value != value) {
        throw unexpected(name, "numbers from -2147483648 to 2147483647", String.valueOf(value));
      }
    }
    return Arrays.stream(values).mapToInt(value -> (int) value).toArray();
  }

  /**
   * An array of real numbers, of any rank; integers are converted.
   *
   * @throws Hdf5Exception when there is no such attribute, or it holds no numbers
   */
  public double[] reals(String name) {
    return reading(
        name,
        "a number",
        List.of(ElementType.REAL, ElementType.INTEGER),
        values -> values.elements().reals(values.bytes(), values.count()),
        Hdf5Dataset::readAll);
  }

  private Hdf5Exception unexpected(String name, String expected, String found) {
    return new Hdf5Exception(
        file.at(object) + "attribute '" + name + "': expected " + expected + ", found " + found);
  }

  /** Writes a string as variable-length UTF-8. */
  public void put(String name, String value) {
    write(name, NativeValues.of(List.of(value)));
  }

  /** Writes an array of strings as variable-length UTF-8. */
  public void put(String name, List<String> values) {
    if (isTooLong(name, (long) values.size() * STRING_BYTES)) {
      try (Hdf5Dataset list = createList(name, ElementType.STRING, values.size())) {
        list.writeStrings(values);
      }
    } else {
      write(name, NativeValues.of(values), values.size());
    }
  }

  /** Writes a 64-bit integer. */
  public void put(String name, long value) {
    write(name, NativeValues.of(value));
  }

  /** Writes an array of 64-bit integers. */
  public void put(String name, long[] values) {
    if (isTooLong(name, (long) values.length * Long.BYTES)) {
      try (Hdf5Dataset list = createList(name, ElementType.INTEGER, values.length)) {
        list.writeIntegers(values);
      }
    } else {
      write(name, NativeValues.of(values), values.length);
    }
  }

  /** Writes an array of integers, stored with 64 bits. */
  public void put(String name, int[] values) {
    put(name, Arrays.stream(values).asLongStream().toArray());
  }

  /** Writes a 64-bit floating-point number. */
  public void put(String name, double value) {
    write(name, NativeValues.of(value));
  }

  /** Whether values have to be a dataset of the group; one that is there is removed. */
  private boolean isTooLong(String name, long bytes) {
    synchronized (LOCK) {
      if (file.kind(object) != ObjectKind.GROUP) {
        return false;
      }
      if (isList(name)) {
        file.delete(list(name));
      }
      if (bytes > MOST_BYTES) {
        delete(name);
      }
      return bytes > MOST_BYTES;
    }
  }

  /** Removes an attribute that may be there. */
  public void delete(String name) {
    synchronized (LOCK) {
      try (BytePointer place = text(object);
          BytePointer key = text(name)) {
        String what = file.at(object) + "attribute '" + name + "'";
        if (check(hdf5.H5Aexists_by_name(file.idToWrite(), place, key, DEFAULT), what) > 0) {
          check(hdf5.H5Adelete_by_name(file.idToWrite(), place, key, DEFAULT), what);
        }
      }
    }
  }

  private Hdf5Dataset createList(String name, ElementType type, int count) {
    return file.createDataset(list(name), type, count);
  }

  /** Writes an attribute, a scalar without extents. */
  private void write(String name, NativeValues values, long... extents) {
    String what = file.at(object) + "writing attribute '" + name + "'";
    synchronized (LOCK) {
      try (values;
          BytePointer place = text(object);
          BytePointer key = text(name);
          Handle space = Handle.space(extents);
          Handle properties = Handle.properties(hdf5.H5P_CLS_ATTRIBUTE_CREATE_ID_g())) {
        delete(name);
        check(hdf5.H5Pset_char_encoding(properties.id(), hdf5.H5T_CSET_UTF8), what);
        try (Handle attribute =
            new Handle(
                hdf5.H5Acreate_by_name(
                    file.idToWrite(),
                    place,
                    key,
                    Hdf5Library.fileType(values.type()),
                    space.id(),
                    properties.id(),
                    DEFAULT,
                    DEFAULT),
                what,
                hdf5::H5Aclose)) {
          check(
              hdf5.H5Awrite(
                  attribute.id(), Hdf5Library.memoryType(values.type()), values.pointer()),
              what);
        }
      }
    }
  }
}
