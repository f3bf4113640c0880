package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 */
public final class DistillationFile implements BlockSource {
  public static final String PERAMBULATORS = "perambulators";
  public static final String MESON_ELEMENTALS = DataBlock.Kind.MESON.group;
  public static final String BARYON_ELEMENTALS = DataBlock.Kind.BARYON.group;
  public static final String TETRAQUARK_ELEMENTALS = DataBlock.Kind.TETRAQUARK.group;

  public static final String GENERALIZED = "generalized_perambulators";
  public static final String LOOPS = "loops";
  public static final String GLUONIC = "gluonic";
  public static final String EIGENVALUES = "laplacian_eigenvalues";
  public static final String SITES = "sites";
  public static final String SAMPLED_VECTORS = "sampled_vectors";
  public static final String NOISES = "noises";
  public static final String QUARK_SINKS = "quark_sinks";

  /** The attribute of a set of quark sinks that lists the time classes that are there. */
  public static final String TIME_PROJECTORS = "time_projectors";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

  /** Group of the masks of what is there; it holds the names of the datasets that have one. */
  public static final String PRESENT = "present";

  static final String HERMITIAN = "gamma5_hermitian";

  private final Hdf5File file;
  private final ChunkCaches caches;
  private final DistillationHeader header;
  private final BlockCatalog blocks = new BlockCatalog();

  /**
   * Where blocks of a series are.
   *
   * @param object the dataset
   * @param sign of the Γ of its name
   * @param leading the first indices but that of time
   * @param axis the axis of time
   * @param times time by index along this axis; empty where they are 0, 1, 2, …
   * @param present the times of which the blocks are there
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Series(
      String object, int sign, int[] leading, int axis, List<Integer> times, BitSet present) {
    /** The first indices of a block. */
    int[] leading(int time) {
      int[] all = leading.clone();
      all[axis] = times.isEmpty() ? time : times.indexOf(time);
      return all;
    }
  }

  /** Where each series is, several places for a current whose Γ has several names in the file. */
  private final Map<DataBlock, List<Series>> series = new HashMap<>();

  private final Map<String, Hdf5Dataset> datasets = new HashMap<>();

  private DistillationFile(Hdf5File file, ChunkCaches caches, DistillationHeader header) {
    this.file = file;
    this.caches = caches;
    this.header = header;
  }

  /** The attribute of perambulators with the mass of their quarks, a number or a name. */
  public static final String MASS = "mass";

  /**
   * Opens and indexes a file.
   *
   * @throws DistillationException if it is no distillation file, is damaged, or contradicts itself
   */
  static DistillationFile open(Path path, ChunkCaches caches) {
    return reading(
        hdf5(() -> Hdf5File.open(path)),
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
    try (Hdf5File file = hdf5(() -> Hdf5File.open(path))) {
      return DistillationHeader.read(file);
    }
  }

  /** Has HDF5 do something, whose failures are those of the data. */
  public static <T> T hdf5(Supplier<T> use) {
    try {
      return use.get();
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Uses a dataset and closes it. */
  static <T> T with(Hdf5File file, String object, Function<Hdf5Dataset, T> use) {
    return hdf5(
        () -> {
          try (Hdf5Dataset dataset = file.dataset(object)) {
            return use.apply(dataset);
          }
        });
  }

  private void index() {
    visit(PERAMBULATORS, PERAMBULATORS, List.of());
    for (DataBlock.Kind kind : DataBlock.Kind.values()) {
      visit(kind.group, kind.group, List.of());
    }
    for (String kind : List.of(GENERALIZED, LOOPS, GLUONIC, SAMPLED_VECTORS, NOISES, QUARK_SINKS)) {
      visit(kind, kind, List.of());
    }
  }

  /** Indexes what a group holds, given the names of the groups on the way from its top to it. */
  private void visit(String top, String group, List<String> above) {
    if (file.kind(group) == ObjectKind.GROUP) {
      for (String child : file.children(group)) {
        List<String> names = new ArrayList<>(above);
        names.add(child);
        String object = group + "/" + child;
        if (index(top, names, object)) {
          visit(top, object, names);
        }
      }
    }
  }

  /** Returns whether what a group holds is visited. */
  private boolean index(String top, List<String> names, String object) {
    return switch (top) {
      case PERAMBULATORS -> indexPerambulators(names, object);
      case GENERALIZED, LOOPS -> indexCurrent(top, names, object);
      case GLUONIC -> indexGluonic(names, object);
      case SAMPLED_VECTORS -> indexSites(names, object);
      case NOISES -> indexNoise(names.get(0), object);
      case QUARK_SINKS -> indexSinks(names, object);
      default -> indexElemental(top, names, object);
    };
  }

  private boolean isDataset(String object) {
    return file.kind(object) == ObjectKind.DATASET;
  }

  /** The momentum that the name of a dataset at some depth is; empty for anything else. */
  private Optional<Momentum> momentum(List<String> names, int depth, String object) {
    return names.size() == depth && isDataset(object)
        ? ElementalName.parseMomentum(names.get(depth - 1))
        : Optional.empty();
  }

  private boolean indexElemental(String group, List<String> names, String object) {
    DataBlock.Kind kind =
        Stream.of(DataBlock.Kind.values())
            .filter(known -> known.group.equals(group))
            .findFirst()
            .orElseThrow();
    momentum(names, 2, object)
        .ifPresent(
            momentum -> {
              ElementalName name = new ElementalName(names.get(0), momentum);
              int t = header.temporalExtent();
              int n = header.eigenvectors();
              try (Hdf5Dataset dataset = file.dataset(object)) {
                switch (kind) {
                  case MESON -> checkShape(dataset, t, n, n);
                  case BARYON -> checkShape(dataset, t, n, n, n);
                  case TETRAQUARK -> checkPairs(names.get(0), dataset, new long[] {t, n, n, n, n});
                }
              }
              addByTime(new DataBlock.Elemental(kind, name, 0), object, 1);
            });
    return names.size() < 2;
  }

  private boolean indexSites(List<String> names, String object) {
    if (names.equals(List.of("source")) || names.equals(List.of("sink"))) {
      try (Hdf5Dataset dataset = file.dataset(object)) {
        long[] extents = dataset.extents();
        long n = extents.length > 2 ? extents[2] : 0;
        checkShape(dataset, header.temporalExtent(), header.eigenvectors(), n, 3);
        boolean atSource = names.get(0).equals("source");
        addByTime(new DataBlock.Sites(atSource, Math.toIntExact(n), 0), object, 1);
      }
    }
    return false;
  }

  private void checkShape(String object, long... expected) {
    if (!isDataset(object)) {
      throw fault(
          "'%s': must be a dataset of complex numbers %s", object, Arrays.toString(expected));
    }
    try (Hdf5Dataset dataset = file.dataset(object)) {
      checkShape(dataset, expected);
    }
  }

  private void checkName(String object, String name) {
    if (!NAME.matcher(name).matches()) {
      throw fault("'%s': names are letters, digits, _ and -", object);
    }
  }

  private boolean indexNoise(String name, String object) {
    checkName(object, name);
    checkShape(object, header.temporalExtent(), SpinMatrix.SPINS, header.eigenvectors());
    addByTime(new DataBlock.Noise(name, 0), object, 1);
    return false;
  }

  private boolean indexSinks(List<String> names, String object) {
    checkName(object, names.get(names.size() - 1));
    if (names.size() < 2) {
      return true;
    }
    String group = QUARK_SINKS + "/" + names.get(0);
    Hdf5Attributes attributes = file.attributes(group);
    int t = header.temporalExtent();
    int n = header.eigenvectors();
    DilutionScheme scheme = DilutionScheme.read(file.path(), group, attributes, t, n);
    int classes = scheme.timeClasses();
    List<Integer> stored = IntStream.range(0, classes).boxed().toList();
    if (attributes.has(TIME_PROJECTORS)) {
      stored = Arrays.stream(attributes.ints(TIME_PROJECTORS)).boxed().toList();
    }
    Set<Integer> seen = new LinkedHashSet<>();
    for (int p : stored) {
      if (p < 0 || p >= classes || !seen.add(p)) {
        throw fault(
            "'%s': attribute '%s' lists %d%s; expected time classes 0 to %d, each once",
            group, TIME_PROJECTORS, p, seen.contains(p) ? " twice" : "", classes - 1);
      }
    }
    int s = scheme.spinClasses();
    checkShape(object, t, stored.size(), s, scheme.vectorClasses(), SpinMatrix.SPINS, n);
    BitSet[] present = mask(object, t, stored.size());
    for (int k = 0; k < stored.size(); k++) {
      add(
          new DataBlock.Sink(names.get(0), names.get(1), scheme, stored.get(k), 0),
          new Series(object, 1, new int[] {0, k}, 0, List.of(), present[k]));
    }
    return false;
  }

  /** Adds a dataset whose first axis is that of all times. */
  private void addByTime(DataBlock block, String object, int sign) {
    BitSet times = mask(object, header.temporalExtent(), 1)[0];
    add(block, new Series(object, sign, new int[1], 0, List.of(), times));
  }

  private boolean indexGluonic(List<String> names, String object) {
    if (names.size() > 1 && isDataset(object)) {
      String row = names.size() > 2 ? names.get(2) : "";
      ElementalName.parseMomentum(names.get(1))
          .ifPresent(
              momentum -> {
                checkShape(object, header.temporalExtent());
                addByTime(
                    new DataBlock.GluonicValue(new Gluonic(names.get(0), row, momentum), 0),
                    object,
                    1);
              });
    }
    return names.size() < 3;
  }

  private boolean indexCurrent(String kind, List<String> names, String object) {
    String labels = names.get(0);
    if (names.size() < 4 && file.kind(object) != ObjectKind.GROUP) {
      return false;
    }
    if (kind.equals(GENERALIZED) && labels.indexOf('-') < 0) {
      throw fault(
          "'%s/%s': the name of the group must be two labels of perambulators, joined by '-'",
          kind, labels);
    }
    if (names.size() < 2) {
      return true;
    }
    Gamma gamma;
    try {
      gamma = Gamma.parse(names.get(1));
    } catch (IllegalArgumentException e) {
      throw fault("'%s/%s/%s': %s", kind, labels, names.get(1), e.getMessage());
    }
    momentum(names, 4, object)
        .map(momentum -> new CurrentVertex(gamma.unsigned(), names.get(2), momentum))
        .ifPresent(
            vertex -> {
              if (kind.equals(LOOPS)) {
                checkShape(object, header.temporalExtent());
                addByTime(new DataBlock.Loop(labels, vertex, 0), object, gamma.sign());
              } else {
                indexGeneralized(CurrentName.of(labels, vertex), object, gamma.sign());
              }
            });
    return names.size() < 4;
  }

  private void indexGeneralized(CurrentName name, String object, int sign) {
    int n = header.eigenvectors();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      Hdf5Attributes attributes = dataset.attributes();
      for (String needed : List.of("sink_times", "source_times")) {
        if (!attributes.has(needed)) {
          throw fault(
              "'%s': attribute '%s' is missing; generalized perambulators need sink_times and"
                  + " source_times",
              object, needed);
        }
      }
      int extent = header.temporalExtent();
      List<Integer> sinks = times(object, attributes, "sink_times", 0);
      List<Integer> sources = times(object, attributes, "source_times", 0);
      List<Integer> insertions = times(object, attributes, "insertion_times", extent);
      checkShape(dataset, sinks.size(), insertions.size(), sources.size(), 4, 4, n, n);
      int width = insertions.size() * sources.size();
      BitSet[] mask = mask(object, sinks.size(), width);
      for (int sink = 0; sink < sinks.size(); sink++) {
        for (int source = 0; source < sources.size(); source++) {
          BitSet present = new BitSet();
          for (int t = 0; t < insertions.size(); t++) {
            present.set(insertions.get(t), mask[t * sources.size() + source].get(sink));
          }
          if (!present.isEmpty()) {
            CurrentName.Ends ends = new CurrentName.Ends(sinks.get(sink), sources.get(source));
            int[] leading = {sink, 0, source};
            add(
                new DataBlock.Generalized(name, ends, 0),
                new Series(object, sign, leading, 1, insertions, present));
          }
        }
      }
    }
  }

  /** Adds a dataset; those of one current must not hold the same block under two names of Γ. */
  private void add(DataBlock block, Series added) {
    List<Series> all = series.computeIfAbsent(block.at(0), key -> new ArrayList<>(1));
    for (Series other : all) {
      if (other.present().intersects(added.present())) {
        throw fault(
            "'%s': holds blocks of '%s', whose Γ is the same up to a sign; keep one of them",
            added.object(), other.object());
      }
    }
    all.add(added);
    blocks.add(block, added.present());
  }

  /** The times that an attribute lists; 0, 1, 2, … without it. */
  private List<Integer> times(String object, Hdf5Attributes attributes, String name, int count) {
    if (!attributes.has(name)) {
      return IntStream.range(0, count).boxed().toList();
    }
    Set<Integer> times = new LinkedHashSet<>();
    for (long time : attributes.integers(name)) {
      if (time < 0 || time >= header.temporalExtent()) {
        throw fault(
            "'%s': attribute '%s' must be >= 0 && < temporal_extent=%s, found %s",
            object, name, header.temporalExtent(), time);
      }
      if (!times.add((int) time)) {
        throw fault("'%s': attribute '%s' lists %s twice", object, name, time);
      }
    }
    return List.copyOf(times);
  }

  private boolean indexPerambulators(List<String> names, String object) {
    if (!isDataset(object)) {
      return false;
    }
    String label = names.get(0);
    int t = header.temporalExtent();
    int n = header.eigenvectors();
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] extents = dataset.extents();
      Hdf5Attributes attributes = dataset.attributes();
      long width = extents.length > 1 ? extents[1] : 0;
      boolean named = attributes.has("source_times");
      checkShape(dataset, t, named ? width : t, 4, 4, n, n);
      List<Integer> times = times(object, attributes, "source_times", (int) width);
      if (times.size() != width) {
        throw fault(
            "'%s': attribute 'source_times' lists %s times, but the dataset has %s columns",
            object, times.size(), width);
      }
      if (!isHermitian(file.path(), object, attributes)) {
        blocks.forbidGamma5(label);
      }
      if (attributes.has(MASS)) {
        blocks.setMass(
            label,
            attributes.type(MASS) == ElementType.STRING
                ? attributes.string(MASS)
                : Arrays.toString(attributes.reals(MASS)).replaceAll("[\\[\\]]", ""));
      }
      BitSet[] present = mask(object, t, times.size());
      for (int k = 0; k < times.size(); k++) {
        add(
            new DataBlock.Perambulator(label, 0, times.get(k)),
            new Series(object, 1, new int[] {0, k}, 0, List.of(), present[k]));
      }
    }
    return false;
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
            "'%s': must hold %s x %s integers, one for each block of '%s'; found %s %s",
            name, times, width, object, dataset.type(), Arrays.toString(extents));
      }
      long[] values = dataset.readIntegers();
      Arrays.setAll(present, k -> new BitSet());
      for (int k = 0; k < values.length; k++) {
        if (values[k] != 0 && values[k] != 1) {
          throw fault("'%s': must hold 0 and 1 only, found %s", name, values[k]);
        }
        present[k % width].set(k / width, values[k] == 1);
      }
      return present;
    }
  }

  /** Whether γ5-hermiticity may be used, which an attribute can deny. */
  static boolean isHermitian(Path path, String object, Hdf5Attributes attributes) {
    long value = attributes.has(HERMITIAN) ? attributes.integer(HERMITIAN) : 1;
    if (value != 0 && value != 1) {
      throw DistillationException.of(
          "%s: '%s': attribute '%s' must be 0 or 1, found %s", path, object, HERMITIAN, value);
    }
    return value == 1;
  }

  /** Checks the shape of K, which is [T][P][P] or {@code unpacked}. */
  private void checkPairs(String colour, Hdf5Dataset dataset, long[] unpacked) {
    PairColour known = PairColour.named(colour).orElse(null);
    if (known == null) {
      throw fault(
          "'%s': '%s' is no colour of a tetraquark; there are 3bar3 and 66bar",
          dataset.name(), colour);
    }
    int pairs = known.pairs(header.eigenvectors());
    if (pairs == 0) {
      throw fault("'%s': 3bar3 needs two eigenvectors, and the file has one", dataset.name());
    }
    long[] packed = {unpacked[0], pairs, pairs};
    if (!Arrays.equals(dataset.extents(), unpacked) && !Arrays.equals(dataset.extents(), packed)) {
      throw fault(
          "'%s': shape %s contradicts the attributes of the file, which ask for %s, one number for"
              + " each two pairs of %s, or for %s, not packed",
          dataset.name(),
          Arrays.toString(dataset.extents()),
          Arrays.toString(packed),
          colour,
          Arrays.toString(unpacked));
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
      throw DistillationException.of(
          "%s: '%s': shape %s contradicts the attributes of the file, which ask for %s",
          path, dataset.name(), Arrays.toString(dataset.extents()), Arrays.toString(expected));
    }
    if (dataset.type() != ElementType.COMPLEX) {
      throw DistillationException.of(
          "%s: '%s': numbers must be complex, the compound {r, i}; found %s",
          path, dataset.name(), dataset.type());
    }
  }

  /** A message about the file, in the form of {@link String#format}. */
  @SuppressWarnings("AnnotateFormatMethod")
  private DistillationException fault(String what, @Nullable Object... values) {
    return new DistillationException(file.path() + ": " + what.formatted(values));
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
        gammas.add(
            with(
                file,
                "gamma/g" + mu,
                dataset -> {
                  checkShape(dataset, SpinMatrix.SPINS, SpinMatrix.SPINS);
                  return SpinMatrix.of(dataset.readAll());
                }));
      }
      return GammaBasis.of(gammas);
    } catch (IllegalArgumentException e) {
      throw fault("'gamma': %s", e.getMessage());
    }
  }

  @Override
  public double @Nullable [] laplacianEigenvalues() {
    if (file.kind(EIGENVALUES) != ObjectKind.DATASET) {
      return null;
    }
    return with(
        file,
        EIGENVALUES,
        dataset -> {
          String what = "real numbers %s, one for each time and eigenvector";
          long[] expected = {header.temporalExtent(), header.eigenvectors()};
          checkType(dataset, ElementType.REAL, what, expected);
          double[] values = dataset.readAll();
          for (double value : values) {
            if (!Double.isFinite(value)) {
              throw fault("'%s': holds %s", EIGENVALUES, value);
            }
          }
          return values;
        });
  }

  /** Checks type and shape of a dataset; a message calls them {@code what} with the shape. */
  private void checkType(Hdf5Dataset dataset, ElementType type, String what, long... expected) {
    if (!Arrays.equals(dataset.extents(), expected) || dataset.type() != type) {
      throw fault(
          "'%s': must hold %s; found %s %s",
          dataset.name(),
          what.formatted(Arrays.toString(expected)),
          dataset.type(),
          Arrays.toString(dataset.extents()));
    }
  }

  @Override
  public long[] sampledSites(DataBlock.Sites block) {
    String object = SITES + block.object().substring(SAMPLED_VECTORS.length());
    int n = block.sites();
    int extent = header.spatialExtent();
    if (file.kind(object) != ObjectKind.DATASET) {
      throw fault("'%s': is missing; it says where the sampled vectors are", object);
    }
    try (Hdf5Dataset dataset = file.dataset(object)) {
      String what = "integers %s, x, y, z of each site";
      checkType(dataset, ElementType.INTEGER, what, header.temporalExtent(), n, 3);
      long[] sites = dataset.readIntegers();
      for (int k = 0; k < sites.length; k++) {
        if (sites[k] < 0 || sites[k] >= extent) {
          throw fault(
              "'%s': [time, site, direction]=[%d, %d, %d] is %d; coordinates are 0 to %d",
              object, k / (3 * n), k / 3 % n, k % 3, sites[k], extent - 1);
        }
      }
      return sites;
    }
  }

  @Override
  public void read(DataBlock block, HostMemory target, long offset) {
    readRun(block, 1, block.shape(header.eigenvectors()).bytes(), target, offset);
  }

  @Override
  public boolean follows(DataBlock block, DataBlock next) {
    Series one = series(block);
    Series other = series(next);
    int[] leading = one.leading(block.time());
    leading[one.axis()]++;
    return one.object().equals(other.object())
        && Arrays.equals(leading, other.leading(next.time()));
  }

  @Override
  public void readRun(DataBlock block, int run, long bytes, HostMemory target, long offset) {
    Series from = series(block);
    int[] leading = from.leading(block.time());
    Hdf5Dataset dataset = dataset(from.object(), leading.length);
    long[] count = dataset.extents();
    if (block instanceof DataBlock.Elemental k && isUnpacked(k, dataset)) {
      pack(k, dataset, target, offset);
      return;
    }
    long[] start = new long[count.length];
    for (int k = 0; k < leading.length; k++) {
      start[k] = leading[k];
      count[k] = k == from.axis() ? run : 1;
    }
    read(dataset, start, count, target, offset);
    if (from.sign() < 0) {
      BlockOrder.negate(target, offset, run * bytes / TensorShape.COMPLEX_BYTES);
    }
  }

  private static boolean isUnpacked(DataBlock.Elemental k, Hdf5Dataset dataset) {
    return k.kind() == DataBlock.Kind.TETRAQUARK && dataset.extents().length > 3;
  }

  /** Reads K that is not packed, one first index at a time, and packs it. */
  private void pack(DataBlock.Elemental k, Hdf5Dataset dataset, HostMemory target, long offset) {
    int n = header.eigenvectors();
    long[] count = {1, 1, n, n, n};
    long bytes = new TensorShape(1, 3, n).bytes();
    caches.budget().reserve(bytes);
    try (HostMemory slab = HostMemory.allocate(bytes)) {
      IntConsumer read = i -> read(dataset, new long[] {k.time(), i, 0, 0, 0}, count, slab, 0);
      String flaw = BlockOrder.packPairs(k.name().colour(), n, read, slab, target, offset);
      if (flaw != null) {
        throw new DistillationException(describe(k) + " " + flaw);
      }
    } finally {
      caches.budget().release(bytes);
    }
  }

  @Override
  public void readRows(
      DataBlock block, Rows rows, HostMemory target, long offset, HostMemoryBudget budget) {
    Hdf5Dataset dataset = dataset(series(block).object(), 1);
    if (block instanceof DataBlock.Elemental k && isUnpacked(k, dataset)) {
      BlockSource.super.readRows(block, rows, target, offset, budget);
      return;
    }
    long[] count = dataset.extents();
    long[] start = new long[count.length];
    start[0] = block.time();
    start[1] = rows.first();
    count[0] = 1;
    count[1] = rows.count();
    read(dataset, start, count, target, offset);
  }

  private static void read(
      Hdf5Dataset dataset, long[] start, long[] count, HostMemory target, long offset) {
    hdf5(
        () -> {
          dataset.read(start, count, target, offset);
          return target;
        });
  }

  @Override
  public String describe(DataBlock block) {
    String axes = "[time]";
    if (block instanceof DataBlock.Perambulator tau) {
      axes = "[sink time, column of source time " + tau.sourceTime() + "]";
    } else if (block instanceof DataBlock.Sink sink) {
      axes = "[time, column of time class " + sink.timeClass() + "]";
    } else if (block instanceof DataBlock.Generalized) {
      axes = "[sink, insertion, source]";
    }
    Series its = series(block);
    return "%s: '%s': block %s=%s"
        .formatted(file.path(), its.object(), axes, Arrays.toString(its.leading(block.time())));
  }

  /** Where a block is. */
  private Series series(DataBlock block) {
    for (Series some : series.getOrDefault(block.at(0), List.of())) {
      if (some.present().get(block.time())) {
        return some;
      }
    }
    throw fault("'%s': has no block %s", block.object(), block);
  }

  private synchronized Hdf5Dataset dataset(String object, int leadingAxes) {
    return datasets.computeIfAbsent(
        object,
        key -> with(file, key, plain -> file.dataset(key, caches.claim(plain, leadingAxes))));
  }

  @Override
  public void close() {
    file.close();
  }
}
