package org.starlingqcd.hadron.chroma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators or elementals of one SDB file.
 *
 * <p>A perambulator is 16 values, one for each pair of spins: N, N, and N² complex numbers with the
 * source vector outside and the sink vector inside. An elemental is one value: the type of its
 * data, N, and N² or N³ complex numbers, row-major. Numbers are big-endian doubles.
 */
final class SdbSource implements BlockSource {
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);

  private static final int VALUE_HEADER = 2 * Integer.BYTES;

  /** What the first integer of an elemental says. */
  private static final int ZERO = 0;

  private static final int ONE = 1;
  private static final int MINUS_ONE = -1;

  /** The type of derivatives, and of all other data beside them. */
  static final int DERIVATIVE = 11;

  /** Rows of a matrix that are transposed together; their lines stay in the first-level cache. */
  private static final int TILE = 16;

  /** Bytes of a value from which several threads share the values of a block. */
  private static final long LEAST_SHARED = 1 << 14;

  /** Doubles between rows, since lines at a distance of a power of two displace each other. */
  private static final int PADDING = 8;

  private final FiledbFile file;
  private final SdbContents contents;
  private final PartialHeader header;
  private final BlockCatalog catalog;
  private final int n;

  private SdbSource(FiledbFile file, SdbContents contents, PartialHeader header, int n) {
    this.file = file;
    this.contents = contents;
    this.header = header;
    this.catalog = contents.catalog();
    this.n = n;
  }

  /**
   * Opens a file.
   *
   * @throws DistillationException when it is damaged
   */
  static SdbSource open(
      Path path,
      PartialHeader header,
      SdbContents.Kind kind,
      boolean derivatives,
      IndexCache cache) {
    FiledbFile file = FiledbFile.open(path);
    try {
      SdbContents contents = new SdbContents(path, kind, derivatives);
      long found = cache.walk(file, contents);
      if (found < file.header().keys()) {
        throw new DistillationException(
            path
                + ": the header of this SDB file counts "
                + file.header().keys()
                + " keys, its pages hold "
                + found
                + "; the file is cut short or was not closed by its writer");
      }
      Integer n = header.eigenvectors();
      return new SdbSource(file, contents, header, n == null ? 0 : n);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * What the first value that is long enough says.
   *
   * @param type for an elemental, the type of its data
   * @param eigenvectors N
   */
  record First(int type, int eigenvectors) {}

  /**
   * Looks at the first value that is long enough; null when there is none.
   *
   * @throws DistillationException when a page is damaged
   */
  static @Nullable First first(FiledbFile file) {
    @Nullable First[] found = new @Nullable First[1];
    file.walk(
        (key, pointer) -> {
          byte[] begin = file.beginning(pointer, VALUE_HEADER, "the first value");
          if (begin.length == VALUE_HEADER) {
            ByteBuffer in = ByteBuffer.wrap(begin);
            found[0] = new First(in.getInt(), in.getInt());
            int n = found[0].eigenvectors();
            if (n < 1 || n > 1 << 16) {
              throw new DistillationException(
                  file.path() + ": a value is one of " + n + " eigenvectors; the file is damaged");
            }
          }
          return found[0] == null;
        });
    return found[0];
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public PartialHeader header() {
    return header;
  }

  @Override
  public BlockCatalog blocks() {
    return catalog;
  }

  @Override
  public void read(DataBlock block, HostMemory target, long offset) {
    FiledbFile.@Nullable Pointer[] parts = contents.pointers(block);
    long part = block.shape(n).bytes() / parts.length;
    if (part < LEAST_SHARED) {
      for (int k = 0; k < parts.length; k++) {
        read(block, parts, k, target, offset + k * part);
      }
    } else {
      // Checksum, byte order and transposition cost more than the reading itself.
      IntStream.range(0, parts.length)
          .parallel()
          .forEach(k -> read(block, parts, k, target, offset + k * part));
    }
  }

  private void read(
      DataBlock block,
      FiledbFile.@Nullable Pointer[] parts,
      int k,
      HostMemory target,
      long offset) {
    FiledbFile.Pointer pointer = parts[k];
    if (pointer == null) {
      throw new DistillationException(path() + ": " + block + " is missing");
    }
    long at = offset / Double.BYTES;
    if (block instanceof DataBlock.Perambulator) {
      readTransposed(pointer, target, at, new SpinPart(block, k));
    } else {
      readElemental(pointer, target, at, (int) (block.shape(n).bytes() / Double.BYTES), block);
    }
  }

  /** One pair of spins of a perambulator, for messages. */
  private record SpinPart(DataBlock block, int spins) {
    @Override
    public String toString() {
      return block
          + ", spins (sink, source) = ("
          + spins / SdbContents.SPINS
          + ", "
          + spins % SdbContents.SPINS
          + ")";
    }
  }

  /** Arrays that a thread keeps, so that they are neither allocated nor cleared for each value. */
  private static final class Scratch {
    private byte[] value = {};
    private double[] rows = {};

    byte[] value(int length) {
      if (value.length < length) {
        value = new byte[length];
      }
      return value;
    }

    double[] rows(int length) {
      if (rows.length < length) {
        rows = new double[length];
      }
      return rows;
    }
  }

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private void readTransposed(
      FiledbFile.Pointer pointer, HostMemory target, long index, Object what) {
    expectLength(pointer, 2L * n * n, what);
    byte[] value = SCRATCH.get().value((int) pointer.length());
    file.value(pointer, value, what);
    ByteBuffer in = ByteBuffer.wrap(value);
    int height = in.getInt();
    int width = in.getInt();
    if (height != n || width != n) {
      throw unexpected(what, "is not of " + n + " x " + n + " numbers");
    }
    DoubleBuffer out = target.pointer().getPointer(index).capacity(2L * n * n).asBuffer();
    int stride = 2 * n + PADDING;
    double[] rows = SCRATCH.get().rows(TILE * stride);
    for (int i0 = 0; i0 < n; i0 += TILE) {
      int count = Math.min(n - i0, TILE);
      for (int j = 0; j < n; j++) {
        int from = VALUE_HEADER + (j * n + i0) * TensorShape.COMPLEX_BYTES;
        int to = 2 * j;
        for (int i = 0; i < count; i++) {
          rows[to] = (double) DOUBLES.get(value, from);
          rows[to + 1] = (double) DOUBLES.get(value, from + Double.BYTES);
          from += TensorShape.COMPLEX_BYTES;
          to += stride;
        }
      }
      for (int i = 0; i < count; i++) {
        out.put(2 * (i0 + i) * n, rows, i * stride, 2 * n);
      }
    }
  }

  private void readElemental(
      FiledbFile.Pointer pointer, HostMemory target, long index, int count, Object what) {
    if (pointer.length() < Integer.BYTES) {
      throw unexpected(what, "has " + pointer.length() + " bytes");
    }
    byte[] value = file.value(pointer, what);
    double[] numbers = new double[count];
    ByteBuffer in = ByteBuffer.wrap(value);
    int type = in.getInt();
    if (type == ZERO || type == ONE || type == MINUS_ONE) {
      // Whether numbers follow is up to the writer.
      for (int k = 0; type != ZERO && k < numbers.length; k += 2 * (n + 1)) {
        numbers[k] = type;
      }
    } else {
      expectLength(pointer, count, what);
      if (in.getInt() != n) {
        throw unexpected(what, "is not of " + n + " eigenvectors");
      }
      in.asDoubleBuffer().get(numbers);
    }
    target.put(index, numbers, 0, count);
  }

  private void expectLength(FiledbFile.Pointer pointer, long doubles, Object what) {
    long expected = VALUE_HEADER + doubles * Double.BYTES;
    if (pointer.length() != expected) {
      throw unexpected(what, "has " + pointer.length() + " bytes, expected " + expected);
    }
  }

  private DistillationException unexpected(Object what, String found) {
    return new DistillationException(path() + ": " + what + ": the value " + found);
  }

  @Override
  public void close() {
    file.close();
  }
}
