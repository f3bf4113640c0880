package org.starlingqcd.hadron.chroma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
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
    double[] numbers = new double[Math.toIntExact(part / Double.BYTES)];
    for (int k = 0; k < parts.length; k++) {
      FiledbFile.Pointer pointer = parts[k];
      if (pointer == null) {
        throw new DistillationException(path() + ": " + block + " is missing");
      }
      String what =
          parts.length == 1
              ? block.toString()
              : block
                  + ", spins (sink, source) = ("
                  + k / SdbContents.SPINS
                  + ", "
                  + k % SdbContents.SPINS
                  + ")";
      byte[] value = file.value(pointer, what);
      if (block instanceof DataBlock.Perambulator) {
        readTransposed(value, numbers, what);
      } else {
        readElemental(value, numbers, what);
      }
      target.put((offset + k * part) / Double.BYTES, numbers, 0, numbers.length);
    }
  }

  private void readTransposed(byte[] value, double[] numbers, String what) {
    ByteBuffer in = ByteBuffer.wrap(value);
    expectLength(value, numbers, what);
    if (in.getInt() != n || in.getInt() != n) {
      throw unexpected(what, "is not of " + n + " x " + n + " numbers");
    }
    for (int j0 = 0; j0 < n; j0 += TILE) {
      int end = Math.min(n, j0 + TILE);
      for (int i = 0; i < n; i++) {
        for (int j = j0; j < end; j++) {
          int from = VALUE_HEADER + (j * n + i) * (int) TensorShape.COMPLEX_BYTES;
          int to = 2 * (i * n + j);
          numbers[to] = (double) DOUBLES.get(value, from);
          numbers[to + 1] = (double) DOUBLES.get(value, from + Double.BYTES);
        }
      }
    }
  }

  private void readElemental(byte[] value, double[] numbers, String what) {
    if (value.length < Integer.BYTES) {
      throw unexpected(what, "has " + value.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    int type = in.getInt();
    if (type == ZERO || type == ONE || type == MINUS_ONE) {
      // Whether numbers follow is up to the writer.
      Arrays.fill(numbers, 0);
      for (int k = 0; type != ZERO && k < numbers.length; k += 2 * (n + 1)) {
        numbers[k] = type;
      }
      return;
    }
    expectLength(value, numbers, what);
    if (in.getInt() != n) {
      throw unexpected(what, "is not of " + n + " eigenvectors");
    }
    in.asDoubleBuffer().get(numbers);
  }

  private void expectLength(byte[] value, double[] numbers, String what) {
    long expected = VALUE_HEADER + (long) numbers.length * Double.BYTES;
    if (value.length != expected) {
      throw unexpected(what, "has " + value.length + " bytes, expected " + expected);
    }
  }

  private DistillationException unexpected(String what, String found) {
    return new DistillationException(path() + ": " + what + ": the value " + found);
  }

  @Override
  public void close() {
    file.close();
  }
}
