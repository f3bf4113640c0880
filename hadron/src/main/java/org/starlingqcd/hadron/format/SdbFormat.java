package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.LongPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.format.FiledbFile.Pointer;

/**
 * SDB files of Chroma: perambulators, meson or baryon elementals, generalized perambulators, loops.
 *
 * <p>A perambulator is 16 values, one for each pair of spins: N, N, and N² complex numbers with the
 * source vector outside and the sink vector inside. An elemental is one value: the type of its
 * data, N, and N² or N³ complex numbers, row-major. A generalized perambulator is one value: N, N,
 * 4, 4, and the numbers, sink vector fastest, source vector, sink spin, source spin; or a value for
 * each source vector, called unsmeared meson: N, 4, 4, and the numbers, sink vector fastest, sink
 * spin, source spin; in older files one for each source vector and spin. Loops are one value for
 * all Γ: 16, and a complex number for each. Numbers are big-endian doubles.
 */
public final class SdbFormat extends FileFormat {
  private static final int VALUE_HEADER = 2 * Integer.BYTES;

  /** The type of derivatives, and of all other data beside them. */
  private static final int DERIVATIVE = 11;

  /** The first value: the two integers at its beginning, and its length in bytes. */
  private record First(int one, int two, long bytes) {}

  /**
   * What the metadata and the first value say.
   *
   * @param derivatives whether displacements of mesons are derivatives rather than shifts
   * @param parts values that make up a block
   * @param mass of the quarks; null where only their label may say it
   */
  private record Description(
      SdbKey.Kind kind,
      boolean derivatives,
      int parts,
      PartialHeader header,
      @Nullable String mass) {}

  @Override
  public String name() {
    return "Chroma SDB";
  }

  @Override
  public boolean recognizes(Path file, byte[] head) {
    return FiledbFile.isFiledb(head);
  }

  @Override
  protected PartialHeader header(Path path) {
    try (BinaryFile file = FiledbFile.on(path)) {
      return describe(new FiledbFile(file)).header();
    }
  }

  @Override
  protected BlockSource open(Path path) {
    return open(path, new IndexCache());
  }

  /**
   * Opens a file whose keys a cache may know.
   *
   * @throws DistillationException when it is damaged
   */
  static BlockSource open(Path path, IndexCache cache) {
    return BinaryFile.reading(
        FiledbFile.on(path),
        opened -> {
          FiledbFile file = new FiledbFile(opened);
          Description description = describe(file);
          return new Source(file, description, values(file, description, cache));
        });
  }

  /** Looks at the metadata and at the first value that is long enough. */
  private static Description describe(FiledbFile file) {
    BinaryFile in = file.file();
    in.check(
        file.configurations() <= 1,
        "holds %s configurations in one file; Starling reads files of one configuration",
        file.configurations());
    XmlTree metadata = XmlTree.parse(in, file.metadata());
    String id = metadata.text("id");
    SdbKey.Kind kind =
        Arrays.stream(SdbKey.Kind.values())
            .filter(known -> known.id.equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    in.fault(
                        "the metadata call this SDB file '%s'; Starling reads propElemOp"
                            + " (perambulators), mesonElemOp, baryonElemOp, genprop4ElemOp and"
                            + " unsmearedMesonElemOp (generalized perambulators), and DiscoBlocks"
                            + " (loops)",
                        id == null ? "" : id));
    First first = first(file);
    if (kind == SdbKey.Kind.LOOPS) {
      return new Description(
          kind, false, 1, ChromaMetadata.header(in, metadata, null, null, false), null);
    }
    Integer n = first == null ? null : kind.isGeneralized() ? (Integer) first.one() : first.two();
    in.check(
        n == null || (n >= 1 && n <= SdbKey.MOST_VECTORS),
        "a value is one of %s eigenvectors; the file is damaged",
        n);
    if (kind == SdbKey.Kind.UNSMEARED_MESONS
        && first != null
        && n != null
        && first.bytes() == VALUE_HEADER + (long) SdbKey.SPINS * n * TensorShape.COMPLEX_BYTES) {
      kind = SdbKey.Kind.OLDER_UNSMEARED_MESONS;
    }
    return new Description(
        kind,
        kind == SdbKey.Kind.MESONS && first != null && first.one() == DERIVATIVE,
        kind.parts(n == null ? 1 : n),
        ChromaMetadata.header(
            in, metadata, null, n, kind == SdbKey.Kind.PERAMBULATORS || kind.isGeneralized()),
        ChromaMetadata.mass(metadata));
  }

  /**
   * The first value that is long enough: of an elemental it begins with the type of its data and N,
   * of others with N. Null when there is none.
   */
  private static @Nullable First first(FiledbFile file) {
    First[] found = new First[1];
    file.walk(
        (key, pointer) -> {
          byte[] begin = file.value(pointer, "the first value").read(VALUE_HEADER);
          if (begin.length < VALUE_HEADER) {
            return true;
          }
          ByteBuffer in = ByteBuffer.wrap(begin);
          found[0] = new First(in.getInt(), in.getInt(), pointer.length());
          return false;
        });
    return found[0];
  }

  /** The values of each block that is complete: one, or several by spins or source vectors. */
  private static Map<DataBlock, Pointer[]> values(
      FiledbFile file, Description description, IndexCache cache) {
    SdbKey.Kind kind = description.kind();
    int parts = description.parts();
    Map<DataBlock, Pointer[]> values = new HashMap<>();
    long found =
        cache.walk(
            file,
            (bytes, pointer) -> {
              try {
                SdbKey key = SdbKey.parse(kind, description.derivatives(), bytes);
                if (key.part() >= parts) {
                  throw new IllegalArgumentException(
                      "its source vector is beyond those of the first value");
                }
                for (DataBlock block : key.blocks()) {
                  values.computeIfAbsent(block, b -> new Pointer[parts])[key.part()] = pointer;
                }
                return true;
              } catch (IllegalArgumentException e) {
                throw file.file()
                    .fault(
                        e, "a key is none of %s: %s; the file is damaged", kind.id, e.getMessage());
              }
            });
    file.file()
        .check(
            found >= file.keys(),
            "the header of this SDB file counts %s keys, its pages hold %s; the file is cut short"
                + " or was not closed by its writer",
            file.keys(),
            found);
    values.values().removeIf(pointers -> Arrays.asList(pointers).contains(null));
    return values;
  }

  private static final class Source extends IndexedSource<Pointer[]> {
    /** Bytes of a value from which several threads share the values of a block. */
    private static final long LEAST_SHARED = 1 << 18;

    /** Bytes of a value that are transposed at a time. */
    private static final int PART_BYTES = 1 << 16;

    private static final int LEAST_ROWS = 16;

    private static final int SPINS = SdbKey.SPINS;

    private static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);

    private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

    /** Arrays that a thread keeps, so that they are not allocated for each value. */
    private static final class Scratch {
      private byte[] part = {};
      private final Transposition transposition = new Transposition();
    }

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private final FiledbFile file;
    private final SdbKey.Kind kind;
    private final int n;

    Source(FiledbFile file, Description description, Map<DataBlock, Pointer[]> values) {
      super(file.file().path(), description.header(), values);
      PartialHeader header = description.header();
      this.kind = description.kind();
      this.file = file;
      Integer known = header.eigenvectors();
      this.n = known == null ? 0 : known;
      Set<String> labels = blocks().labels();
      for (String label : labels) {
        // The metadata say one, the labels of Chroma name each.
        String mass = labels.size() == 1 ? description.mass() : null;
        if (mass != null || !label.isEmpty()) {
          blocks().setMass(label, mass == null ? label : mass);
        }
      }
    }

    @Override
    void read(DataBlock block, Pointer[] parts, HostMemory target, long offset) {
      readAndLook(block, target, offset);
    }

    @Override
    public boolean readAndLook(DataBlock block, HostMemory target, long offset) {
      Pointer[] parts = place(block);
      if (!(block instanceof DataBlock.Perambulator)) {
        double[] numbers =
            block instanceof DataBlock.Generalized
                ? generalized(parts, block)
                : block instanceof DataBlock.Loop loop
                    ? loop(parts[0], loop)
                    : elemental(parts[0], block);
        target.put(offset / Double.BYTES, numbers, 0, numbers.length);
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

    /** Returns what {@link Transposition#write} says about the numbers. */
    private int readTransposed(Pointer pointer, HostMemory target, long index, Object what) {
      checkBytes(pointer, VALUE_HEADER + (long) n * n * TensorShape.COMPLEX_BYTES, what);
      FiledbFile.Value value = file.value(pointer, what);
      // Some rows at a time, which stay in the second-level cache until they are transposed.
      int row = n * TensorShape.COMPLEX_BYTES;
      int most = Math.min(n, Math.max(LEAST_ROWS, PART_BYTES / row));
      Scratch scratch = SCRATCH.get();
      if (scratch.part.length < Math.max(VALUE_HEADER, most * row)) {
        scratch.part = new byte[Math.max(VALUE_HEADER, most * row)];
      }
      value.read(scratch.part, 0, VALUE_HEADER);
      ByteBuffer in = ByteBuffer.wrap(scratch.part);
      int height = in.getInt();
      int width = in.getInt();
      checkValue(height == n && width == n, what, "is not of " + n + " x " + n + " numbers");
      LongBuffer out =
          new LongPointer(target.pointer().getPointer(index)).capacity(2L * n * n).asBuffer();
      int flags = 0;
      for (int j = 0; j < n; j += most) {
        int rows = Math.min(most, n - j);
        value.read(scratch.part, 0, rows * row);
        flags |= scratch.transposition.write(scratch.part, rows, n, out, j);
      }
      value.finish();
      return flags;
    }

    /**
     * The numbers of all values, one after the other, are [source spin][sink spin][source
     * vector][sink vector] for one value, [source vector][source spin][sink spin][sink vector] for
     * several. Older unsmeared mesons are γ5 τ_Γ: their program leaves the second γ5 of
     * γ5-hermiticity at the sink to readers.
     */
    private double[] generalized(Pointer[] parts, DataBlock block) {
      int[] header =
          switch (kind) {
            case GENERALIZED -> new int[] {n, n, SPINS, SPINS};
            case UNSMEARED_MESONS -> new int[] {n, SPINS, SPINS};
            default -> new int[] {n, SPINS};
          };
      double[] numbers = new double[2 * SPINS * SPINS * n * n];
      int count = numbers.length / parts.length;
      for (int part = 0; part < parts.length; part++) {
        read(parts[part], block, header).asDoubleBuffer().get(numbers, part * count, count);
      }
      double[] matrices =
          kind == SdbKey.Kind.GENERALIZED
              ? NumberArray.permuted(numbers, new int[] {SPINS, SPINS, n, n}, 1, 0, 3, 2)
              : NumberArray.permuted(numbers, new int[] {n, SPINS, SPINS, n}, 2, 1, 3, 0);
      for (int k = 0; kind == SdbKey.Kind.OLDER_UNSMEARED_MESONS && k < matrices.length; k++) {
        int alpha = k / (matrices.length / SPINS);
        matrices[k] *= G5.re(alpha, alpha);
      }
      return matrices;
    }

    /** The numbers of a value that begins with their extents. */
    private ByteBuffer read(Pointer pointer, DataBlock block, int... extents) {
      long numbers = IntStream.of(extents).asLongStream().reduce(1, (one, other) -> one * other);
      long expected = (long) extents.length * Integer.BYTES + numbers * TensorShape.COMPLEX_BYTES;
      checkBytes(pointer, expected, block);
      ByteBuffer in = whole(pointer, block);
      for (int extent : extents) {
        checkValue(in.getInt() == extent, block, "is not of extents " + Arrays.toString(extents));
      }
      return in.slice();
    }

    private ByteBuffer whole(Pointer pointer, Object what) {
      FiledbFile.Value value = file.value(pointer, what);
      ByteBuffer in = ByteBuffer.wrap(value.read(value.length()));
      value.finish();
      return in;
    }

    private double[] loop(Pointer pointer, DataBlock.Loop loop) {
      double[] number = new double[2];
      int at = 2 * loop.vertex().gamma().mask();
      read(pointer, loop, SdbKey.GAMMAS).asDoubleBuffer().get(at, number);
      return number;
    }

    private double[] elemental(Pointer pointer, DataBlock block) {
      checkValue(pointer.length() >= Integer.BYTES, block, "has " + pointer.length() + " bytes");
      ByteBuffer in = whole(pointer, block);
      long bytes = block.shape(n).bytes();
      double[] numbers = new double[(int) (bytes / Double.BYTES)];
      int type = in.getInt();
      if (type >= -1 && type <= 1) {
        // The type is that multiple of the unit matrix. Numbers may follow or not.
        for (int k = 0; type != 0 && k < numbers.length; k += 2 * (n + 1)) {
          numbers[k] = type;
        }
      } else {
        checkBytes(pointer, VALUE_HEADER + bytes, block);
        checkValue(in.getInt() == n, block, "is not of " + n + " eigenvectors");
        in.asDoubleBuffer().get(numbers);
      }
      return numbers;
    }

    private void checkBytes(Pointer pointer, long expected, Object what) {
      boolean sound = pointer.length() == expected;
      checkValue(sound, what, "has " + pointer.length() + " bytes, expected " + expected);
    }

    private void checkValue(boolean sound, Object what, String found) {
      check(sound, "%s: the value %s", what, found);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
