package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.ALL;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * A dataset of numbers, read and written by hyperslab: {@code start} and {@code count} along each
 * axis, row-major. A complex number is two doubles, real part first. Closing the file closes its
 * datasets too.
 *
 * <p>This class has more than 400 lines because every type of number is read and written by
 * hyperslab and as a whole.
 */
public final class Hdf5Dataset implements AutoCloseable {
  /** The library's own cache of 1 MiB. */
  static final long DEFAULT_CACHE = -1;

  private static final int COMPLEX_BYTES = 16;

  /** Slots of a chunk cache; a prime well above the number of chunks that fit. */
  private static final long CACHE_SLOTS = 100_003;

  /** Caches up to this size have the library's own number of slots. */
  private static final long SMALL_CACHE = 1 << 20;

  private static final long SMALL_CACHE_SLOTS = 521;

  /** Threads that read through the library, or wait for its lock. */
  private static final AtomicInteger READING = new AtomicInteger();

  private final Hdf5File file;
  private final String object;
  private final long id;
  private final long[] extents;
  private final ElementType type;
  private final long memoryType;
  private @Nullable RawDataset raw;
  private boolean rawIsKnown;
  private boolean open = true;

  private Hdf5Dataset(
      Hdf5File file, String object, long id, long[] extents, ElementType type, long memoryType) {
    this.file = file;
    this.object = object;
    this.id = id;
    this.extents = extents;
    this.type = type;
    this.memoryType = memoryType;
  }

  static Hdf5Dataset open(Hdf5File file, String object, long chunkCacheBytes) {
    synchronized (LOCK) {
      long id = opened(file, object, chunkCacheBytes);
      try (Handle type = Handle.type(hdf5.H5Dget_type(id), "H5Dget_type")) {
        ElementType elements = Hdf5Types.elementType(type.id());
        return new Hdf5Dataset(
            file, object, id, extentsOf(id), elements, Hdf5Types.memoryType(type.id(), elements));
      }
    }
  }

  private static long opened(Hdf5File file, String object, long chunkCacheBytes) {
    long id;
    try (BytePointer name = text(object)) {
      if (chunkCacheBytes == DEFAULT_CACHE) {
        id = hdf5.H5Dopen2(file.id(), name, DEFAULT);
      } else {
        try (Handle access =
            Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_DATASET_ACCESS_ID_g()), "H5Pcreate")) {
          check(
              hdf5.H5Pset_chunk_cache(
                  access.id(),
                  chunkCacheBytes <= SMALL_CACHE ? SMALL_CACHE_SLOTS : CACHE_SLOTS,
                  chunkCacheBytes,
                  1.0),
              "H5Pset_chunk_cache");
          id = hdf5.H5Dopen2(file.id(), name, access.id());
        }
      }
    }
    if (id < 0) {
      String reason = Hdf5Library.reason();
      throw new Hdf5Exception(
          file.at(object)
              + (file.kind(object) == ObjectKind.DATASET
                  ? "open failed: " + reason
                  : "no such dataset"));
    }
    return id;
  }

  private static long[] extentsOf(long dataset) {
    try (Handle space = Handle.space(hdf5.H5Dget_space(dataset), "H5Dget_space")) {
      int rank = (int) check(hdf5.H5Sget_simple_extent_ndims(space.id()), "rank");
      long[] extents = new long[rank];
      check(hdf5.H5Sget_simple_extent_dims(space.id(), extents, (long[]) null), "extents");
      return extents;
    }
  }

  static Hdf5Dataset create(
      Hdf5File file, String object, ElementType type, long[] extents, DatasetOptions options) {
    synchronized (LOCK) {
      String what = file.at(object) + "create";
      file.createParents(object);
      try (BytePointer name = text(object);
          Handle links = Hdf5File.links();
          Handle space =
              Handle.space(
                  extents.length == 0
                      ? hdf5.H5Screate(hdf5.H5S_SCALAR)
                      : hdf5.H5Screate_simple(extents.length, extents, (long[]) null),
                  what);
          Handle creation =
              Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_DATASET_CREATE_ID_g()), "H5Pcreate")) {
        // Without time stamps, equal numbers give equal files.
        check(hdf5.H5Pset_obj_track_times(creation.id(), false), what);
        Hdf5File.keepAttributesTogether(creation.id());
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
                    file.id(),
                    name,
                    Hdf5Types.fileType(type),
                    space.id(),
                    links.id(),
                    creation.id(),
                    DEFAULT),
                what);
        return new Hdf5Dataset(file, object, id, extents.clone(), type, Hdf5Types.memoryType(type));
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
    synchronized (LOCK) {
      try (Handle creation =
          Handle.properties(hdf5.H5Dget_create_plist(id()), "H5Dget_create_plist")) {
        if (hdf5.H5Pget_layout(creation.id()) != hdf5.H5D_CHUNKED) {
          return new long[0];
        }
        long[] chunks = new long[extents.length];
        check(hdf5.H5Pget_chunk(creation.id(), chunks.length, chunks), "H5Pget_chunk");
        return chunks;
      }
    }
  }

  /** Whether its chunks pass through a filter such as compression. */
  public boolean isFiltered() {
    synchronized (LOCK) {
      try (Handle creation =
          Handle.properties(hdf5.H5Dget_create_plist(id()), "H5Dget_create_plist")) {
        return hdf5.H5Pget_nfilters(creation.id()) > 0;
      }
    }
  }

  /** Bytes it takes in the file; 0 when nothing was ever written to it. */
  public long storageBytes() {
    synchronized (LOCK) {
      return hdf5.H5Dget_storage_size(id());
    }
  }

  /** The attributes of this dataset. */
  public Hdf5Attributes attributes() {
    return file.attributes(object);
  }

  /** Reads a hyperslab of real or complex numbers to byte {@code offset} of {@code target}. */
  public void read(long[] start, long[] count, HostMemory target, long offset) {
    checkRoom(count, target, offset);
    checkSelection(start, count);
    RawDataset numbers = raw();
    // The library unpacks a chunk somewhat faster, for one thread at a time.
    boolean direct = numbers != null && (numbers.isPlain() || READING.get() > 0);
    if (!direct || numbers == null || !numbers.read(start, count, target, offset)) {
      readByLibrary(start, count, target, offset);
    }
  }

  /** Reads a hyperslab under the library's lock. */
  void readByLibrary(long[] start, long[] count, HostMemory target, long offset) {
    READING.incrementAndGet();
    try {
      transfer(start, count, target.pointer().getPointer(offset / Double.BYTES), true);
    } finally {
      READING.decrementAndGet();
    }
  }

  /** The numbers in the file itself; null where only the library can read them. */
  @Nullable RawDataset raw() {
    synchronized (LOCK) {
      id();
      if (!rawIsKnown) {
        rawIsKnown = true;
        RawFile bytes = file.raw();
        raw = bytes == null ? null : RawDataset.of(bytes, this::id, extents, memoryType);
      }
      return raw;
    }
  }

  /** Reads a hyperslab of real or complex numbers; {@code count} of none for a scalar. */
  public double[] read(long[] start, long[] count) {
    double[] result = new double[doubles(count)];
    try (DoublePointer values = new DoublePointer(Math.max(1, result.length))) {
      transfer(start, count, values, true);
      values.get(result);
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
    long[] result = new long[atOnce(size(extents), 1)];
    try (LongPointer values = new LongPointer(Math.max(1, result.length))) {
      transfer(new long[extents.length], extents, values, true);
      values.get(result);
    }
    return result;
  }

  /**
   * Reads everything: strings.
   *
   * @throws Hdf5Exception when the elements are no strings of variable length
   */
  public List<String> readStrings() {
    expect(ElementType.STRING);
    int count = atOnce(size(extents), 1);
    synchronized (LOCK) {
      List<String> strings = new ArrayList<>(count);
      try (Handle stored = Handle.type(hdf5.H5Dget_type(id()), "H5Dget_type");
          Handle space = Handle.space(hdf5.H5Dget_space(id()), "H5Dget_space");
          PointerPointer<BytePointer> values = new PointerPointer<>(Math.max(1, count))) {
        if (hdf5.H5Tis_variable_str(stored.id()) <= 0) {
          throw new Hdf5Exception(file.at(object) + "expected strings of variable length");
        }
        check(
            hdf5.H5Dread(id, stored.id(), ALL, ALL, DEFAULT, values), file.at(object) + "reading");
        for (int k = 0; k < count; k++) {
          Pointer value = values.get(k);
          strings.add(
              value == null || value.isNull() ? "" : new BytePointer(value).getString(UTF_8));
        }
        hdf5.H5Treclaim(stored.id(), space.id(), DEFAULT, values);
      }
      return strings;
    }
  }

  /** Writes everything: strings. */
  public void writeStrings(List<String> strings) {
    expect(ElementType.STRING);
    if (strings.size() != size(extents)) {
      throw new IllegalArgumentException(
          file.at(object) + "expected " + size(extents) + " strings: strings=" + strings.size());
    }
    synchronized (LOCK) {
      List<BytePointer> texts = strings.stream().map(Hdf5Library::text).toList();
      try (PointerPointer<BytePointer> pointers = new PointerPointer<>(Math.max(1, texts.size()))) {
        for (int k = 0; k < texts.size(); k++) {
          pointers.put(k, texts.get(k));
        }
        check(
            hdf5.H5Dwrite(id(), Hdf5Library.STRING, ALL, ALL, DEFAULT, pointers),
            file.at(object) + "writing");
      } finally {
        texts.forEach(BytePointer::close);
      }
    }
  }

  /** Writes a hyperslab of real or complex numbers from byte {@code offset} of {@code source}. */
  public void write(long[] start, long[] count, HostMemory source, long offset) {
    checkRoom(count, source, offset);
    transfer(start, count, source.pointer().getPointer(offset / Double.BYTES), false);
  }

  /** Writes a hyperslab of real or complex numbers. */
  public void write(long[] start, long[] count, double[] values) {
    if (values.length != doubles(count)) {
      throw new IllegalArgumentException(
          file.at(object) + "expected " + doubles(count) + " doubles: values=" + values.length);
    }
    try (DoublePointer pointer = new DoublePointer(Math.max(1, values.length))) {
      pointer.put(values, 0, values.length);
      transfer(start, count, pointer, false);
    }
  }

  /** Writes everything: real or complex numbers. */
  public void writeAll(double[] values) {
    write(new long[extents.length], extents, values);
  }

  /** Writes everything: integers. */
  public void writeIntegers(long[] values) {
    expect(ElementType.INTEGER);
    if (values.length != size(extents)) {
      throw new IllegalArgumentException(
          file.at(object) + "expected " + size(extents) + " integers: values=" + values.length);
    }
    try (LongPointer pointer = new LongPointer(Math.max(1, values.length))) {
      pointer.put(values, 0, values.length);
      transfer(new long[extents.length], extents, pointer, false);
    }
  }

  private void transfer(long[] start, long[] count, Pointer memory, boolean reading) {
    checkSelection(start, count);
    synchronized (LOCK) {
      id();
      if (size(count) == 0) {
        return;
      }
      if (extents.length == 0) {
        transfer(ALL, ALL, start, count, memory, reading);
        return;
      }
      try (Handle space = Handle.space(hdf5.H5Dget_space(id), "H5Dget_space");
          Handle block =
              Handle.space(
                  hdf5.H5Screate_simple(count.length, count, (long[]) null), "H5Screate_simple")) {
        check(
            hdf5.H5Sselect_hyperslab(
                space.id(), hdf5.H5S_SELECT_SET, start, null, count, (long[]) null),
            file.at(object) + "select");
        transfer(block.id(), space.id(), start, count, memory, reading);
      }
    }
  }

  /** The result is checked here, because closing a handle clears the library's error stack. */
  private void transfer(
      long block, long space, long[] start, long[] count, Pointer memory, boolean reading) {
    if (memoryType < 0) {
      throw new IllegalArgumentException("a dataset of it cannot be read: type=" + type);
    }
    int result =
        reading
            ? hdf5.H5Dread(id, memoryType, block, space, DEFAULT, memory)
            : hdf5.H5Dwrite(id, memoryType, block, space, DEFAULT, memory);
    if (result < 0) {
      check(
          result,
          file.at(object)
              + (reading ? "reading" : "writing")
              + " block "
              + Arrays.toString(start)
              + " of extents "
              + Arrays.toString(count));
    }
  }

  private void checkSelection(long[] start, long[] count) {
    boolean inside = start.length == extents.length && count.length == extents.length;
    for (int k = 0; inside && k < extents.length; k++) {
      inside = start[k] >= 0 && count[k] >= 0 && start[k] <= extents[k] - count[k];
    }
    if (!inside) {
      throw new IndexOutOfBoundsException(
          file.at(object)
              + "block outside of extents "
              + Arrays.toString(extents)
              + ": start="
              + Arrays.toString(start)
              + " count="
              + Arrays.toString(count));
    }
  }

  private void checkRoom(long[] count, HostMemory memory, long offset) {
    int width = type == ElementType.COMPLEX ? COMPLEX_BYTES : Double.BYTES;
    boolean fits = offset >= 0 && size(count) <= (memory.bytes() - offset) / width;
    if (!fits || offset % Double.BYTES != 0) {
      throw new IndexOutOfBoundsException(
          file.at(object)
              + Arrays.toString(count)
              + " numbers of "
              + width
              + " bytes at offset "
              + offset
              + " of "
              + memory.bytes()
              + " bytes");
    }
  }

  private int doubles(long[] count) {
    return atOnce(size(count), type == ElementType.COMPLEX ? 2 : 1);
  }

  /** The number of values of so many elements, which one array is to hold. */
  private int atOnce(long elements, int values) {
    if (elements > Integer.MAX_VALUE / values) {
      throw new Hdf5Exception(
          file.at(object)
              + "extents "
              + Arrays.toString(extents)
              + " are of more numbers than can be read at once");
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

  private long id() {
    if (!open || !file.isOpen()) {
      throw new IllegalStateException(file.at(object) + "is closed");
    }
    return id;
  }

  @Override
  public void close() {
    synchronized (LOCK) {
      if (open) {
        if (file.isOpen()) {
          // Chunks are written from their cache now; other values were written at once.
          if (file.isWritable() && chunks().length > 0) {
            file.flushed(hdf5::H5Dflush, id, file.at(object) + "close");
          }
          open = false;
          check(hdf5.H5Dclose(id), file.at(object) + "close");
          file.checkWritten();
        }
        open = false;
      }
    }
  }
}
