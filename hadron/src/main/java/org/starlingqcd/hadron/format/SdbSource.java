package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.LongPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * Perambulators or elementals of one SDB file.
 *
 * <p>A perambulator is 16 values, one for each pair of spins: N, N, and N² complex numbers with the
 * source vector outside and the sink vector inside. An elemental is one value: the type of its
 * data, N, and N² or N³ complex numbers, row-major. Numbers are big-endian doubles.
 */
final class SdbSource extends IndexedSource<FiledbFile.Pointer[]> {
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
  private final int n;

  private SdbSource(
      FiledbFile file, PartialHeader header, Map<DataBlock, FiledbFile.Pointer[]> values) {
    super(file.path(), header, values);
    this.file = file;
    Integer known = header.eigenvectors();
    this.n = known == null ? 0 : known;
  }

  /**
   * What the metadata and the first value say.
   *
   * @param derivatives whether displacements are derivatives rather than shifts
   */
  record Description(SdbKey.Kind kind, boolean derivatives, PartialHeader header) {}

  /**
   * Opens a file.
   *
   * @throws DistillationException when it is damaged
   */
  static SdbSource open(Path path, IndexCache cache) {
    FiledbFile file = FiledbFile.open(path);
    try {
      Description description = describe(file);
      return new SdbSource(file, description.header(), values(file, description, cache));
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Looks at the metadata and at the first value that is long enough.
   *
   * @throws DistillationException when the file is damaged or holds something else
   */
  static Description describe(FiledbFile file) {
    Path path = file.path();
    if (file.header().configurations() > 1) {
      throw new DistillationException(
          "%s: holds %s configurations in one file; Starling reads files of one configuration"
              .formatted(path, file.header().configurations()));
    }
    XmlTree metadata = XmlTree.parse(path, file.metadata());
    String id = metadata.text("id");
    SdbKey.Kind kind = SdbKey.Kind.of(id);
    if (kind == null) {
      throw new DistillationException(
          ("%s: the metadata call this SDB file '%s'; Starling reads propElemOp (perambulators),"
                  + " mesonElemOp and baryonElemOp")
              .formatted(path, Printable.of(id == null ? "" : id)));
    }
    int[] first = first(file);
    return new Description(
        kind,
        kind == SdbKey.Kind.MESONS && first != null && first[0] == DERIVATIVE,
        ChromaMetadata.header(
            path,
            metadata,
            null,
            first == null ? null : first[1],
            kind == SdbKey.Kind.PERAMBULATORS));
  }

  /**
   * The two integers at the beginning of the first value that is long enough: for an elemental the
   * type of its data, and N. Null when there is none.
   */
  private static int @Nullable [] first(FiledbFile file) {
    int[][] found = new int[1][];
    file.walk(
        (key, pointer) -> {
          byte[] begin = file.beginning(pointer, VALUE_HEADER, "the first value");
          if (begin.length < VALUE_HEADER) {
            return true;
          }
          ByteBuffer in = ByteBuffer.wrap(begin);
          found[0] = new int[] {in.getInt(), in.getInt()};
          int n = found[0][1];
          if (n < 1 || n > 1 << 16) {
            throw new DistillationException(
                file.path() + ": a value is one of " + n + " eigenvectors; the file is damaged");
          }
          return false;
        });
    return found[0];
  }

  /** The values of each block that is complete: one, or for a perambulator 16 by their spins. */
  private static Map<DataBlock, FiledbFile.Pointer[]> values(
      FiledbFile file, Description description, IndexCache cache) {
    SdbKey.Kind kind = description.kind();
    Map<DataBlock, FiledbFile.Pointer[]> values = new HashMap<>();
    long found =
        cache.walk(
            file,
            (bytes, pointer) -> {
              try {
                SdbKey key = SdbKey.parse(kind, description.derivatives(), bytes);
                values
                        .computeIfAbsent(key.block(), b -> new FiledbFile.Pointer[kind.parts])[
                        key.part()] =
                    pointer;
              } catch (IllegalArgumentException e) {
                throw new DistillationException(
                    "%s: a key is none of %s: %s; the file is damaged"
                        .formatted(file.path(), kind.id, e.getMessage()),
                    e);
              }
              return true;
            });
    if (found < file.header().keys()) {
      throw new DistillationException(
          ("%s: the header of this SDB file counts %s keys, its pages hold %s; the file is cut"
                  + " short or was not closed by its writer")
              .formatted(file.path(), file.header().keys(), found));
    }
    values.values().removeIf(parts -> Arrays.asList(parts).contains(null));
    return values;
  }

  @Override
  void read(DataBlock block, FiledbFile.Pointer[] parts, HostMemory target, long offset) {
    readAndLook(block, target, offset);
  }

  @Override
  public boolean readAndLook(DataBlock block, HostMemory target, long offset) {
    FiledbFile.Pointer[] parts = place(block);
    if (!(block instanceof DataBlock.Perambulator)) {
      int count = (int) (block.shape(n).bytes() / Double.BYTES);
      readElemental(parts[0], target, offset / Double.BYTES, count, block);
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
                        parts[k],
                        target,
                        (offset + k * part) / Double.BYTES,
                        new SpinPart(block, k)))
            .reduce(0, (one, other) -> one | other);
    return flags == Transposition.NOT_ZERO;
  }

  /** One pair of spins of a perambulator, for messages. */
  private record SpinPart(DataBlock block, int spins) {
    @Override
    public String toString() {
      return "%s, spins (sink, source) = (%s, %s)"
          .formatted(block, spins / SdbKey.SPINS, spins % SdbKey.SPINS);
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
    return fault(what + ": the value " + found);
  }

  @Override
  public void close() {
    file.close();
  }
}
