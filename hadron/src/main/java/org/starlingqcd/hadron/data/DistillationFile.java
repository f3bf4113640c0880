package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
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
 */
public final class DistillationFile implements AutoCloseable {
  public static final String PERAMBULATORS = "perambulators";
  public static final String MESON_ELEMENTALS = "elementals/meson";
  public static final String BARYON_ELEMENTALS = "elementals/baryon";

  /**
   * Perambulators of one label in this file.
   *
   * @param sourceTimes source time of each column
   * @param gamma5Hermitian whether γ5-hermiticity may be used
   */
  record Perambulators(List<Integer> sourceTimes, boolean gamma5Hermitian) {}

  private final Hdf5File file;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final Map<String, Perambulators> perambulators = new TreeMap<>();
  private final Set<ElementalName> mesons = new TreeSet<>();
  private final Set<ElementalName> baryons = new TreeSet<>();
  private final Map<String, Hdf5Dataset> datasets = new HashMap<>();

  private DistillationFile(Hdf5File file, ChunkCaches caches, DistillationHeader header) {
    this.file = file;
    this.caches = caches;
    this.header = header;
  }

  /**
   * Opens and indexes a file. * @throws DistillationException if it is no distillation file, is
   * damaged, or contradicts itself
   */
  static DistillationFile open(Path path, ChunkCaches caches) {
    Hdf5File file = openHdf5(path);
    try {
      DistillationFile result = new DistillationFile(file, caches, DistillationHeader.read(file));
      result.index();
      return result;
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
          perambulators.put(label, indexPerambulators(object));
        }
      }
    }
    indexElementals(MESON_ELEMENTALS, mesons, n, n);
    indexElementals(BARYON_ELEMENTALS, baryons, n, n, n);
  }

  private Perambulators indexPerambulators(String object) {
    int t = header.temporalExtent();
    int n = header.eigenvectors();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] extents = dataset.extents();
      Hdf5Attributes attributes = dataset.attributes();
      long columns = extents.length > 1 ? extents[1] : 0;
      boolean named = attributes.has("source_times");
      checkShape(dataset, t, named ? columns : t, 4, 4, n, n);
      long[] times = new long[(int) columns];
      Arrays.setAll(times, k -> k);
      if (named) {
        times = attributes.integers("source_times");
        checkSourceTimes(object, times, columns);
      }
      boolean hermitian = true;
      if (attributes.has("gamma5_hermitian")) {
        long value = attributes.integer("gamma5_hermitian");
        if (value != 0 && value != 1) {
          throw fault(object, "attribute 'gamma5_hermitian' must be 0 or 1, found " + value);
        }
        hermitian = value == 1;
      }
      return new Perambulators(
          Arrays.stream(times).mapToObj(time -> (int) time).toList(), hermitian);
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

  private void indexElementals(String group, Set<ElementalName> found, long... matrix) {
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
          found.add(new ElementalName(displacement, momentum.get()));
        }
      }
    }
  }

  private void checkShape(Hdf5Dataset dataset, long... expected) {
    if (!Arrays.equals(dataset.extents(), expected)) {
      throw fault(
          dataset.name(),
          "shape "
              + Arrays.toString(dataset.extents())
              + " contradicts the attributes of the file, which ask for "
              + Arrays.toString(expected));
    }
    if (dataset.type() != ElementType.COMPLEX) {
      throw fault(
          dataset.name(), "numbers must be complex, the compound {r, i}; found " + dataset.type());
    }
  }

  DistillationException fault(String object, String what) {
    return new DistillationException(file.path() + ": '" + object + "': " + what);
  }

  Path path() {
    return file.path();
  }

  DistillationHeader header() {
    return header;
  }

  /** Perambulators by label, in ascending order. */
  Map<String, Perambulators> perambulators() {
    return perambulators;
  }

  /** Meson elementals, in ascending order. */
  Set<ElementalName> mesons() {
    return mesons;
  }

  /** Baryon elementals, in ascending order. */
  Set<ElementalName> baryons() {
    return baryons;
  }

  /**
   * The gamma matrices of a file with an explicit basis, or null when it holds none.
   *
   * @throws DistillationException when one is missing, has a wrong shape, or their relations fail
   */
  @Nullable GammaBasis explicitBasis() {
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

  /**
   * Reads the block of {@code object} that has the first indices {@code leading}, whole in all
   * other axes.
   *
   * @param axes names of the leading axes, for messages
   * @throws DistillationException when it cannot be read, or holds NaN, an infinity or nothing but
   *     zeros
   */
  void read(String object, int[] leading, String axes, HostMemory target, long offset) {
    Hdf5Dataset dataset = dataset(object, leading.length);
    long[] count = dataset.extents();
    long[] start = new long[count.length];
    long size = 1;
    for (int k = 0; k < count.length; k++) {
      if (k < leading.length) {
        start[k] = leading[k];
        count[k] = 1;
      }
      size *= count[k];
    }
    read(dataset, start, count, target, offset);
    String flaw = BlockOrder.flaw(target, offset, size);
    if (flaw != null) {
      throw fault(object, "block " + axes + "=" + Arrays.toString(leading) + " " + flaw);
    }
  }

  private static void read(
      Hdf5Dataset dataset, long[] start, long[] count, HostMemory target, long offset) {
    try {
      dataset.read(start, count, target, offset);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Reads {@code rows} values of the second axis of the block of {@code object} that has the first
   * index {@code leading}.
   *
   * @throws DistillationException as {@link #read}
   */
  void readRows(
      String object,
      int leading,
      int firstRow,
      int rows,
      String axes,
      HostMemory target,
      long offset) {
    Hdf5Dataset dataset = dataset(object, 1);
    long[] count = dataset.extents();
    long[] start = new long[count.length];
    start[0] = leading;
    start[1] = firstRow;
    count[0] = 1;
    count[1] = rows;
    read(dataset, start, count, target, offset);
    long size = Arrays.stream(count).reduce(1, Math::multiplyExact);
    if (BlockOrder.flaw(target, offset, size) != null) {
      // The check is for the whole block, because some rows of a valid block may be zero.
      long whole = Arrays.stream(dataset.extents()).skip(1).reduce(1, Math::multiplyExact);
      long bytes = TensorShape.COMPLEX_BYTES * whole;
      caches.budget().reserve(bytes);
      try (HostMemory block = HostMemory.allocate(bytes)) {
        read(object, new int[] {leading}, axes, block, 0);
      } finally {
        caches.budget().release(bytes);
      }
    }
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
