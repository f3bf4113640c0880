package org.starlingqcd.hadron.hdf5;

import static org.starlingqcd.hadron.hdf5.Hdf5Library.ALL;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import io.jhdf.api.Dataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;
import org.starlingqcd.hadron.hdf5.Hdf5Library.NativeValues;

/**
 * A dataset of numbers, read and written by hyperslab: {@code start} and {@code count} along each
 * axis, row-major. A complex number is two doubles, real part first. Several threads may read.
 * Closing the file closes its datasets too.
 */
public final class Hdf5Dataset implements AutoCloseable {
  /** Bytes of unpacked chunks that are kept unless another number is asked for. */
  static final long DEFAULT_CACHE = 1 << 20;

  private static final int COMPLEX_BYTES = 16;
  private static final long NOT_WRITTEN = -1;

  private final Hdf5File file;
  private final String object;
  private final ElementType type;
  private final long[] extents;
  private final long cacheBytes;

  /** The C library's identifier, once something is written. */
  private long id;

  private @Nullable StoredElements stored;

  /** Checksums of equal parts, one after the other; empty where there are none, null at first. */
  private long @Nullable [] sums;

  /** The checksums of parts, once one was written. */
  private @Nullable Hdf5Dataset written;

  private boolean open = true;

  private Hdf5Dataset(
      Hdf5File file, String object, ElementType type, long[] extents, long cacheBytes, long id) {
    this.file = file;
    this.object = object;
    this.type = type;
    this.extents = extents;
    this.cacheBytes = cacheBytes;
    this.id = id;
  }

  static Hdf5Dataset open(Hdf5File file, String object, long cacheBytes) {
    StoredElements stored = stored(file, object, cacheBytes);
    ElementType type = stored.elements().type();
    Hdf5Dataset dataset =
        new Hdf5Dataset(file, object, type, stored.extents(), cacheBytes, NOT_WRITTEN);
    dataset.stored = file.isWritable() ? null : stored;
    return dataset;
  }

  private static StoredElements stored(Hdf5File file, String object, long cacheBytes) {
    Hdf5File.Found found = file.find(object);
    if (found == null || !(found.node() instanceof Dataset)) {
      throw new Hdf5Exception(file.at(object) + "no such dataset");
    }
    return Hdf5File.reading(file.at(object), () -> new StoredElements(found, cacheBytes));
  }

  static Hdf5Dataset create(
      Hdf5File file, String object, ElementType type, long[] extents, DatasetOptions options) {
    synchronized (LOCK) {
      String what = file.at(object) + "create";
      file.createParents(object);
      try (BytePointer name = text(object);
          Handle links = Hdf5File.links();
          Handle space = Handle.space(extents);
          Handle creation = Hdf5File.withoutTimes(hdf5.H5P_CLS_DATASET_CREATE_ID_g())) {
        long[] chunks = options.chunks().stream().mapToLong(Long::longValue).toArray();
        if (chunks.length > 0) {
          check(hdf5.H5Pset_chunk(creation.id(), chunks.length, chunks), what);
          if (options.shuffle()) {
            check(hdf5.H5Pset_shuffle(creation.id()), what);
          }
          if (options.deflate() > 0) {
            check(hdf5.H5Pset_deflate(creation.id(), options.deflate()), what);
          }
        }
        long id =
            check(
                hdf5.H5Dcreate2(
                    file.idToWrite(),
                    name,
                    Hdf5Library.fileType(type),
                    space.id(),
                    links.id(),
                    creation.id(),
                    DEFAULT),
                what);
        return new Hdf5Dataset(file, object, type, extents.clone(), DEFAULT_CACHE, id);
      }
    }
  }

  /** Its path in the file. */
  public String name() {
    return object;
  }

  /** Its extents; none for a scalar. */
  public long[] extents() {
    return extents.clone();
  }

  /** What its elements are. */
  public ElementType type() {
    return type;
  }

  /** The extents of its chunks, none when it is not chunked. */
  public long[] chunks() {
    return stored().chunk();
  }

  /** Whether its chunks pass through a filter such as compression. */
  public boolean isFiltered() {
    return stored().isFiltered();
  }

  /** The attributes of this dataset. */
  public Hdf5Attributes attributes() {
    return file.attributes(object);
  }

  /** Where the elements lie; of a file that is written, as it is now. */
  private StoredElements stored() {
    ensureOpen();
    StoredElements known = stored;
    return known == null ? stored(file, object, cacheBytes) : known;
  }

  /** Reads a hyperslab of real or complex numbers to byte {@code offset} of {@code target}. */
  public void read(long[] start, long[] count, HostMemory target, long offset) {
    checkRoom(count, target, offset);
    checkSelection(start, count);
    StoredElements from = stored();
    read(from, start, count, target, offset);
    long[] known = sums(from);
    int axes = leadingAxes(known.length);
    if (axes >= 0 && coversParts(axes, count)) {
      checkParts(known, axes, start, count, sums(axes, count, target, offset));
    }
  }

  /** How many first axes have so many indices; negative for none, when there are no checksums. */
  private int leadingAxes(long parts) {
    int axes = 0;
    for (long product = 1; parts > 0 && product < parts; axes++) {
      product *= extents[axes];
    }
    return parts > 0 ? axes : -1;
  }

  /** Whether a selection is one of first indices alone. */
  private boolean coversParts(int axes, long[] count) {
    return Arrays.equals(count, axes, count.length, extents, axes, extents.length);
  }

  /** The checksums of the parts of a selection, which lies in memory. */
  private long[] sums(int axes, long[] count, HostMemory memory, long offset) {
    long[] found = new long[(int) size(Arrays.copyOf(count, axes))];
    long part = size(Arrays.copyOfRange(extents, axes, extents.length));
    long bytes = (type == ElementType.COMPLEX ? 2 * part : part) * Double.BYTES;
    Arrays.setAll(found, k -> Checksums.of(memory, offset + k * bytes, bytes));
    return found;
  }

  private void checkParts(long[] known, int axes, long[] start, long[] count, long[] found) {
    for (int at = 0; at < found.length; at++) {
      long part = 0;
      long below = found.length;
      long left = at;
      long[] index = new long[axes];
      for (int k = 0; k < axes; k++) {
        below /= count[k];
        index[k] = start[k] + left / below;
        part = part * extents[k] + index[k];
        left %= below;
      }
      if (known[(int) part] != found[at]) {
        throw mismatch(axes == 0 ? "" : " of part " + Arrays.toString(index));
      }
    }
  }

  private Hdf5Exception mismatch(String part) {
    String sums = Checksums.GROUP + "/" + object;
    return Checksums.mismatch(
        file.at(object) + "values" + part,
        file.exists(sums) ? "'" + sums + "'" : "its attribute '" + Checksums.ATTRIBUTE + "'");
  }

  /** The checksums of a file that is read; of none for numbers that do not lie as in memory. */
  private synchronized long[] sums(StoredElements from) {
    long[] known = sums;
    if (known == null) {
      known = new long[0];
      if (file.isChecksummed() && !file.isWritable() && size(extents) > 0) {
        String name = Checksums.GROUP + "/" + object;
        if (attributes().has(Checksums.ATTRIBUTE)) {
          known = attributes().integers(Checksums.ATTRIBUTE);
        } else if (!object.startsWith(Checksums.GROUP + "/") && file.exists(name)) {
          try (Hdf5Dataset dataset = file.dataset(name)) {
            known = dataset.readIntegers();
          }
        }
        boolean number = type == ElementType.REAL || type == ElementType.COMPLEX;
        if (number && !from.elements().isPlain()) {
          known = new long[0];
        }
      }
      sums = known;
    }
    return known;
  }

  /** Compares all values with their checksum. */
  private void checkWhole(StoredElements from, LongSupplier found) {
    long[] known = sums(from);
    if (known.length == 1 && known[0] != found.getAsLong()) {
      throw mismatch("");
    }
  }

  private void read(
      StoredElements from, long[] start, long[] count, HostMemory target, long offset) {
    long elements = size(count);
    int bytes = from.elements().doubles() * Double.BYTES;
    if (elements * Math.max(bytes, from.elements().width()) > StoredElements.MOST_BYTES) {
      int axis = 0;
      while (count[axis] == 1) {
        axis++;
      }
      long[] begin = start.clone();
      long[] part = count.clone();
      for (long half : new long[] {count[axis] / 2, count[axis] - count[axis] / 2}) {
        part[axis] = half;
        read(
            from,
            begin,
            part,
            target,
            offset + (begin[axis] - start[axis]) * size(part) / half * bytes);
        begin[axis] += half;
      }
    } else if (from.elements().isPlain()) {
      raw(from, start, count, target.bytes(offset, (int) elements * bytes));
    } else {
      double[] numbers = numbers(from, elements(from, start, count), (int) size(count));
      target.put(offset / Double.BYTES, numbers, 0, numbers.length);
    }
  }

  /** Fills a buffer with the elements of a selection, as they lie in the file. */
  private void raw(StoredElements from, long[] start, long[] count, ByteBuffer target) {
    if (!target.hasRemaining()) {
      return;
    }
    Hdf5File.reading(
        block("reading", start, count) + ": ",
        () -> {
          try {
            from.read(start, count, target);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return target;
        });
  }

  private String block(String use, long[] start, long[] count) {
    return "%s%s block %s of extents %s"
        .formatted(file.at(object), use, Arrays.toString(start), Arrays.toString(count));
  }

  private double[] numbers(StoredElements from, ByteBuffer bytes, int count) {
    return Hdf5File.reading(file.at(object), () -> from.elements().reals(bytes, count));
  }

  private ByteBuffer elements(StoredElements from, long[] start, long[] count) {
    ByteBuffer bytes = ByteBuffer.allocate(atOnce(size(count), from.elements().width()));
    raw(from, start, count, bytes.slice());
    return bytes;
  }

  /** Reads a hyperslab of real or complex numbers; {@code count} of none for a scalar. */
  public double[] read(long[] start, long[] count) {
    checkSelection(start, count);
    StoredElements from = stored();
    if (type == ElementType.STRING || type == ElementType.OTHER) {
      throw new IllegalArgumentException("a dataset of it cannot be read: type=" + type);
    }
    double[] result = new double[doubles(count)];
    if (!from.elements().isPlain()
        && size(count) * from.elements().width() <= StoredElements.MOST_BYTES) {
      return numbers(from, elements(from, start, count), (int) size(count));
    }
    try (HostMemory memory = HostMemory.allocate((long) result.length * Double.BYTES)) {
      read(start, count, memory, 0);
      memory.get(0, result, 0, result.length);
    }
    return result;
  }

  /** Reads everything: real or complex numbers. */
  public double[] readAll() {
    return read(new long[extents.length], extents);
  }

  /** Reads everything: integers. */
  public long[] readIntegers() {
    expect(ElementType.INTEGER);
    StoredElements from = stored();
    int count = atOnce(size(extents), 1);
    ByteBuffer bytes = elements(from, new long[extents.length], extents);
    checkWhole(from, () -> Checksums.of(bytes));
    return Hdf5File.reading(file.at(object), () -> from.elements().integers(bytes, count));
  }

  /** Reads everything: strings. */
  public List<String> readStrings() {
    expect(ElementType.STRING);
    StoredElements from = stored();
    int count = atOnce(size(extents), 1);
    ByteBuffer bytes = elements(from, new long[extents.length], extents);
    List<String> strings =
        Hdf5File.reading(
            file.at(object), () -> from.elements().strings(bytes, count, from.storage()));
    checkWhole(from, () -> Checksums.of(strings));
    return strings;
  }

  /** Writes everything: strings. */
  public void writeStrings(List<String> strings) {
    expect(ElementType.STRING);
    checkCount("strings", strings.size(), size(extents));
    synchronized (LOCK) {
      try (NativeValues values = NativeValues.of(strings)) {
        write(new long[extents.length], extents, values.pointer());
        putSum(Checksums.of(strings));
      }
    }
  }

  /** Writes a hyperslab of real or complex numbers from byte {@code offset} of {@code source}. */
  public void write(long[] start, long[] count, HostMemory source, long offset) {
    checkRoom(count, source, offset);
    write(start, count, source.pointer().getPointer(offset / Double.BYTES));
    putSums(start, count, source, offset);
  }

  /** Writes the checksums of a selection; drops those of parts that it does not cover. */
  private void putSums(long[] start, long[] count, HostMemory source, long offset) {
    if (!file.isChecksummed()) {
      return;
    }
    String name = Checksums.GROUP + "/" + object;
    Hdf5Dataset known = written;
    if (known == null && file.exists(name)) {
      known = file.dataset(name);
      written = known;
    }
    int axes = known == null ? 0 : known.extents.length;
    if (coversParts(axes, count)) {
      long[] found = sums(axes, count, source, offset);
      if (known == null) {
        putSum(found[0]);
      } else {
        known.writeIntegers(Arrays.copyOf(start, axes), Arrays.copyOf(count, axes), found);
      }
    } else if (known != null) {
      written = null;
      known.close();
      file.delete(name);
    } else {
      attributes().delete(Checksums.ATTRIBUTE);
    }
  }

  private void putSum(long sum) {
    if (file.isChecksummed() && !object.startsWith(Checksums.GROUP + "/")) {
      attributes().put(Checksums.ATTRIBUTE, sum);
    }
  }

  /** Writes a hyperslab of real or complex numbers. */
  public void write(long[] start, long[] count, double[] values) {
    checkCount("doubles", values.length, doubles(count));
    try (HostMemory memory = HostMemory.allocate((long) values.length * Double.BYTES)) {
      memory.put(0, values, 0, values.length);
      write(start, count, memory, 0);
    }
  }

  /** Writes everything: real or complex numbers. */
  public void writeAll(double[] values) {
    write(new long[extents.length], extents, values);
  }

  /** Writes everything: integers. */
  public void writeIntegers(long[] values) {
    writeIntegers(new long[extents.length], extents, values);
    putSum(Checksums.of(values));
  }

  private void writeIntegers(long[] start, long[] count, long[] values) {
    expect(ElementType.INTEGER);
    checkCount("integers", values.length, size(count));
    try (NativeValues numbers = NativeValues.of(values)) {
      write(start, count, numbers.pointer());
    }
  }

  private void write(long[] start, long[] count, Pointer memory) {
    checkSelection(start, count);
    ensureOpen();
    if (size(count) == 0) {
      return;
    }
    synchronized (LOCK) {
      long file = idToWrite();
      try (Handle space = new Handle(hdf5.H5Dget_space(file), "H5Dget_space", hdf5::H5Sclose);
          Handle selected = Handle.space(count)) {
        String what = block("writing", start, count);
        boolean scalar = extents.length == 0;
        if (!scalar) {
          check(
              hdf5.H5Sselect_hyperslab(
                  space.id(), hdf5.H5S_SELECT_SET, start, null, count, (long[]) null),
              what);
        }
        // Checked here, because closing a handle clears the library's error stack.
        check(
            hdf5.H5Dwrite(
                file,
                Hdf5Library.memoryType(type),
                scalar ? ALL : selected.id(),
                scalar ? ALL : space.id(),
                DEFAULT,
                memory),
            what);
      }
    }
  }

  /** The C library's identifier, for a call that changes the dataset. */
  private long idToWrite() {
    long place = file.idToWrite();
    if (id == NOT_WRITTEN) {
      try (BytePointer name = text(object)) {
        id = check(hdf5.H5Dopen2(place, name, DEFAULT), file.at(object) + "open");
      }
    }
    return id;
  }

  private void checkCount(String what, long found, long expected) {
    if (found != expected) {
      throw new IllegalArgumentException(
          file.at(object) + "expected " + expected + " " + what + ": found=" + found);
    }
  }

  private void checkSelection(long[] start, long[] count) {
    boolean inside = start.length == extents.length && count.length == extents.length;
    for (int k = 0; inside && k < extents.length; k++) {
      inside = start[k] >= 0 && count[k] >= 0 && start[k] <= extents[k] - count[k];
    }
    if (!inside) {
      throw new IndexOutOfBoundsException(
          "%sblock outside of extents %s: start=%s count=%s"
              .formatted(
                  file.at(object),
                  Arrays.toString(extents),
                  Arrays.toString(start),
                  Arrays.toString(count)));
    }
  }

  private void checkRoom(long[] count, HostMemory memory, long offset) {
    int width = type == ElementType.COMPLEX ? COMPLEX_BYTES : Double.BYTES;
    boolean fits = offset >= 0 && size(count) <= (memory.bytes() - offset) / width;
    if (!fits || offset % Double.BYTES != 0) {
      throw new IndexOutOfBoundsException(
          "%s%s numbers of %s bytes at offset %s of %s bytes"
              .formatted(file.at(object), Arrays.toString(count), width, offset, memory.bytes()));
    }
  }

  private int doubles(long[] count) {
    return atOnce(size(count), type == ElementType.COMPLEX ? 2 : 1);
  }

  /** The number of values of so many elements, which one array is to hold. */
  private int atOnce(long elements, int values) {
    if (elements > Integer.MAX_VALUE / values) {
      throw new Hdf5Exception(
          "%sextents %s are of more numbers than can be read at once"
              .formatted(file.at(object), Arrays.toString(extents)));
    }
    return (int) elements * values;
  }

  /** The product of extents; the largest number instead of a larger one. */
  private static long size(long[] count) {
    long size = 1;
    for (long extent : count) {
      size = extent != 0 && size > Long.MAX_VALUE / extent ? Long.MAX_VALUE : size * extent;
    }
    return size;
  }

  private void expect(ElementType expected) {
    if (type != expected) {
      throw new Hdf5Exception(
          file.at(object) + "expected elements of type " + expected + ", found " + type);
    }
  }

  private void ensureOpen() {
    if (!open || !file.isOpen()) {
      throw new IllegalStateException(file.at(object) + "is closed");
    }
  }

  @Override
  public void close() {
    StoredElements known = stored;
    if (known != null) {
      known.close();
      stored = null;
    }
    Hdf5Dataset sumsWritten = written;
    if (sumsWritten != null) {
      written = null;
      sumsWritten.close();
    }
    if (!open || !file.isOpen() || id == NOT_WRITTEN) {
      open = false;
      return;
    }
    synchronized (LOCK) {
      // Chunks are written from their cache now; other values were written at once.
      file.flushed(hdf5::H5Dflush, id, file.at(object) + "close");
      open = false;
      check(hdf5.H5Dclose(id), file.at(object) + "close");
      file.checkWritten();
    }
  }
}
