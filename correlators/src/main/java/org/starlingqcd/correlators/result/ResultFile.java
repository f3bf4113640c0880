package org.starlingqcd.correlators.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.text.Printable;

/**
 * The layout of a result file, see {@code docs/formats.md}.
 *
 * <p>Besides the required attributes, the root has the attributes {@code separations}, {@code
 * one_point} (0 or 1), {@code temporal_extent}, {@code precision} (double where it is missing),
 * {@code names_version} (2; texts of definitions in files without it have the names of earlier
 * versions), {@code conjugation} (the sign of each operator under complex conjugation with parity),
 * {@code result_id} (ties journals to the file), {@code runs} (one JSON text for each run that
 * contributed), {@code planned_with} (texts of the definitions that its first run planned
 * together), {@code requested_configurations} and {@code requested_sources}; and a dataset {@code
 * vev} has the attribute {@code sources}: the source of the unit that each of its rows was taken
 * from, which is the lowest one that has the time.
 */
public final class ResultFile {
  static final String FORMAT = "correlator";
  static final String THREE_POINT = "three-point";
  static final long FORMAT_VERSION = 1;
  static final String SOURCE_TIMES = "source_times";
  private static final String SAMPLED_SITES = "sampled_sites";
  private static final String PLANNED_WITH = "planned_with";
  private static final String NAMES_VERSION = "names_version";
  private static final String CONJUGATION = "conjugation";
  private static final String INSERTION_SEPARATIONS = "insertion_separations";
  private static final String DISCONNECTED = "disconnected";
  private static final String LOOPS = "loops";
  private static final String DATA = "data";
  private static final String EIGENVECTORS = "num_eigenvectors";
  private static final String GAMMA_BASIS = "gamma_basis";
  private static final String NOISE_ASSIGNMENTS = "noise_assignments";
  private static final String NOISE_SUBSETS = "noise_subsets";
  private static final String BY_SUBSET = "by_subset";

  private ResultFile() {}

  /**
   * The attributes of a result file and its finished units.
   *
   * @param id ties journals to the file
   * @param runs one JSON text for each run that contributed
   * @param plannedWith texts of the definitions that its first run planned together; empty if the
   *     file does not say
   * @param requested the units that all runs requested
   * @param finished configuration to its sources
   */
  record Contents(
      String id,
      ResultHeader header,
      List<String> runs,
      List<String> plannedWith,
      Requested requested,
      SortedMap<Integer, SortedSet<Integer>> finished) {
    /** By configuration, the records of journals whose units the file does not have. */
    Map<Integer, List<Journal.Frame>> lacking(List<Journal.Frame> frames) {
      Map<Integer, List<Journal.Frame>> lacking = new HashMap<>();
      for (Journal.Frame frame : frames) {
        SortedSet<Integer> sources = finished.get(frame.configuration());
        if (sources == null || !sources.contains(frame.source())) {
          lacking.computeIfAbsent(frame.configuration(), key -> new ArrayList<>()).add(frame);
        }
      }
      return lacking;
    }
  }

  /** The requested units: all pairs. */
  record Requested(SortedSet<Integer> configurations, SortedSet<Integer> sources) {
    static Requested of(Collection<Integer> configurations, Collection<Integer> sources) {
      return new Requested(new TreeSet<>(configurations), new TreeSet<>(sources));
    }

    Requested union(Requested other) {
      Requested all = of(configurations, sources);
      all.configurations.addAll(other.configurations);
      all.sources.addAll(other.sources);
      return all;
    }
  }

  /** All units of one configuration. */
  static final class Configuration {
    /** Source to {@code [dt][i][j]}. */
    final TreeMap<Integer, double[]> correlators = new TreeMap<>();

    /** Time to the row of the one-point functions, {@code [i]}. */
    final TreeMap<Integer, Row> onePoint = new TreeMap<>();

    /** Checksums of blocks of the data, {@link ResultUnit#data}. */
    final SortedSet<String> data = new TreeSet<>();

    /** One row of the one-point functions and the source of its unit. */
    @SuppressWarnings("ArrayRecordComponent") // bulk numbers; never compared as a record
    record Row(int source, double[] values) {}

    /** Adds a unit, unless the configuration has it. */
    void add(ResultUnit unit) {
      if (correlators.putIfAbsent(unit.source(), unit.correlator()) != null) {
        return;
      }
      data.addAll(unit.data());
      int[] times = unit.times();
      for (int k = 0; k < times.length; k++) {
        int width = unit.onePoint().length / times.length;
        add(
            times[k],
            new Row(
                unit.source(), Arrays.copyOfRange(unit.onePoint(), k * width, (k + 1) * width)));
      }
    }

    /** Adds those units of another part that the configuration does not have. */
    void addAll(Configuration other) {
      other.correlators.forEach(correlators::putIfAbsent);
      other.onePoint.forEach(this::add);
      data.addAll(other.data);
    }

    /** Adds a row; of two rows for one time, the one of the lower source is kept. */
    private void add(int time, Row row) {
      onePoint.merge(time, row, (a, b) -> a.source() <= b.source() ? a : b);
    }
  }

  private static int temporalExtent(Hdf5File file, Hdf5Attributes root) {
    long extent = root.integer("temporal_extent");
    if (extent < 1 || extent > DistillationHeader.MAX_EXTENT) {
      throw InputException.of(
          "%s: attribute 'temporal_extent': expected 1 to %s, found %s",
          file.path(), DistillationHeader.MAX_EXTENT, extent);
    }
    return (int) extent;
  }

  /** The precision of the products; results that do not say it have double precision. */
  private static Precision precision(Hdf5File file, Hdf5Attributes root) {
    if (!root.has("precision")) {
      return Precision.DOUBLE;
    }
    String label = root.string("precision");
    return Precision.of(label)
        .orElseThrow(
            () ->
                InputException.of(
                    "%s: attribute 'precision': expected double or single, found '%s'",
                    file.path(), Printable.of(label)));
  }

  /** The header and what is finished; no numbers. */
  static Contents contents(Path path) {
    try (Hdf5File file = Hdf5File.open(path)) {
      return contents(file);
    }
  }

  static Contents contents(Hdf5File file) {
    return contents(file, Map.of(), (group, header) -> file.attributes(group).ints(SOURCE_TIMES));
  }

  /**
   * As {@link #contents}, of a file whose configurations agree with its attributes. Each of them is
   * looked up once.
   *
   * @param known the finished units, where the configurations need not be looked up
   */
  static Contents checkedContents(Hdf5File file, Map<Integer, SortedSet<Integer>> known) {
    return contents(file, known, (group, header) -> check(file, group, header));
  }

  private static Contents contents(
      Hdf5File file,
      Map<Integer, SortedSet<Integer>> known,
      BiFunction<String, ResultHeader, int[]> sources) {
    Hdf5Attributes root = file.attributes("/");
    String format = root.has("format") ? root.string("format") : "";
    if (!format.equals(FORMAT) && !format.equals(THREE_POINT)) {
      throw new InputException(
          file.path()
              + ": is not a result file (no attribute format = \"correlator\" or \"three-point\")");
    }
    long version = root.integer("format_version");
    if (version != FORMAT_VERSION) {
      throw new InputException(
          file.path() + ": format_version " + version + ", this program knows " + FORMAT_VERSION);
    }
    List<String> groups =
        known.isEmpty()
            ? file.children("/").stream().filter(ResultFile::isGroup).toList()
            : known.keySet().stream().limit(1).map(ResultFile::group).toList();
    ResultHeader header = header(file, root, groups);
    TreeMap<Integer, SortedSet<Integer>> finished = new TreeMap<>(known);
    if (known.isEmpty()) {
      for (String group : groups) {
        finished.put(
            number(file, group),
            Arrays.stream(sources.apply(group, header))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    }
    Requested requested =
        root.has("requested_configurations") && root.has("requested_sources")
            ? Requested.of(
                integers(root, "requested_configurations"), integers(root, "requested_sources"))
            : Requested.of(List.of(), List.of());
    return new Contents(
        root.has("result_id") ? root.string("result_id") : "",
        header,
        root.has("runs") ? root.strings("runs") : List.of(),
        plannedWith(root),
        requested,
        finished);
  }

  private static List<String> plannedWith(Hdf5Attributes root) {
    List<String> texts = root.has(PLANNED_WITH) ? root.strings(PLANNED_WITH) : List.of();
    return root.has(NAMES_VERSION)
        ? texts
        : texts.stream().map(DefinitionLoader::withEarlierNames).toList();
  }

  /**
   * The header of a file. The root of the required layout has no separations; files of other
   * programs have them in the groups alone.
   */
  private static ResultHeader header(Hdf5File file, Hdf5Attributes root, List<String> groups) {
    List<Integer> separations = List.of();
    boolean onePoint = root.has("one_point") && root.integer("one_point") != 0;
    if (root.has("separations")) {
      separations = integers(root, "separations");
    } else if (!groups.isEmpty()) {
      separations = integers(file.attributes(groups.get(0)), "separations");
      onePoint = file.exists(groups.get(0) + "/vev");
    }
    CurrentAxes currents =
        root.string("format").equals(THREE_POINT) ? currents(file, root, groups) : null;
    // Files without it are of earlier versions, whose names of operators meant other states.
    boolean earlier = !root.has(NAMES_VERSION) && currents == null;
    return new ResultHeader(
        root.string("name"),
        root.string("ensemble"),
        earlier
            ? DefinitionLoader.withEarlierNames(root.string("definition"))
            : root.string("definition"),
        root.strings(currents == null ? "operators" : "sink_operators"),
        root.has(CONJUGATION) ? integers(root, CONJUGATION) : List.of(),
        separations,
        currents == null ? onePoint : !currents.loops().isEmpty(),
        root.has("temporal_extent")
            ? OptionalInt.of(temporalExtent(file, root))
            : OptionalInt.empty(),
        precision(file, root),
        root.has(SAMPLED_SITES) ? Math.toIntExact(root.integer(SAMPLED_SITES)) : 0,
        currents,
        root.has(EIGENVECTORS) ? (int) root.integer(EIGENVECTORS) : 0,
        root.has(GAMMA_BASIS) ? root.string(GAMMA_BASIS) : "",
        root.has(NOISE_ASSIGNMENTS)
            ? new ResultHeader.Noises(
                (int) root.integer(NOISE_ASSIGNMENTS),
                (int) root.integer(NOISE_SUBSETS),
                root.has("noises_kept")
                    ? root.integer("noises_kept") != 0
                    : !groups.isEmpty() && file.exists(groups.get(0) + "/" + BY_SUBSET))
            : null);
  }

  /** The axes of three-point functions, from the root or from the first configuration. */
  private static CurrentAxes currents(Hdf5File file, Hdf5Attributes root, List<String> groups) {
    List<String> insertions = root.strings("insertions");
    String first = groups.isEmpty() ? "" : groups.get(0);
    boolean own = root.has(INSERTION_SEPARATIONS);
    List<Integer> times =
        own
            ? integers(root, INSERTION_SEPARATIONS)
            : first.isEmpty() ? List.of() : integers(file.attributes(first), INSERTION_SEPARATIONS);
    if (times.stream().anyMatch(t -> t < 0)
        || !times.stream().sorted().distinct().toList().equals(times)) {
      throw InputException.of(
          "%s: '%s' attribute '%s': expected ascending numbers from 0, found %s",
          file.path(), own ? "/" : first, INSERTION_SEPARATIONS, times);
    }
    List<String> disconnected =
        insertions.stream()
            .filter(
                i ->
                    own
                        ? root.integer(DISCONNECTED) != 0
                        : file.exists(first + "/insertion/" + i + "/disconnected"))
            .toList();
    List<String> loops =
        root.has(LOOPS)
            ? root.strings(LOOPS)
            : own || first.isEmpty()
                ? List.of()
                : insertions.stream().filter(i -> file.exists(first + "/current/" + i)).toList();
    return new CurrentAxes(
        root.strings("source_operators"), insertions, times, disconnected, loops);
  }

  /**
   * The units of one configuration of an open file.
   *
   * @throws InputException when they are damaged
   */
  static Configuration read(Hdf5File file, int configuration, ResultHeader header) {
    return reading(() -> readUnits(file, configuration, header));
  }

  /** Reads something; a failure of HDF5 is one of the user's input. */
  static <T> T reading(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Configuration readUnits(Hdf5File file, int configuration, ResultHeader header) {
    String group = group(configuration);
    Configuration result = new Configuration();
    result.data.addAll(data(file, group));
    List<Integer> sources = integers(file.attributes(group), SOURCE_TIMES);
    for (int source : sources) {
      result.correlators.put(source, new double[header.correlatorDoubles()]);
    }
    List<double[]> units = new ArrayList<>();
    for (int source : sources) {
      units.add(result.correlators.get(source));
    }
    int offset = 0;
    for (ResultHeader.Part part : header.parts()) {
      try (Hdf5Dataset dataset = file.dataset(group + "/" + part.name())) {
        read(dataset, file.path() + ": '" + group + "/" + part.name(), part, units, offset);
      }
      offset += (int) part.doubles();
    }
    int width = 2 * header.row().size() * (1 + header.windows());
    offset = 0;
    for (ResultHeader.Part part : header.rowParts()) {
      String name = group + "/" + part.name();
      if (file.exists(name)) {
        try (Hdf5Dataset dataset = file.dataset(name)) {
          long[] times = dataset.attributes().integers("times");
          long @Nullable [] origin =
              dataset.attributes().has("sources") ? dataset.attributes().integers("sources") : null;
          List<double[]> rows = new ArrayList<>();
          for (int k = 0; k < times.length; k++) {
            int source = origin == null ? sources.get(0) : (int) origin[k];
            Configuration.Row row =
                result.onePoint.computeIfAbsent(
                    (int) times[k], time -> new Configuration.Row(source, new double[width]));
            rows.add(row.values());
          }
          read(dataset, file.path() + ": '" + name, part, rows, offset);
        }
      }
      offset += (int) part.doubles();
    }
    return result;
  }

  /** Distributes the numbers of a dataset among sources or times, whose arrays have its part. */
  private static void read(
      Hdf5Dataset dataset,
      String where,
      ResultHeader.Part part,
      List<double[]> arrays,
      int offset) {
    checkExtents(dataset, where, extents(arrays.size(), part));
    double[] values = dataset.readAll();
    int size = (int) part.doubles() / part.blocks();
    int at = 0;
    for (int block = 0; block < part.blocks(); block++) {
      for (double[] array : arrays) {
        System.arraycopy(values, at, array, offset + block * size, size);
        at += size;
      }
    }
  }

  private static List<String> data(Hdf5File file, String group) {
    Hdf5Attributes attributes = file.attributes(group);
    return attributes.has(DATA) ? attributes.strings(DATA) : List.of();
  }

  /** The masses of quarks among what is known of data. */
  static List<String> masses(Collection<String> data) {
    return data.stream().filter(text -> text.startsWith(DistillationData.MASS_OF)).toList();
  }

  /** The data of the units of each configuration of a file, as far as it says. */
  static Map<Integer, List<String>> data(Path path) {
    Map<Integer, List<String>> data = new TreeMap<>();
    try (Hdf5File file = Hdf5File.open(path)) {
      for (String group : file.children("/")) {
        if (isGroup(group)) {
          data.put(number(file, group), data(file, group));
        }
      }
      return data;
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * How the data of two units differ: a block that both name with different checksums.
   *
   * @return the block and both checksums, or null
   */
  static @Nullable String changed(Collection<String> before, Collection<String> now) {
    for (String one : now) {
      String block = one.substring(0, one.lastIndexOf(':') + 1);
      String changed = null;
      for (String other : before) {
        if (other.equals(one)) {
          changed = null;
          break;
        }
        if (!block.isEmpty() && other.startsWith(block)) {
          changed = other;
        }
      }
      if (changed != null) {
        return "%s, not%s".formatted(one, changed.substring(block.length()));
      }
    }
    return null;
  }

  private static long[] extents(int sources, ResultHeader.Part part) {
    long[] given = part.extents();
    long[] extents = Arrays.copyOf(given, given.length + 1);
    extents[part.before()] = sources;
    System.arraycopy(
        given, part.before(), extents, part.before() + 1, given.length - part.before());
    return extents;
  }

  /** Writes the root of a new file. */
  static void writeRoot(
      Hdf5File file,
      String id,
      ResultHeader header,
      List<String> runs,
      List<String> plannedWith,
      Requested requested) {
    Hdf5Attributes root = file.attributes("/");
    CurrentAxes currents = header.currents();
    root.put("format", currents == null ? FORMAT : THREE_POINT);
    root.put("format_version", FORMAT_VERSION);
    root.put("name", header.name());
    root.put("ensemble", header.ensemble());
    root.put("definition", header.definition());
    root.put(NAMES_VERSION, 2);
    root.put("separations", array(header.separations()));
    if (currents == null) {
      root.put("operators", header.operators());
      root.put(CONJUGATION, array(header.signs()));
      root.put("one_point", header.onePoint() ? 1 : 0);
    } else {
      root.put("sink_operators", header.operators());
      root.put("source_operators", currents.sources());
      root.put("insertions", currents.insertions());
      root.put(INSERTION_SEPARATIONS, array(currents.separations()));
      root.put(DISCONNECTED, currents.disconnected().isEmpty() ? 0 : 1);
      if (!currents.loops().isEmpty()) {
        root.put(LOOPS, currents.loops());
      }
    }
    if (header.temporalExtent().isPresent()) {
      root.put("temporal_extent", header.temporalExtent().getAsInt());
    }
    root.put("precision", header.precision().label());
    if (header.sampledSites() > 0) {
      root.put("tetraquarks", "sampled");
      root.put(SAMPLED_SITES, header.sampledSites());
    }
    if (header.eigenvectors() > 0) {
      root.put(EIGENVECTORS, header.eigenvectors());
      root.put(GAMMA_BASIS, header.gammaBasis());
    }
    ResultHeader.Noises noises = header.noises();
    if (noises != null) {
      root.put(NOISE_ASSIGNMENTS, noises.assignments());
      root.put(NOISE_SUBSETS, noises.subsets());
      root.put("noises_kept", noises.kept() ? 1 : 0);
    }
    root.put("result_id", id);
    root.put("runs", runs);
    if (!plannedWith.isEmpty()) {
      root.put(PLANNED_WITH, plannedWith);
    }
    root.put("requested_configurations", array(requested.configurations()));
    root.put("requested_sources", array(requested.sources()));
  }

  /** Writes one configuration to a file that does not have it yet. */
  static void write(Hdf5File file, int number, Configuration configuration, ResultHeader header) {
    String group = group(number);
    file.createGroup(group);
    Hdf5Attributes attributes = file.attributes(group);
    attributes.put(SOURCE_TIMES, array(configuration.correlators.keySet()));
    attributes.put("separations", array(header.separations()));
    if (!configuration.data.isEmpty()) {
      attributes.put(DATA, List.copyOf(configuration.data));
    }
    for (String one : configuration.data) {
      if (one.startsWith(ResultUnit.NOISES)) {
        attributes.put("noises", List.of(one.substring(ResultUnit.NOISES.length()).split(",", -1)));
      }
    }
    CurrentAxes currents = header.currents();
    if (currents != null) {
      attributes.put(INSERTION_SEPARATIONS, array(currents.separations()));
      file.createGroup(group + "/insertion");
      for (String insertion : currents.insertions()) {
        file.createGroup(group + "/insertion/" + insertion);
      }
      if (!currents.loops().isEmpty()) {
        file.createGroup(group + "/current");
      }
    }
    int offset = 0;
    for (ResultHeader.Part part : header.parts()) {
      write(file, group, part, configuration.correlators.values(), offset, null);
      offset += (int) part.doubles();
    }
    if (header.onePoint()) {
      List<double[]> rows = new ArrayList<>();
      configuration.onePoint.values().forEach(row -> rows.add(row.values()));
      offset = 0;
      for (ResultHeader.Part part : header.rowParts()) {
        write(file, group, part, rows, offset, configuration);
        offset += (int) part.doubles();
      }
    }
  }

  /**
   * Writes a dataset of the numbers of sources or times, whose arrays have its part.
   *
   * @param times what has the times and their origin; null for sources
   */
  private static void write(
      Hdf5File file,
      String group,
      ResultHeader.Part part,
      Collection<double[]> arrays,
      int offset,
      @Nullable Configuration times) {
    int size = (int) part.doubles() / part.blocks();
    double[] all = new double[Math.multiplyExact(arrays.size(), (int) part.doubles())];
    int at = 0;
    for (int block = 0; block < part.blocks(); block++) {
      for (double[] array : arrays) {
        System.arraycopy(array, offset + block * size, all, at, size);
        at += size;
      }
    }
    try (Hdf5Dataset dataset =
        file.createDataset(
            group + "/" + part.name(),
            ElementType.COMPLEX,
            extents(arrays.size(), part),
            DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(all);
      if (times != null) {
        List<Integer> origin = new ArrayList<>();
        times.onePoint.values().forEach(row -> origin.add(row.source()));
        dataset.attributes().put("times", array(times.onePoint.keySet()));
        dataset.attributes().put("sources", array(origin));
      }
    }
  }

  private static List<Integer> integers(Hdf5Attributes attributes, String name) {
    return Arrays.stream(attributes.ints(name)).boxed().toList();
  }

  private static long[] array(Collection<Integer> values) {
    return values.stream().mapToLong(Integer::longValue).toArray();
  }

  private static final Pattern GROUP = Pattern.compile("cfg_([0-9]{4,})");

  /** {@code cfg_0001}, with at least four digits. */
  static String group(int configuration) {
    String digits = Integer.toString(configuration);
    return "cfg_" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }

  /** Whether a name is that of some configuration's group. */
  public static boolean isGroup(String name) {
    return GROUP.matcher(name).matches();
  }

  /**
   * The configuration of a group.
   *
   * @throws InputException when no configuration has this group; the message names file and group
   */
  public static int number(Hdf5File file, String group) {
    try {
      int number = Integer.parseInt(group.substring(group.indexOf('_') + 1));
      if (group(number).equals(group)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Beyond 2^31 - 1.
    }
    throw InputException.of(
        "%s: '%s': expected the number of a configuration from 0 to 2147483647 with at"
            + " least four digits and no more zeros before it",
        file.path(), group);
  }

  /**
   * Checks one configuration.
   *
   * @throws InputException naming the file, the object, what was found and what was expected
   */
  static void check(Hdf5File file, int configuration, ResultHeader header) {
    check(file, group(configuration), header);
  }

  /** Checks the configuration of a group. */
  static int[] check(Hdf5File file, String group, ResultHeader header) {
    try {
      Hdf5Attributes attributes = file.attributes(group);
      checkSeparations(file, group, "separations", header.separations());
      if (header.currents() != null) {
        checkSeparations(file, group, INSERTION_SEPARATIONS, header.currents().separations());
      }
      long[] sources = attributes.integers(SOURCE_TIMES);
      checkSources(file, group, sources, header);
      for (ResultHeader.Part part : header.parts()) {
        checkExtents(file, group + "/" + part.name(), extents(sources.length, part));
      }
      for (ResultHeader.Part rows : header.rowParts()) {
        String vev = group + "/" + rows.name();
        if (file.exists(vev)) {
          checkExtents(file, vev, extents(times(file, vev), rows));
        } else if (header.onePoint()) {
          throw InputException.of(
              "%s: '%s' has no '%s', which the file says it has", file.path(), group, rows.name());
        }
      }
      return Arrays.stream(sources).mapToInt(Math::toIntExact).toArray();
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void checkSeparations(
      Hdf5File file, String group, String attribute, List<Integer> expected) {
    long[] found = file.attributes(group).integers(attribute);
    if (!Arrays.stream(found)
        .boxed()
        .toList()
        .equals(expected.stream().map(e -> (long) e).toList())) {
      throw InputException.of(
          "%s: '%s' has the %s %s, expected %s as for the other configurations",
          file.path(), group, attribute.replace('_', ' '), Arrays.toString(found), expected);
    }
  }

  private static void checkSources(
      Hdf5File file, String group, long[] sources, ResultHeader header) {
    long end =
        header.temporalExtent().isPresent()
            ? header.temporalExtent().getAsInt()
            : Integer.MAX_VALUE;
    boolean inRange = Arrays.stream(sources).allMatch(source -> source >= 0 && source < end);
    if (sources.length == 0
        || !inRange
        || Arrays.stream(sources).distinct().count() != sources.length) {
      throw InputException.of(
          "%s: '%s' attribute 'source_times': expected different source times from 0 to %s,"
              + " found %s",
          file.path(), group, end - 1, Arrays.toString(sources));
    }
  }

  private static int times(Hdf5File file, String vev) {
    try (Hdf5Dataset dataset = file.dataset(vev)) {
      return dataset.attributes().integers("times").length;
    }
  }

  /**
   * Checks that a dataset holds complex numbers and has these extents.
   *
   * @throws InputException naming the file, the object, what was found and what was expected
   */
  public static void checkExtents(Hdf5File file, String object, long... expected) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      checkExtents(dataset, file.path() + ": '" + object, expected);
    }
  }

  private static void checkExtents(Hdf5Dataset dataset, String where, long[] expected) {
    if (dataset.type() != ElementType.COMPLEX) {
      throw new InputException(where + "' holds no complex numbers {r, i}");
    }
    if (!Arrays.equals(dataset.extents(), expected)) {
      throw InputException.of(
          "%s' has extents %s, expected %s",
          where, Arrays.toString(dataset.extents()), Arrays.toString(expected));
    }
  }
}
