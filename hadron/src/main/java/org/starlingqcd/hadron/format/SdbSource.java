package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.LongPointer;
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
  private static final int VALUE_HEADER = 2 * Integer.BYTES;

  /** What the first integer of an elemental says. */
  private static final int ZERO = 0;

  private static final int ONE = 1;
  private static final int MINUS_ONE = -1;

  /** The type of derivatives, and of all other data beside them. */
  static final int DERIVATIVE = 11;

  /** Bytes of a value from which several threads share the values of a block. */
  private static final long LEAST_SHARED = 1 << 18;

  /** Bytes of a value that are transposed at a time. */
  private static final int PART_BYTES = 1 << 16;

  private static final int LEAST_ROWS = 16;

  private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

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
    readAndLook(block, target, offset);
  }

  @Override
  public boolean readAndLook(DataBlock block, HostMemory target, long offset) {
    FiledbFile.@Nullable Pointer[] parts = contents.pointers(block);
    if (!(block instanceof DataBlock.Perambulator)) {
      int count = (int) (block.shape(n).bytes() / Double.BYTES);
      readElemental(there(parts[0], block), target, offset / Double.BYTES, count, block);
      return false;
    }
    long part = block.shape(n).bytes() / parts.length;
    IntStream spins = IntStream.range(0, parts.length);
    // Checksum, byte order and transposition cost as much as the reading itself.
    int flags =
        (part < LEAST_SHARED || !SEVERAL_CORES ? spins : spins.parallel())
            .map(
                k ->
                    readTransposed(
                        there(parts[k], block),
                        target,
                        (offset + k * part) / Double.BYTES,
                        new SpinPart(block, k)))
            .reduce(0, (one, other) -> one | other);
    return flags == Transposition.NOT_ZERO;
  }

  private FiledbFile.Pointer there(FiledbFile.@Nullable Pointer pointer, DataBlock block) {
    if (pointer == null) {
      throw new DistillationException(path() + ": " + block + " is missing");
    }
    return pointer;
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
    private byte[] part = {};
    private final Transposition transposition = new Transposition();

    byte[] part(int length) {
      if (part.length < length) {
        part = new byte[length];
      }
      return part;
    }
  }

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** Returns what {@link Transposition#write} says about the numbers. */
  private int readTransposed(
      FiledbFile.Pointer pointer, HostMemory target, long index, Object what) {
    expectLength(pointer, 2L * n * n, what);
    Scratch scratch = SCRATCH.get();
    ValueReader reader = new ValueReader(file, pointer, what);
    // Some rows at a time, which stay in the second-level cache until they are transposed.
    int row = n * TensorShape.COMPLEX_BYTES;
    int most = Math.min(n, Math.max(LEAST_ROWS, PART_BYTES / row));
    byte[] part = scratch.part(Math.max(VALUE_HEADER, most * row));
    reader.read(part, 0, VALUE_HEADER);
    ByteBuffer in = ByteBuffer.wrap(part);
    int height = in.getInt();
    int width = in.getInt();
    if (height != n || width != n) {
      throw unexpected(what, "is not of " + n + " x " + n + " numbers");
    }
    LongBuffer out =
        new LongPointer(target.pointer().getPointer(index)).capacity(2L * n * n).asBuffer();
    int flags = 0;
    for (int j = 0; j < n; j += most) {
      int rows = Math.min(most, n - j);
      reader.read(part, 0, rows * row);
      flags |= scratch.transposition.write(part, rows, n, out, j);
    }
    reader.finish();
    return flags;
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
