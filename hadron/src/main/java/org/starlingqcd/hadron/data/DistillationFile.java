package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/**
 * One distillation file: its header, and an index of what it holds. Opening reads attributes and
 * shapes only; numbers are read block by block.
 *
 * <p>More than 400 lines because the index of a file and the places that are read by it belong
 * together.
 */
public final class DistillationFile implements BlockSource {
  public static final String PERAMBULATORS = "perambulators";
  public static final String MESON_ELEMENTALS = "elementals/meson";
  public static final String BARYON_ELEMENTALS = "elementals/baryon";

  /** Group of the masks of what is there; it holds the names of the datasets that have one. */
  public static final String PRESENT = "present";

  private final Hdf5File file;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final BlockCatalog blocks = new BlockCatalog();

  /** The columns of each label's dataset by source time. */
  private final Map<String, Map<Integer, Integer>> columns = new HashMap<>();

  private final Map<String, Hdf5Dataset> datasets = new HashMap<>();

  private DistillationFile(Hdf5File file, ChunkCaches caches, DistillationHeader header) {
    this.file = file;
    this.caches = caches;
    this.header = header;
  }

  /**
   * Opens and indexes a file.
   *
   * @throws DistillationException if it is no distillation file, is damaged, or contradicts itself
   */
  static DistillationFile open(Path path, ChunkCaches caches) {
    return reading(
        openHdf5(path),
        file -> {
          DistillationFile result =
              new DistillationFile(file, caches, DistillationHeader.read(file));
          result.index();
          return result;
        });
  }

  /**
   * Begins to read an open HDF5 file, and closes it if that fails.
   *
   * @throws DistillationException also for failures of HDF5
   */
  public static <T> T reading(Hdf5File file, Function<Hdf5File, T> reader) {
    try {
      return reader.apply(file);
    } catch (Hdf5Exception e) {
      file.close();
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Reads the header of a file and nothing else. */
  static DistillationHeader readHeader(Path path) {
    try (Hdf5File file = openHdf5(path)) {
      return DistillationHeader.read(file);
    }
  }

  private static Hdf5File openHdf5(Path path) {
    try {
      return Hdf5File.open(path);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  private void index() {
    int n = header.eigenvectors();
    if (file.kind(PERAMBULATORS) == ObjectKind.GROUP) {
      for (String label : file.children(PERAMBULATORS)) {
        String object = PERAMBULATORS + "/" + label;
        if (file.kind(object) == ObjectKind.DATASET) {
          indexPerambulators(label, object);
        }
      }
    }
    indexElementals(MESON_ELEMENTALS, blocks::addMeson, n, n);
    indexElementals(BARYON_ELEMENTALS, blocks::addBaryon, n, n, n);
  }

  private void indexPerambulators(String label, String object) {
    int t = header.temporalExtent();
    int n = header.eigenvectors();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] extents = dataset.extents();
      Hdf5Attributes attributes = dataset.attributes();
      long width = extents.length > 1 ? extents[1] : 0;
      boolean named = attributes.has("source_times");
      checkShape(dataset, t, named ? width : t, 4, 4, n, n);
      long[] times = new long[(int) width];
      Arrays.setAll(times, k -> k);
      if (named) {
        times = attributes.integers("source_times");
        checkSourceTimes(object, times, width);
      }
      if (attributes.has("gamma5_hermitian")) {
        long value = attributes.integer("gamma5_hermitian");
        if (value != 0 && value != 1) {
          throw fault(object, "attribute 'gamma5_hermitian' must be 0 or 1, found " + value);
        }
        if (value == 0) {
          blocks.forbidGamma5(label);
        }
      }
      BitSet[] present = mask(object, t, times.length);
      Map<Integer, Integer> column = new HashMap<>();
      for (int k = 0; k < times.length; k++) {
        column.put((int) times[k], k);
        blocks.addPerambulators(label, (int) times[k], present[k]);
      }
      columns.put(label, column);
    }
  }

  /**
   * The times at which a dataset holds blocks, column by column. Its mask is a dataset of the same
   * name in the group {@link #PRESENT}, of 0 and 1, [times] or [times][columns]; without one all
   * are there.
   */
  private BitSet[] mask(String object, int times, int width) {
    BitSet[] present = new BitSet[width];
    String name = PRESENT + "/" + object;
    if (!file.exists(name)) {
      Arrays.fill(present, BlockCatalog.all(times));
      return present;
    }
    try (Hdf5Dataset dataset = file.dataset(name)) {
      long[] extents = dataset.extents();
      boolean fits =
          extents.length > 0
              && extents[0] == times
              && Arrays.stream(extents).skip(1).reduce(1, (a, b) -> a * b) == width;
      if (!fits || dataset.type() != ElementType.INTEGER) {
        throw fault(
            name,
            "must hold "
                + times
                + " x "
                + width
                + " integers, one for each block of '"
                + object
                + "'; found "
                + dataset.type()
                + " "
                + Arrays.toString(extents));
      }
      long[] values = dataset.readIntegers();
      Arrays.setAll(present, k -> new BitSet());
      for (int k = 0; k < values.length; k++) {
        if (values[k] != 0 && values[k] != 1) {
          throw fault(name, "must hold 0 and 1 only, found " + values[k]);
        }
        present[k % width].set(k / width, values[k] == 1);
      }
      return present;
    }
  }

  private void checkSourceTimes(String object, long[] times, long columns) {
    if (times.length != columns) {
      throw fault(
          object,
          "attribute 'source_times' lists "
              + times.length
              + " times, but the dataset has "
              + columns
              + " columns");
    }
    Set<Long> seen = new HashSet<>();
    for (long time : times) {
      if (time < 0 || time >= header.temporalExtent()) {
        throw fault(
            object,
            "attribute 'source_times' must be >= 0 && < temporal_extent="
                + header.temporalExtent()
                + ", found "
                + time);
      }
      if (!seen.add(time)) {
        throw fault(object, "attribute 'source_times' lists " + time + " twice");
      }
    }
  }

  private void indexElementals(
      String group, BiConsumer<ElementalName, BitSet> found, long... matrix) {
    if (file.kind(group) != ObjectKind.GROUP) {
      return;
    }
    long[] expected = new long[matrix.length + 1];
    expected[0] = header.temporalExtent();
    System.arraycopy(matrix, 0, expected, 1, matrix.length);
    for (String displacement : file.children(group)) {
      if (file.kind(group + "/" + displacement) != ObjectKind.GROUP) {
        continue;
      }
      for (String name : file.children(group + "/" + displacement)) {
        String object = group + "/" + displacement + "/" + name;
        Optional<Momentum> momentum = ElementalName.parseMomentum(name);
        if (momentum.isPresent() && file.kind(object) == ObjectKind.DATASET) {
          try (Hdf5Dataset dataset = file.dataset(object)) {
            checkShape(dataset, expected);
          }
          found.accept(
              new ElementalName(displacement, momentum.get()),
              mask(object, header.temporalExtent(), 1)[0]);
        }
      }
    }
  }

  private void checkShape(Hdf5Dataset dataset, long... expected) {
    checkComplex(file.path(), dataset, expected);
  }

  /**
   * Checks that a dataset has complex numbers and a shape.
   *
   * @throws DistillationException when it has not
   */
  public static void checkComplex(Path path, Hdf5Dataset dataset, long... expected) {
    if (!Arrays.equals(dataset.extents(), expected)) {
      throw fault(
          path,
          dataset.name(),
          "shape "
              + Arrays.toString(dataset.extents())
              + " contradicts the attributes of the file, which ask for "
              + Arrays.toString(expected));
    }
    if (dataset.type() != ElementType.COMPLEX) {
      throw fault(
          path,
          dataset.name(),
          "numbers must be complex, the compound {r, i}; found " + dataset.type());
    }
  }

  private DistillationException fault(String object, String what) {
    return fault(file.path(), object, what);
  }

  private static DistillationException fault(Path path, String object, String what) {
    return new DistillationException(path + ": '" + object + "': " + what);
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public PartialHeader header() {
    return PartialHeader.of(header);
  }

  @Override
  public BlockCatalog blocks() {
    return blocks;
  }

  @Override
  public @Nullable GammaBasis explicitBasis() {
    if (!file.exists("gamma")) {
      return null;
    }
    List<SpinMatrix> gammas = new ArrayList<>();
    try {
      for (int mu = 1; mu <= SpinMatrix.SPINS; mu++) {
        try (Hdf5Dataset dataset = file.dataset("gamma/g" + mu)) {
          checkShape(dataset, SpinMatrix.SPINS, SpinMatrix.SPINS);
          gammas.add(SpinMatrix.of(dataset.readAll()));
        }
      }
      return GammaBasis.of(gammas);
    } catch (IllegalArgumentException e) {
      throw fault("gamma", String.valueOf(e.getMessage()));
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void read(DataBlock block, HostMemory target, long offset) {
    readRun(block, 1, block.shape(header.eigenvectors()).bytes(), target, offset);
  }

  @Override
  public boolean follows(DataBlock block, DataBlock next) {
    int[] one = leading(block);
    int[] other = leading(next);
    one[0]++;
    return block.getClass() == next.getClass()
        && object(block).equals(object(next))
        && Arrays.equals(one, other);
  }

  @Override
  public void readRun(DataBlock block, int run, long bytes, HostMemory target, long offset) {
    int[] leading = leading(block);
    Hdf5Dataset dataset = dataset(object(block), leading.length);
    long[] count = dataset.extents();
    long[] start = new long[count.length];
    for (int k = 0; k < leading.length; k++) {
      start[k] = leading[k];
      count[k] = k == 0 ? run : 1;
    }
    read(dataset, start, count, target, offset);
  }

  @Override
  public void readRows(
      DataBlock.Baryon block,
      int firstRow,
      int rows,
      HostMemory target,
      long offset,
      HostMemoryBudget budget) {
    Hdf5Dataset dataset = dataset(object(block), 1);
    long[] count = dataset.extents();
    long[] start = new long[count.length];
    start[0] = block.time();
    start[1] = firstRow;
    count[0] = 1;
    count[1] = rows;
    read(dataset, start, count, target, offset);
  }

  private static void read(
      Hdf5Dataset dataset, long[] start, long[] count, HostMemory target, long offset) {
    try {
      dataset.read(start, count, target, offset);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String describe(DataBlock block) {
    String axes =
        block instanceof DataBlock.Perambulator tau
            ? "[sink time, column of source time " + tau.sourceTime() + "]"
            : "[time]";
    return file.path()
        + ": '"
        + object(block)
        + "': block "
        + axes
        + "="
        + Arrays.toString(leading(block));
  }

  private static String object(DataBlock block) {
    if (block instanceof DataBlock.Perambulator tau) {
      return PERAMBULATORS + "/" + tau.label();
    }
    if (block instanceof DataBlock.Meson phi) {
      return MESON_ELEMENTALS + "/" + phi.name();
    }
    return BARYON_ELEMENTALS + "/" + ((DataBlock.Baryon) block).name();
  }

  /** First indices of a block in its dataset. */
  private int[] leading(DataBlock block) {
    if (block instanceof DataBlock.Perambulator tau) {
      Integer column = columns.getOrDefault(tau.label(), Map.of()).get(tau.sourceTime());
      return new int[] {tau.sinkTime(), column == null ? -1 : column};
    }
    if (block instanceof DataBlock.Meson phi) {
      return new int[] {phi.time()};
    }
    return new int[] {((DataBlock.Baryon) block).time()};
  }

  private synchronized Hdf5Dataset dataset(String object, int leadingAxes) {
    Hdf5Dataset known = datasets.get(object);
    if (known == null) {
      try {
        try (Hdf5Dataset plain = file.dataset(object)) {
          known = file.dataset(object, caches.claim(plain, leadingAxes));
        }
      } catch (Hdf5Exception e) {
        throw new DistillationException(String.valueOf(e.getMessage()), e);
      }
      datasets.put(object, known);
    }
    return known;
  }

  @Override
  public void close() {
    file.close();
  }
}
