package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.format.ArrayPool.Place;
import org.starlingqcd.hadron.format.Mapping.Kind;
import org.starlingqcd.hadron.format.NameTemplate.Match;

/**
 * The arrays of one entry of a mapping file and one configuration: which of them holds which
 * blocks, and what their axes are. The first array tells the shape of all.
 *
 * <p>A block has coordinates ({@link #NAMES}): times, the components of the momentum as the file
 * has it, the number of Γ in the list of the entry. Placeholders of names are coordinates too. An
 * {@link Index} turns coordinates into the index along an axis and back.
 */
final class IndexedArrays {
  /** Coordinates; the last is no placeholder of names. */
  private static final List<String> NAMES =
      List.of("t0", "t", "tf", "dt", "alpha", "beta", "nx", "ny", "nz", "gamma");

  private static final List<String> COMPONENTS = List.of("nx", "ny", "nz");

  private static final List<String> TIME_AXES = List.of("t_src", "t_snk", "t", "dt");
  private static final String GAMMA = "gamma";

  /** Most numbers of a file that are taken for one box. */
  private static final long MOST = 1L << 27;

  private static final Place NONE = new Place(Path.of(""), "");
  private static final long[] FIRST = {0, 1};

  /** Where a block is: its coordinates, the spins aside, in arrays of a label. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Located(IndexedArrays arrays, String label, long[] coordinates) {
    /** The Γ of a current, as the entry lists it. */
    Gamma gamma() {
      return arrays.entry.gammas().get(Math.toIntExact(coordinates[NAMES.indexOf(GAMMA)]));
    }
  }

  /**
   * The index along an axis.
   *
   * @param values the coordinates of 0, 1, 2, …; empty if they are 0, 1, 2, …
   */
  private record Index(String axis, List<String> coordinates, List<List<Long>> values) {
    boolean isTime() {
      return TIME_AXES.contains(axis);
    }

    long of(long[] block) {
      List<Long> wanted = coordinates.stream().map(c -> block[NAMES.indexOf(c)]).toList();
      return values.isEmpty() ? wanted.get(0) : values.indexOf(wanted);
    }

    /** Sets the coordinates of the k-th index. */
    void put(long[] block, int k) {
      List<Long> its = values.isEmpty() ? List.of((long) k) : values.get(k);
      for (int c = 0; c < its.size(); c++) {
        block[NAMES.indexOf(coordinates.get(c))] = its.get(c);
      }
    }
  }

  private final ArrayPool pool;
  private final Mapping.Entry entry;
  private final List<String> keys;
  private final Map<String, Map<List<Long>, List<Place>>> byLabel = new TreeMap<>();
  private final long[] extents;
  private final boolean reversed;
  private final List<Axis> axes;
  private final long[][] parts;
  private final int eigenvectors;
  private final List<Index> indices = new ArrayList<>();

  /**
   * Finds the arrays in files and opens the first one.
   *
   * @param eigenvectors N, or 0 while it is not known
   * @throws DistillationException when two files hold the same block, or a shape does not fit
   */
  IndexedArrays(ArrayPool pool, Mapping.Entry entry, List<Match<Path>> files, int eigenvectors) {
    this.pool = pool;
    this.entry = entry;
    this.keys = NAMES.stream().filter(entry::hasPlaceholder).toList();
    files.forEach(this::add);
    if (byLabel.isEmpty()) {
      throw DistillationException.of(
          "%s: has no dataset '%s', which line %s of the mapping file names",
          files.get(0).name(), entry.dataset(), entry.line());
    }
    List<Place> first = byLabel.values().iterator().next().values().iterator().next();
    List<ArrayPool.Opened> opened = new ArrayList<>();
    Place place = first.get(0);
    pool.with(first, entry, opened::add);
    this.extents = opened.get(0).array().extents();
    this.reversed = opened.get(0).reversed();
    if (extents.length != entry.axes().size()) {
      throw place.fault(
          "has %s axes of extents %s, the mapping file names %s: %s",
          extents.length, Arrays.toString(extents), entry.axes().size(), entry.axes());
    }
    this.axes = new ArrayList<>(entry.axes());
    if (reversed) {
      Collections.reverse(axes);
    }
    this.parts = new long[axes.size()][];
    this.eigenvectors = split(place, eigenvectors);
    for (String axis : TIME_AXES) {
      if (entry.hasAxis(axis)) {
        indices.add(
            switch (axis) {
              case "t_src" -> new Index(axis, List.of("t0"), single(entry.sourceTimes()));
              case "dt" -> new Index(axis, List.of("dt"), List.of());
              default ->
                  entry.kind() == Kind.GENERALIZED && axis.equals("t_snk")
                      ? new Index(axis, List.of("tf"), single(entry.sinkTimes()))
                      : new Index(axis, List.of("t"), single(entry.times()));
            });
      }
    }
    if (entry.hasAxis(GAMMA)) {
      if (entry.gammas().size() != extent(GAMMA)) {
        throw place.fault(
            "has %s gammas, 'gammas' of the mapping file (line %s) lists %s",
            extent(GAMMA), entry.line(), entry.gammas().size());
      }
      indices.add(new Index(GAMMA, List.of(GAMMA), List.of()));
    }
    if (entry.hasAxis("momentum")) {
      indices.add(new Index("momentum", COMPONENTS, momenta(place)));
    }
  }

  private static List<List<Long>> single(List<Long> values) {
    return values.stream().map(List::of).toList();
  }

  private void add(Match<Path> file) {
    NameTemplate inside = entry.dataset();
    if (inside == null) {
      add(new Place(file.name(), ""), file.values());
      return;
    }
    if (!DataFormat.isHdf5(ArrayPool.head(file.name()))) {
      throw DistillationException.of(
          "%s: is not an HDF5 file, but line %s of the mapping file names a dataset in it",
          file.name(), entry.line());
    }
    for (Match<String> dataset :
        pool.withFile(file.name(), opened -> inside.datasets(opened, file.values()))) {
      add(new Place(file.name(), dataset.name()), dataset.values());
    }
  }

  private void add(Place place, Map<String, String> values) {
    String label = entry.name().equals("*") ? values.getOrDefault("label", "") : entry.name();
    List<String> names = entry.storage().parts();
    int part = names.isEmpty() ? 0 : names.indexOf(values.getOrDefault("part", ""));
    if (part < 0 || !values.getOrDefault("label", label).equals(label)) {
      return;
    }
    List<Long> key = new ArrayList<>();
    for (String name : keys) {
      long value = Long.parseLong(values.getOrDefault(name, "0"));
      if ((name.equals("alpha") || name.equals("beta")) && (value < 0 || value > 3)) {
        throw place.fault("the spin {%s} is %s, expected 0 to 3", name, value);
      }
      key.add(value);
    }
    int count = Math.max(1, names.size());
    List<Place> places =
        byLabel
            .computeIfAbsent(label, l -> new LinkedHashMap<>())
            .computeIfAbsent(key, k -> new ArrayList<>(Collections.nCopies(count, NONE)));
    Place other = places.set(part, place);
    if (!other.equals(NONE)) {
      throw new DistillationException(
          other + " and " + place + " both hold the same numbers by their names");
    }
  }

  /** Finds the extents of all parts of axes, and N. */
  private int split(Place place, int known) {
    int n = known;
    try {
      // Axes of eigenvectors alone tell N, which the others may need.
      for (int axis = 0; axis < axes.size(); axis++) {
        List<Axis.Part> one = axes.get(axis).parts();
        if (n == 0 && one.size() == 1 && one.get(0).isVector()) {
          n = Math.toIntExact(extents[axis]);
        }
      }
      for (int axis = 0; axis < axes.size(); axis++) {
        parts[axis] = axes.get(axis).split(extents[axis], n);
        for (int k = 0; k < parts[axis].length; k++) {
          if (n == 0 && axes.get(axis).parts().get(k).isVector()) {
            n = Math.toIntExact(parts[axis][k]);
          }
        }
      }
    } catch (IllegalArgumentException e) {
      throw place.fault("%s", e.getMessage());
    } catch (ArithmeticException e) {
      throw place.fault("has too large extents: %s", Arrays.toString(extents));
    }
    return n;
  }

  /** The momenta along the axis, as in the file. */
  private List<List<Long>> momenta(Place place) {
    MomentumList list = entry.momenta();
    List<List<Long>> momenta =
        list == null
            ? List.of()
            : (place.dataset().isEmpty()
                    ? list.read(null)
                    : pool.withFile(place.file(), list::read))
                .stream().map(n -> List.of(n[0], n[1], n[2])).toList();
    if (momenta.size() != extent("momentum")) {
      throw place.fault(
          "has %s momenta, the list of momenta (line %s) %s",
          extent("momentum"), entry.line(), momenta.size());
    }
    Set<List<Long>> seen = new HashSet<>();
    for (List<Long> momentum : momenta) {
      if (takes(momentum) && !seen.add(momentum)) {
        throw place.fault("its list of momenta has %s twice", momentum);
      }
    }
    return momenta;
  }

  private boolean takes(List<Long> momentum) {
    return entry.only().isEmpty() || entry.only().contains(momentum);
  }

  /** The momentum of Starling of one in the file. */
  private Momentum turned(List<Long> there) {
    int sign = entry.momentumSign();
    int x = sign * there.get(entry.zyx() ? 2 : 0).intValue();
    int z = sign * there.get(entry.zyx() ? 0 : 2).intValue();
    return new Momentum(x, sign * there.get(1).intValue(), z);
  }

  /** What the mapping file says. */
  Mapping.Entry entry() {
    return entry;
  }

  /** N; 0 if it does not follow from the shape. */
  int eigenvectors() {
    return eigenvectors;
  }

  /** The most times along an axis where they are 0, 1, 2, …; 0 without such an axis. */
  long times() {
    return indices.stream()
        .filter(index -> index.isTime() && index.values().isEmpty())
        .mapToLong(index -> extent(index.axis()))
        .max()
        .orElse(0);
  }

  /** Labels, or "" where names tell none; displacements of elementals. */
  Set<String> labels() {
    return byLabel.keySet();
  }

  /** The extent of an index along an axis. */
  private long extent(String name) {
    for (int axis = 0; axis < axes.size(); axis++) {
      for (int k = 0; k < parts[axis].length; k++) {
        if (axes.get(axis).parts().get(k).is(name)) {
          return parts[axis][k];
        }
      }
    }
    return 0;
  }

  /**
   * Where the blocks are of which all parts are there.
   *
   * @param times T
   * @throws DistillationException when times do not fit
   */
  Map<DataBlock, Located> blocks(int times) {
    for (Index index : indices) {
      long extent = extent(index.axis());
      if (index.isTime() && extent > times) {
        throw entry.fault(
            "has %s values along %s, but temporal_extent is %s", extent, index.axis(), times);
      }
      if (!index.values().isEmpty() && index.values().size() != extent) {
        throw entry.fault(
            "has %s values along %s, but %s times are listed",
            extent, index.axis(), index.values().size());
      }
    }
    int wanted = (entry.hasPlaceholder("alpha") ? 4 : 1) * (entry.hasPlaceholder("beta") ? 4 : 1);
    Map<DataBlock, Integer> counts = new HashMap<>();
    Map<DataBlock, Located> found = new HashMap<>();
    byLabel.forEach(
        (label, arrays) ->
            arrays.forEach(
                (key, places) -> {
                  if (!places.contains(NONE)) {
                    long[] at = new long[NAMES.size()];
                    for (int k = 0; k < keys.size(); k++) {
                      at[NAMES.indexOf(keys.get(k))] = key.get(k);
                    }
                    visit(
                        at,
                        0,
                        () -> {
                          DataBlock block = block(label, at, times);
                          if (block != null) {
                            counts.merge(block, 1, Integer::sum);
                            found.put(block, new Located(this, label, at.clone()));
                          }
                        });
                  }
                }));
    found.keySet().removeIf(block -> counts.getOrDefault(block, 0) < wanted);
    return found;
  }

  /** Visits all indices of an array; {@code at} has the coordinates of its name and first axes. */
  private void visit(long[] at, int index, Runnable visitor) {
    if (index == indices.size()) {
      visitor.run();
      return;
    }
    for (int k = 0; k < extent(indices.get(index).axis()); k++) {
      indices.get(index).put(at, k);
      visit(at, index + 1, visitor);
    }
  }

  /** The block of coordinates; null for a momentum that is not taken. */
  private @Nullable DataBlock block(String label, long[] at, int times) {
    if (entry.kind() == Kind.PERAMBULATOR) {
      int source = time(at, "t0", times);
      int sink =
          hasCoordinate("t") ? time(at, "t", times) : (source + time(at, "dt", times)) % times;
      return new DataBlock.Perambulator(label, sink, source);
    }
    List<Long> there = COMPONENTS.stream().map(c -> at[NAMES.indexOf(c)]).toList();
    if (!takes(there)) {
      return null;
    }
    Momentum momentum = turned(there);
    int time = time(at, "t", times);
    if (entry.kind().isCurrent()) {
      Gamma gamma = new Located(this, label, at).gamma();
      CurrentVertex vertex = new CurrentVertex(gamma.unsigned(), entry.displacement(), momentum);
      return entry.kind() == Kind.LOOP
          ? new DataBlock.Loop(label, vertex, time)
          : new DataBlock.Generalized(
              CurrentName.of(label, vertex),
              new CurrentName.Ends(time(at, "tf", times), time(at, "t0", times)),
              time);
    }
    ElementalName name = new ElementalName(label, momentum);
    return entry.kind() == Kind.MESON ? DataBlock.meson(name, time) : DataBlock.baryon(name, time);
  }

  private boolean hasCoordinate(String name) {
    return keys.contains(name)
        || indices.stream().anyMatch(index -> index.coordinates().contains(name));
  }

  private int time(long[] at, String coordinate, int times) {
    long time = at[NAMES.indexOf(coordinate)];
    if (time < 0 || time >= times) {
      throw entry.fault("has time %s, but temporal_extent is %s", time, times);
    }
    return (int) time;
  }

  /**
   * Reads part of a block.
   *
   * @param ranges first value and number of values of the indices of spins and eigenvectors
   * @param order indices of the result
   */
  void read(
      Located block, Map<String, long[]> ranges, List<String> order, double[] target, int at) {
    long[] coordinates = block.coordinates().clone();
    coordinates[NAMES.indexOf("alpha")] = ranges.getOrDefault("alpha_snk", FIRST)[0];
    coordinates[NAMES.indexOf("beta")] = ranges.getOrDefault("beta_src", FIRST)[0];
    List<Long> key = keys.stream().map(name -> coordinates[NAMES.indexOf(name)]).toList();
    List<Place> places =
        Objects.requireNonNull(byLabel.getOrDefault(block.label(), Map.of()).get(key));
    Map<String, long[]> all = new HashMap<>(ranges);
    indices.forEach(index -> all.put(index.axis(), new long[] {index.of(coordinates), 1}));
    pool.with(
        places,
        entry,
        opened -> {
          if (!Arrays.equals(opened.array().extents(), extents) || opened.reversed() != reversed) {
            Place place = places.get(0);
            throw place.fault(
                "has shape %s, others of the same entry have %s",
                Arrays.toString(opened.array().extents()), Arrays.toString(extents));
          }
          readBox(opened.array(), all, order, target, at);
        });
  }

  /**
   * Reads part of an array and brings its indices into another order.
   *
   * @param ranges first value and number of values of each index that is not fixed
   * @param order indices of the result, the slowest first; an index that the array does not have
   *     counts as one value
   * @param target room for the numbers, interleaved complex
   * @param at where the first double goes
   */
  private void readBox(
      NumberArray array, Map<String, long[]> ranges, List<String> order, double[] target, int at) {
    int rank = axes.size();
    int wanted = order.size();
    long[] start = new long[rank];
    long[] count = new long[rank];
    long[] orderStride = new long[wanted];
    long[] orderCount = new long[wanted];
    Arrays.fill(orderCount, 1);
    long below = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      List<Axis.Part> parts = axes.get(axis).parts();
      long within = 1;
      long span = 0;
      for (int k = parts.size() - 1; k >= 0; k--) {
        Axis.Part part = parts.get(k);
        long[] fixed = {Math.max(0, part.fixed()), 1};
        long[] range = part.isFixed() ? fixed : ranges.getOrDefault(part.name(), fixed);
        start[axis] += range[0] * within;
        span += (range[1] - 1) * within;
        int place = part.isFixed() ? -1 : order.indexOf(part.name());
        if (place >= 0) {
          orderStride[place] = within * below;
          orderCount[place] = range[1];
        }
        within *= this.parts[axis][k];
      }
      count[axis] = span + 1;
      below *= count[axis];
      if (below > MOST) {
        throw DistillationException.of(
            "%s: the numbers of one block are spread over more than %s numbers of the array;"
                + " store it with its blocks together",
            array.name(), MOST);
      }
    }
    boolean inOrder = below == NumberArray.size(orderCount);
    long expected = 1;
    for (int k = wanted - 1; k >= 0; k--) {
      inOrder &= orderCount[k] == 1 || orderStride[k] == expected;
      expected *= orderCount[k];
    }
    double[] box = new double[(int) (2 * below)];
    array.read(start, count, box);
    if (inOrder) {
      System.arraycopy(box, 0, target, at, box.length);
      return;
    }
    NumberArray.gather(box, orderCount, orderStride, target, at);
  }
}
