package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.hdf5.H5O_info2_t;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one object. Numbers are converted to the type asked for; strings may be of
 * fixed or variable length. Writing replaces an attribute of the same name.
 *
 * <p>An attribute has at most 64 KiB. A longer list of a group is a dataset of its name in the
 * group, which reading finds where there is no attribute.
 *
 * <p>This class has more than 400 lines because every type of value has a reader and a writer.
 */
public final class Hdf5Attributes implements RootValues {
  /** More elements than the attributes of any file that is read here have. */
  private static final int MOST = 1 << 24;

  private final Hdf5File file;
  private final String object;

  Hdf5Attributes(Hdf5File file, String object) {
    this.file = file;
    this.object = Hdf5File.isRoot(object) ? "/" : object;
  }

  /** Bytes of the values of an attribute that is no dataset; a part of the 64 KiB is its head. */
  private static final int MOST_BYTES = 60_000;

  /** Bytes of a string of variable length, without its characters. */
  private static final int STRING_BYTES = 16;

  /** Whether there is an attribute of this name, or a list too long for one. */
  @Override
  public boolean has(String name) {
    return isAttribute(name) || isList(name);
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

  private boolean isAttribute(String name) {
    synchronized (LOCK) {
      try (BytePointer place = text(object);
          BytePointer key = text(name)) {
        return check(
                hdf5.H5Aexists_by_name(file.id(), place, key, DEFAULT),
                file.at(object) + "attribute '" + name + "'")
            > 0;
      }
    }
  }

  /** The names, in ascending order. */
  public List<String> names() {
    synchronized (LOCK) {
      List<String> names = new ArrayList<>();
      try (BytePointer place = text(object);
          H5O_info2_t info = new H5O_info2_t()) {
        check(
            hdf5.H5Oget_info_by_name3(file.id(), place, info, hdf5.H5O_INFO_NUM_ATTRS, DEFAULT),
            file.at(object) + "H5Oget_info_by_name3");
        for (long k = 0; k < info.num_attrs(); k++) {
          names.add(nameAt(place, k));
        }
      }
      return names;
    }
  }

  private String nameAt(BytePointer place, long index) {
    byte[] bytes = new byte[256];
    while (true) {
      int size =
          (int)
              check(
                  hdf5.H5Aget_name_by_idx(
                      file.id(),
                      place,
                      hdf5.H5_INDEX_NAME,
                      hdf5.H5_ITER_INC,
                      index,
                      bytes,
                      bytes.length,
                      DEFAULT),
                  file.at(object) + "H5Aget_name_by_idx");
      if (size < bytes.length) {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
      }
      bytes = new byte[size + 1];
    }
  }

  /** What the elements of an attribute are. */
  public ElementType type(String name) {
    synchronized (LOCK) {
      if (!isAttribute(name) && isList(name)) {
        try (Hdf5Dataset values = file.dataset(list(name))) {
          return values.type();
        }
      }
      try (Handle attribute = openAttribute(name);
          Handle type = Handle.type(hdf5.H5Aget_type(attribute.id()), "H5Aget_type")) {
        return Hdf5Types.elementType(type.id());
      }
    }
  }

  /**
   * A string.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one string
   */
  @Override
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
    synchronized (LOCK) {
      if (!isAttribute(name) && isList(name)) {
        try (Hdf5Dataset values = file.dataset(list(name))) {
          return values.readStrings();
        }
      }
      try (Handle attribute = openAttribute(name);
          Handle type = Handle.type(hdf5.H5Aget_type(attribute.id()), "H5Aget_type");
          Handle space = Handle.space(hdf5.H5Aget_space(attribute.id()), "H5Aget_space")) {
        if (Hdf5Types.elementType(type.id()) != ElementType.STRING) {
          throw unexpected(name, "a string", "another type");
        }
        int count = count(attribute);
        return hdf5.H5Tis_variable_str(type.id()) > 0
            ? variableStrings(name, attribute, type, space, count)
            : fixedStrings(name, attribute, type, count);
      }
    }
  }

  private List<String> variableStrings(
      String name, Handle attribute, Handle type, Handle space, int count) {
    List<String> strings = new ArrayList<>(count);
    try (PointerPointer<BytePointer> values = new PointerPointer<>(Math.max(1, count))) {
      check(hdf5.H5Aread(attribute.id(), type.id(), values), failedRead(name));
      for (int k = 0; k < count; k++) {
        Pointer value = values.get(k);
        strings.add(
            value == null || value.isNull()
                ? ""
                : new BytePointer(value).getString(StandardCharsets.UTF_8));
      }
      hdf5.H5Treclaim(type.id(), space.id(), DEFAULT, values);
    }
    return strings;
  }

  private List<String> fixedStrings(String name, Handle attribute, Handle type, int count) {
    int size = (int) hdf5.H5Tget_size(type.id());
    boolean spaces = hdf5.H5Tget_strpad(type.id()) == hdf5.H5T_STR_SPACEPAD;
    byte[] bytes = new byte[fixedBytes(size, count)];
    try (BytePointer values = new BytePointer(Math.max(1, (long) bytes.length))) {
      check(hdf5.H5Aread(attribute.id(), type.id(), values), failedRead(name));
      values.get(bytes);
    }
    List<String> strings = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      int end = k * size;
      while (end < (k + 1) * size && bytes[end] != 0) {
        end++;
      }
      String value = new String(bytes, k * size, end - k * size, StandardCharsets.UTF_8);
      strings.add(spaces ? value.stripTrailing() : value);
    }
    return strings;
  }

  private int fixedBytes(int size, int count) {
    if (size < 0 || (long) size * count > MOST) {
      throw new Hdf5Exception(
          file.at(object) + "an attribute has strings of more than " + MOST + " bytes");
    }
    return size * count;
  }

  /**
   * An integer; a boolean is 0 or 1.
   *
   * @throws Hdf5Exception when there is no such attribute, or it is not one integer
   */
  @Override
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
    return integers(List.of(name)).get(0);
  }

  /**
   * Several arrays of integers; the object is looked up once for all of them.
   *
   * @return one array for each name
   * @throws Hdf5Exception as {@link #integers(String)}
   */
  public List<long[]> integers(List<String> names) {
    synchronized (LOCK) {
      List<long[]> arrays = new ArrayList<>();
      try (Handle owner = owner(names.get(0))) {
        for (String name : names) {
          try (Handle attribute = find(owner, name)) {
            if (attribute == null) {
              try (Hdf5Dataset values = longList(name)) {
                arrays.add(values.readIntegers());
              }
            } else {
              arrays.add(integers(name, attribute));
            }
          }
        }
      }
      return arrays;
    }
  }

  private long[] integers(String name, Handle attribute) {
    expect(name, attribute, "an integer", ElementType.INTEGER);
    int count = count(attribute);
    long[] result = new long[count];
    try (LongPointer values = new LongPointer(Math.max(1, count))) {
      check(hdf5.H5Aread(attribute.id(), hdf5.H5T_NATIVE_INT64_g(), values), failedRead(name));
      values.get(result);
    }
    return result;
  }

  /**
   * An array of real numbers, of any rank; integers are converted.
   *
   * @throws Hdf5Exception when there is no such attribute, or it holds no numbers
   */
  public double[] reals(String name) {
    synchronized (LOCK) {
      try (Handle attribute = openAttribute(name)) {
        expect(name, attribute, "a number", ElementType.REAL, ElementType.INTEGER);
        int count = count(attribute);
        double[] result = new double[count];
        try (DoublePointer values = new DoublePointer(Math.max(1, count))) {
          check(hdf5.H5Aread(attribute.id(), hdf5.H5T_NATIVE_DOUBLE_g(), values), failedRead(name));
          values.get(result);
        }
        return result;
      }
    }
  }

  /** Writes a string as variable-length UTF-8. */
  public void put(String name, String value) {
    writeStrings(name, List.of(value), true);
  }

  /** Writes an array of strings as variable-length UTF-8. */
  public void put(String name, List<String> values) {
    if (isTooLong(name, (long) values.size() * STRING_BYTES)) {
      try (Hdf5Dataset list = createList(name, ElementType.STRING, values.size())) {
        list.writeStrings(values);
      }
    } else {
      writeStrings(name, values, false);
    }
  }

  /** Writes a 64-bit integer. */
  public void put(String name, long value) {
    writeIntegers(name, new long[] {value}, true);
  }

  /** Writes an array of 64-bit integers. */
  public void put(String name, long[] values) {
    if (isTooLong(name, (long) values.length * Long.BYTES)) {
      try (Hdf5Dataset list = createList(name, ElementType.INTEGER, values.length)) {
        list.writeIntegers(values);
      }
    } else {
      writeIntegers(name, values, false);
    }
  }

  /** Writes an array of integers, stored with 64 bits. */
  public void put(String name, int[] values) {
    put(name, Arrays.stream(values).asLongStream().toArray());
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
      if (bytes > MOST_BYTES && isAttribute(name)) {
        delete(name);
      }
      return bytes > MOST_BYTES;
    }
  }

  private Hdf5Dataset createList(String name, ElementType type, int count) {
    return file.createDataset(list(name), type, new long[] {count}, DatasetOptions.CONTIGUOUS);
  }

  /** Writes a 64-bit floating-point number. */
  public void put(String name, double value) {
    writeReals(name, new double[] {value}, true);
  }

  /** Writes an array of 64-bit floating-point numbers. */
  public void put(String name, double[] values) {
    writeReals(name, values, false);
  }

  /** Removes an attribute. */
  public void delete(String name) {
    synchronized (LOCK) {
      try (BytePointer place = text(object);
          BytePointer key = text(name)) {
        check(
            hdf5.H5Adelete_by_name(file.id(), place, key, DEFAULT),
            file.at(object) + "deleting attribute '" + name + "'");
      }
    }
  }

  private void writeStrings(String name, List<String> values, boolean scalar) {
    synchronized (LOCK) {
      List<BytePointer> strings = values.stream().map(Hdf5Library::text).toList();
      try (PointerPointer<BytePointer> pointers =
          new PointerPointer<>(Math.max(1, strings.size()))) {
        for (int k = 0; k < strings.size(); k++) {
          pointers.put(k, strings.get(k));
        }
        write(name, Hdf5Library.STRING, Hdf5Library.STRING, pointers, values.size(), scalar);
      } finally {
        strings.forEach(BytePointer::close);
      }
    }
  }

  private void writeIntegers(String name, long[] values, boolean scalar) {
    try (LongPointer pointer = new LongPointer(Math.max(1, values.length))) {
      pointer.put(values, 0, values.length);
      write(
          name, hdf5.H5T_STD_I64LE_g(), hdf5.H5T_NATIVE_INT64_g(), pointer, values.length, scalar);
    }
  }

  private void writeReals(String name, double[] values, boolean scalar) {
    try (DoublePointer pointer = new DoublePointer(Math.max(1, values.length))) {
      pointer.put(values, 0, values.length);
      write(
          name,
          hdf5.H5T_IEEE_F64LE_g(),
          hdf5.H5T_NATIVE_DOUBLE_g(),
          pointer,
          values.length,
          scalar);
    }
  }

  private void write(
      String name, long fileType, long memoryType, Pointer values, int count, boolean scalar) {
    synchronized (LOCK) {
      if (isAttribute(name)) {
        delete(name);
      }
      String what = file.at(object) + "writing attribute '" + name + "'";
      try (BytePointer place = text(object);
          BytePointer key = text(name);
          Handle space =
              Handle.space(
                  scalar
                      ? hdf5.H5Screate(hdf5.H5S_SCALAR)
                      : hdf5.H5Screate_simple(1, new long[] {count}, (long[]) null),
                  "H5Screate");
          Handle properties =
              Handle.properties(
                  hdf5.H5Pcreate(hdf5.H5P_CLS_ATTRIBUTE_CREATE_ID_g()), "H5Pcreate")) {
        check(
            hdf5.H5Pset_char_encoding(properties.id(), hdf5.H5T_CSET_UTF8), "H5Pset_char_encoding");
        try (Handle attribute =
            Handle.attribute(
                hdf5.H5Acreate_by_name(
                    file.id(), place, key, fileType, space.id(), properties.id(), DEFAULT, DEFAULT),
                what)) {
          check(hdf5.H5Awrite(attribute.id(), memoryType, values), what);
        }
      }
    }
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
        throw new Hdf5Exception(
            file.at(object)
                + "attribute '"
                + name
                + "': expected numbers from -2147483648 to 2147483647, found "
                + value);
      }
    }
    return Arrays.stream(values).mapToInt(value -> (int) value).toArray();
  }

  private Handle openAttribute(String name) {
    try (Handle owner = owner(name)) {
      Handle attribute = find(owner, name);
      if (attribute == null) {
        throw missing(name);
      }
      return attribute;
    }
  }

  /** The object, open, for an attribute of it. */
  private Handle owner(String name) {
    try (BytePointer place = text(object)) {
      return Handle.object(
          hdf5.H5Oopen(file.id(), place, DEFAULT), file.at(object) + "attribute '" + name + "'");
    }
  }

  /** An attribute of the open object, or null. */
  private @Nullable Handle find(Handle owner, String name) {
    try (BytePointer key = text(name)) {
      return check(hdf5.H5Aexists(owner.id(), key), file.at(object) + "attribute '" + name + "'")
              > 0
          ? Handle.attribute(hdf5.H5Aopen(owner.id(), key, DEFAULT), failedRead(name))
          : null;
    }
  }

  /** The dataset that has a list of this name, which is too long for an attribute. */
  private Hdf5Dataset longList(String name) {
    if (!isList(name)) {
      throw missing(name);
    }
    return file.dataset(list(name));
  }

  private Hdf5Exception missing(String name) {
    return new Hdf5Exception(file.at(object) + "has no attribute '" + name + "'");
  }

  private void expect(String name, Handle attribute, String expected, ElementType... types) {
    try (Handle type = Handle.type(hdf5.H5Aget_type(attribute.id()), "H5Aget_type")) {
      if (!Arrays.asList(types).contains(Hdf5Types.elementType(type.id()))) {
        throw unexpected(name, expected, "another type");
      }
    }
  }

  private int count(Handle attribute) {
    try (Handle space = Handle.space(hdf5.H5Aget_space(attribute.id()), "H5Aget_space")) {
      long count = check(hdf5.H5Sget_simple_extent_npoints(space.id()), "extent of an attribute");
      if (count > MOST) {
        throw new Hdf5Exception(
            file.at(object) + "an attribute has " + count + " elements, expected at most " + MOST);
      }
      return (int) count;
    }
  }

  private String failedRead(String name) {
    return file.at(object) + "reading attribute '" + name + "'";
  }

  private Hdf5Exception unexpected(String name, String expected, String found) {
    return new Hdf5Exception(
        file.at(object) + "attribute '" + name + "': expected " + expected + ", found " + found);
  }
}
