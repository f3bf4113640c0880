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
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
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

  public static final String TETRAQUARK_ELEMENTALS = "elementals/tetraquark";

  public static final String GENERALIZED = "generalized_perambulators";
  public static final String LOOPS = "loops";
  public static final String GLUONIC = "gluonic";
  public static final String EIGENVALUES = "laplacian_eigenvalues";
  public static final String SITES = "sites";
  public static final String SAMPLED_VECTORS = "sampled_vectors";

  /** Group of the masks of what is there; it holds the names of the datasets that have one. */
  public static final String PRESENT = "present";

  private final Hdf5File file;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final BlockCatalog blocks = new BlockCatalog();

  /** The columns of each label's dataset by source time. */
  private final Map<String, Map<Integer, Integer>> columns = new HashMap<>();

  /** The datasets of each current, several if its Γ has several names there. */
  private final Map<CurrentName, List<CurrentSet>> currents = new HashMap<>();

  private final Map<CurrentName, List<CurrentSet>> loops = new HashMap<>();

  /**
   * A dataset of generalized perambulators, or a loop.
   *
   * @param object its name
   * @param sign of the Γ of its name
   * @param sinks sink time by first index; empty for a loop
   * @param insertions insertion time by second index; empty for a loop
   * @param sources source time by third index; empty for a loop
   * @param present insertion times by sink and source time, of a loop by {@link #NO_ENDS}
   */
  private record CurrentSet(
      String object,
      int sign,
      List<Integer> sinks,
      List<Integer> insertions,
      List<Integer> sources,
      Map<CurrentName.Ends, BitSet> present) {}

  /** The ends of a loop, which has none. */
  private static final CurrentName.Ends NO_ENDS = new CurrentName.Ends(-1, -1);

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
    indexElementals(TETRAQUARK_ELEMENTALS, blocks::addTetraquark, n, n, n, n);
    indexCurrents(GENERALIZED);
    indexCurrents(LOOPS);
    for (String name : groups(GLUONIC)) {
      for (String child : file.children(GLUONIC + "/" + name)) {
        Optional<Momentum> momentum = ElementalName.parseMomentum(child);
        String object = GLUONIC + "/" + name + "/" + child;
        if (momentum.isPresent() && file.kind(object) == ObjectKind.DATASET) {
          indexGluonic(new Gluonic(name, "", momentum.get()));
        } else if (momentum.isPresent()) {
          for (String row : file.children(object)) {
            indexGluonic(new Gluonic(name, row, momentum.get()));
          }
        }
      }
    }
  }

  private void indexGluonic(Gluonic factor) {
    String object = GLUONIC + "/" + factor;
    if (file.kind(object) == ObjectKind.DATASET) {
      try (Hdf5Dataset dataset = file.dataset(object)) {
        checkShape(dataset, header.temporalExtent());
      }
      blocks.addGluonic(factor, mask(object, header.temporalExtent(), 1)[0]);
    }
  }

  private void indexCurrents(String kind) {
    for (String labels : groups(kind)) {
      if (kind.equals(GENERALIZED) && labels.indexOf('-') < 0) {
        throw fault(
            kind + "/" + labels,
            "the name of the group must be two labels of perambulators, joined by '-'");
      }
      for (String gamma : groups(kind + "/" + labels)) {
        String group = kind + "/" + labels + "/" + gamma;
        Gamma matrix;
        try {
          matrix = Gamma.parse(gamma);
        } catch (IllegalArgumentException e) {
          throw fault(group, String.valueOf(e.getMessage()));
        }
        for (String displacement : groups(group)) {
          for (String name : file.children(group + "/" + displacement)) {
            String object = group + "/" + displacement + "/" + name;
            Optional<Momentum> momentum = ElementalName.parseMomentum(name);
            if (momentum.isPresent() && file.kind(object) == ObjectKind.DATASET) {
              CurrentVertex vertex =
                  new CurrentVertex(matrix.unsigned(), displacement, momentum.get());
              if (kind.equals(LOOPS)) {
                indexLoop(new CurrentName(labels, labels, vertex), object, matrix.sign());
              } else {
                indexGeneralized(CurrentName.of(labels, vertex), object, matrix.sign());
              }
            }
          }
        }
      }
    }
  }

  private List<String> groups(String parent) {
    return file.kind(parent) != ObjectKind.GROUP
        ? List.of()
        : file.children(parent).stream()
            .filter(child -> file.kind(parent + "/" + child) == ObjectKind.GROUP)
            .toList();
  }

  private void indexGeneralized(CurrentName name, String object, int sign) {
    int n = header.eigenvectors();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      Hdf5Attributes attributes = dataset.attributes();
      List<Integer> sinks = times(object, attributes, "sink_times");
      List<Integer> sources = times(object, attributes, "source_times");
      List<Integer> insertions =
          attributes.has("insertion_times")
              ? times(object, attributes, "insertion_times")
              : IntStream.range(0, header.temporalExtent()).boxed().toList();
      checkShape(dataset, sinks.size(), insertions.size(), sources.size(), 4, 4, n, n);
      int width = insertions.size() * sources.size();
      BitSet[] mask = mask(object, sinks.size(), width);
      Map<CurrentName.Ends, BitSet> present = new HashMap<>();
      for (int k = 0; k < width; k++) {
        for (int s = mask[k].nextSetBit(0); s >= 0; s = mask[k].nextSetBit(s + 1)) {
          present
              .computeIfAbsent(
                  new CurrentName.Ends(sinks.get(s), sources.get(k % sources.size())),
                  key -> new BitSet())
              .set(insertions.get(k / sources.size()));
        }
      }
      add(currents, name, new CurrentSet(object, sign, sinks, insertions, sources, present));
      present.forEach((ends, times) -> blocks.addGeneralized(name, ends, times));
    }
  }

  private void indexLoop(CurrentName name, String object, int sign) {
    int extent = header.temporalExtent();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      checkShape(dataset, extent);
    }
    BitSet times = mask(object, extent, 1)[0];
    add(
        loops,
        name,
        new CurrentSet(object, sign, List.of(), List.of(), List.of(), Map.of(NO_ENDS, times)));
    blocks.addLoop(name, times);
  }

  /** Adds a dataset; those of one current must not hold the same block under two names of Γ. */
  private void add(Map<CurrentName, List<CurrentSet>> all, CurrentName name, CurrentSet added) {
    List<CurrentSet> sets = all.computeIfAbsent(name, key -> new ArrayList<>(1));
    for (CurrentSet other : sets) {
      other
          .present()
          .forEach(
              (ends, times) -> {
                if (times.intersects(added.present().getOrDefault(ends, new BitSet()))) {
                  throw fault(
                      added.object(),
                      "holds blocks of '"
                          + other.object()
                          + "', whose Γ is the same up to a sign; keep one of them");
                }
              });
    }
    sets.add(added);
  }

  /** The times that an attribute of generalized perambulators lists. */
  private List<Integer> times(String object, Hdf5Attributes attributes, String name) {
    if (!attributes.has(name)) {
      throw fault(
          object,
          "attribute '"
              + name
              + "' is missing; generalized perambulators need sink_times and source_times");
    }
    long[] times = attributes.integers(name);
    checkTimes(object, name, times);
    return Arrays.stream(times).mapToObj(time -> (int) time).toList();
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
        if (times.length != width) {
          throw fault(
              object,
              "attribute 'source_times' lists "
                  + times.length
                  + " times, but the dataset has "
                  + width
                  + " columns");
        }
        checkTimes(object, "source_times", times);
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

  private void checkTimes(String object, String name, long[] times) {
    Set<Long> seen = new HashSet<>();
    for (long time : times) {
      if (time < 0 || time >= header.temporalExtent()) {
        throw fault(
            object,
            "attribute '"
                + name
                + "' must be >= 0 && < temporal_extent="
                + header.temporalExtent()
                + ", found "
                + time);
      }
      if (!seen.add(time)) {
        throw fault(object, "attribute '" + name + "' lists " + time + " twice");
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
            if (group.equals(TETRAQUARK_ELEMENTALS)) {
              checkPairs(displacement, dataset, expected);
            } else {
              checkShape(dataset, expected);
            }
          }
          found.accept(
              new ElementalName(displacement, momentum.get()),
              mask(object, header.temporalExtent(), 1)[0]);
        }
      }
    }
  }

  /** Checks the shape of K, which is [T][P][P] or {@code unpacked}. */
  private void checkPairs(String colour, Hdf5Dataset dataset, long[] unpacked) {
    PairColour known = PairColour.named(colour).orElse(null);
    if (known == null) {
      String what = "'%s' is no colour of a tetraquark; there are 3bar3 and 66bar";
      throw fault(dataset.name(), what.formatted(colour));
    }
    int pairs = known.pairs(header.eigenvectors());
    if (pairs == 0) {
      throw fault(dataset.name(), "3bar3 needs two eigenvectors, and the file has one");
    }
    long[] packed = {unpacked[0], pairs, pairs};
    if (!Arrays.equals(dataset.extents(), unpacked) && !Arrays.equals(dataset.extents(), packed)) {
      throw fault(
          dataset.name(),
          ("shape %s contradicts the attributes of the file, which ask for %s, one number for each two"
                  + " pairs of %s, or for %s, not packed")
              .formatted(
                  Arrays.toString(dataset.extents()),
                  Arrays.toString(packed),
                  colour,
                  Arrays.toString(unpacked)));
    }
    checkShape(dataset, dataset.extents());
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
  public double @Nullable [] laplacianEigenvalues() {
    if (file.kind(EIGENVALUES) != ObjectKind.DATASET) {
      return null;
    }
    try (Hdf5Dataset dataset = file.dataset(EIGENVALUES)) {
      long[] expected = {header.temporalExtent(), header.eigenvectors()};
      if (!Arrays.equals(dataset.extents(), expected) || dataset.type() != ElementType.REAL) {
        throw fault(
            EIGENVALUES,
            "must hold real numbers "
                + Arrays.toString(expected)
                + ", one for each time and eigenvector; found "
                + dataset.type()
                + " "
                + Arrays.toString(dataset.extents()));
      }
      double[] values = dataset.readAll();
      for (double value : values) {
        if (!Double.isFinite(value)) {
          throw fault(EIGENVALUES, "holds " + value);
        }
      }
      return values;
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public int sampledSites(boolean atSource) {
    String vectors = sampled(SAMPLED_VECTORS, atSource);
    if (file.kind(vectors) != ObjectKind.DATASET) {
      return 0;
    }
    int t = header.temporalExtent();
    try (Hdf5Dataset dataset = file.dataset(vectors)) {
      long[] extents = dataset.extents();
      long n = extents.length > 2 ? extents[2] : 0;
      checkShape(dataset, t, header.eigenvectors(), n, 3);
      sites(atSource, n);
      return Math.toIntExact(n);
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  private static String sampled(String group, boolean atSource) {
    return group + (atSource ? "/source" : "/sink");
  }

  /** Coordinates of the n sites at all times. */
  private long[] sites(boolean atSource, long n) {
    String object = sampled(SITES, atSource);
    int extent = header.spatialExtent();
    if (file.kind(object) != ObjectKind.DATASET) {
      throw fault(object, "is missing; it says where the sampled vectors are");
    }
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] expected = {header.temporalExtent(), n, 3};
      if (!Arrays.equals(dataset.extents(), expected) || dataset.type() != ElementType.INTEGER) {
        throw fault(
            object,
            "must hold integers "
                + Arrays.toString(expected)
                + ", x, y, z of each site; found "
                + dataset.type()
                + " "
                + Arrays.toString(dataset.extents()));
      }
      long[] sites = dataset.readIntegers();
      for (int k = 0; k < sites.length; k++) {
        if (sites[k] < 0 || sites[k] >= extent) {
          throw fault(
              object,
              "[time, site, direction]=[%d, %d, %d] is %d; coordinates are 0 to %d"
                  .formatted(k / (3 * n), k / 3 % n, k % 3, sites[k], extent - 1));
        }
      }
      return sites;
    }
  }

  @Override
  public SampledVectors sampled(boolean atSource, int time) {
    String object = sampled(SAMPLED_VECTORS, atSource);
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] start = {time, 0, 0, 0};
      long[] count = dataset.extents();
      int n = Math.toIntExact(count[2]);
      count[0] = 1;
      double[] vectors = dataset.read(start, count);
      for (double number : vectors) {
        if (!Double.isFinite(number)) {
          throw fault(object, "block [time]=[" + time + "] holds " + number);
        }
      }
      long[] sites = sites(atSource, n);
      return new SampledVectors(
          header.spatialExtent(),
          header.eigenvectors(),
          Arrays.copyOfRange(sites, 3 * n * time, 3 * n * (time + 1)),
          vectors);
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
    one[runAxis(block)]++;
    return block.getClass() == next.getClass()
        && object(block).equals(object(next))
        && Arrays.equals(one, other);
  }

  /** The axis along which blocks are read at once: a time, for currents that of the insertion. */
  private static int runAxis(DataBlock block) {
    return block instanceof DataBlock.Generalized ? 1 : 0;
  }

  @Override
  public void readRun(DataBlock block, int run, long bytes, HostMemory target, long offset) {
    int[] leading = leading(block);
    Hdf5Dataset dataset = dataset(object(block), leading.length);
    long[] count = dataset.extents();
    if (block instanceof DataBlock.Tetraquark k && count.length > 3) {
      pack(k, dataset, target, offset);
      return;
    }
    long[] start = new long[count.length];
    for (int k = 0; k < leading.length; k++) {
      start[k] = leading[k];
      count[k] = k == runAxis(block) ? run : 1;
    }
    read(dataset, start, count, target, offset);
    CurrentSet set = currentSet(block);
    if (set != null && set.sign() < 0) {
      BlockOrder.negate(target, offset, run * bytes / TensorShape.COMPLEX_BYTES);
    }
  }

  /** Reads K that is not packed, one first index at a time, and packs it. */
  private void pack(DataBlock.Tetraquark k, Hdf5Dataset dataset, HostMemory target, long offset) {
    int n = header.eigenvectors();
    long[] count = {1, 1, n, n, n};
    long bytes = new TensorShape(1, 3, n).bytes();
    caches.budget().reserve(bytes);
    try (HostMemory slab = HostMemory.allocate(bytes)) {
      IntConsumer read = i -> read(dataset, new long[] {k.time(), i, 0, 0, 0}, count, slab, 0);
      String flaw = PairPacking.pack(k.name().colour(), n, read, slab, target, offset);
      if (flaw != null) {
        throw new DistillationException(describe(k) + " " + flaw);
      }
    } finally {
      caches.budget().release(bytes);
    }
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
    String axes = "[time]";
    if (block instanceof DataBlock.Perambulator tau) {
      axes = "[sink time, column of source time " + tau.sourceTime() + "]";
    } else if (block instanceof DataBlock.Generalized) {
      axes = "[sink, insertion, source]";
    }
    return file.path()
        + ": '"
        + object(block)
        + "': block "
        + axes
        + "="
        + Arrays.toString(leading(block));
  }

  private String object(DataBlock block) {
    if (block instanceof DataBlock.Perambulator tau) {
      return PERAMBULATORS + "/" + tau.label();
    }
    if (block instanceof DataBlock.Meson phi) {
      return MESON_ELEMENTALS + "/" + phi.name();
    }
    if (block instanceof DataBlock.Baryon b) {
      return BARYON_ELEMENTALS + "/" + b.name();
    }
    if (block instanceof DataBlock.Tetraquark k) {
      return TETRAQUARK_ELEMENTALS + "/" + k.name();
    }
    if (block instanceof DataBlock.GluonicValue value) {
      return GLUONIC + "/" + value.factor();
    }
    CurrentSet set = currentSet(block);
    return set == null ? block.toString() : set.object();
  }

  /** The dataset of a generalized perambulator or a loop; null when there is none. */
  private @Nullable CurrentSet currentSet(DataBlock block) {
    if (block instanceof DataBlock.Generalized tau) {
      return currentSet(currents.get(tau.name()), tau.ends(), tau.insertionTime());
    }
    if (block instanceof DataBlock.Loop loop) {
      return currentSet(loops.get(loop.name()), NO_ENDS, loop.time());
    }
    return null;
  }

  private static @Nullable CurrentSet currentSet(
      @Nullable List<CurrentSet> sets, CurrentName.Ends ends, int time) {
    if (sets != null) {
      for (CurrentSet set : sets) {
        BitSet times = set.present().get(ends);
        if (times != null && times.get(time)) {
          return set;
        }
      }
    }
    return null;
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
    if (block instanceof DataBlock.Tetraquark k) {
      return new int[] {k.time()};
    }
    if (block instanceof DataBlock.Generalized tau) {
      CurrentSet set = currentSet(block);
      return set == null
          ? new int[] {-1, -1, -1}
          : new int[] {
            set.sinks().indexOf(tau.ends().sinkTime()),
            set.insertions().indexOf(tau.insertionTime()),
            set.sources().indexOf(tau.ends().sourceTime())
          };
    }
    if (block instanceof DataBlock.GluonicValue value) {
      return new int[] {value.time()};
    }
    return new int[] {
      block instanceof DataBlock.Loop loop ? loop.time() : ((DataBlock.Baryon) block).time()
    };
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
