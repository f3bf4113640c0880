package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.format.ArrayLocator.Match;
import org.starlingqcd.hadron.format.ArrayPool.Place;

/**
 * The arrays of one entry of a mapping file and one configuration: which of them holds which values
 * of the indices in names, and what their axes are. The first array tells the shape of all.
 */
final class IndexedArrays {
  /** Placeholders of names by which an array is found. */
  private static final List<String> KEYS =
      List.of("t0", "t", "dt", "alpha", "beta", "nx", "ny", "nz");

  private final ArrayPool pool;
  private final ArrayEntry entry;
  private final List<String> keys;
  private final Map<String, Map<List<Long>, List<Place>>> byLabel = new TreeMap<>();
  private final long[] extents;
  private final boolean reversed;
  private final List<Axis> axes;
  private final long[][] parts;
  private final int eigenvectors;
  private final Map<Momentum, Long> momenta = new LinkedHashMap<>();

  /**
   * Finds the arrays in files and opens the first one.
   *
   * @param eigenvectors N, or 0 while it is not known
   * @throws DistillationException when two files hold the same block, or a shape does not fit
   */
  IndexedArrays(ArrayPool pool, ArrayEntry entry, List<Match<Path>> files, int eigenvectors) {
    this.pool = pool;
    this.entry = entry;
    this.keys = KEYS.stream().filter(entry::hasPlaceholder).toList();
    files.forEach(this::add);
    if (byLabel.isEmpty()) {
      throw new DistillationException(
          "%s: has no dataset '%s', which line %s of the mapping file names"
              .formatted(files.get(0).name(), entry.dataset(), entry.line()));
    }
    List<Place> first = byLabel.values().iterator().next().values().iterator().next();
    List<ArrayPool.Opened> opened = new ArrayList<>();
    pool.with(first, entry, opened::add);
    this.extents = opened.get(0).array().extents();
    this.reversed = opened.get(0).reversed();
    if (extents.length != entry.axes().size()) {
      throw fault(
          first,
          "has %s axes of extents %s, the mapping file names %s: %s"
              .formatted(
                  extents.length, Arrays.toString(extents), entry.axes().size(), entry.axes()));
    }
    List<Axis> ordered = new ArrayList<>(entry.axes());
    if (reversed) {
      Collections.reverse(ordered);
    }
    this.axes = List.copyOf(ordered);
    this.parts = new long[axes.size()][];
    this.eigenvectors = split(first, eigenvectors);
    if (entry.hasAxis("momentum")) {
      readMomenta(first);
    }
  }

  private DistillationException fault(List<Place> places, String what) {
    return new DistillationException(places.get(0) + ": " + what);
  }

  private void add(Match<Path> file) {
    NameTemplate inside = entry.dataset();
    if (inside == null) {
      add(new Place(file.name(), ""), file.values());
      return;
    }
    if (ArrayPool.kind(file.name()) != ArrayPool.FileKind.HDF5) {
      throw new DistillationException(
          ("%s: is not an HDF5 file, but line %s of the mapping file names a dataset in " + "it")
              .formatted(file.name(), entry.line()));
    }
    for (Match<String> dataset :
        pool.withFile(
            file.name(), opened -> ArrayLocator.datasets(opened, inside, file.values()))) {
      add(new Place(file.name(), dataset.name()), dataset.values());
    }
  }

  private void add(Place place, Map<String, String> values) {
    String label = entry.name().equals("*") ? values.getOrDefault("label", "") : entry.name();
    if (values.containsKey("label") && !values.get("label").equals(label)) {
      return;
    }
    boolean split = entry.storage().complex() == ArrayEntry.Complex.SPLIT;
    int part = 0;
    if (split) {
      String name = values.getOrDefault("part", "");
      if (name.equals(entry.storage().imaginary())) {
        part = 1;
      } else if (!name.equals(entry.storage().real())) {
        return;
      }
    }
    List<Long> key = new ArrayList<>();
    for (String name : keys) {
      long value = Long.parseLong(values.getOrDefault(name, "0"));
      boolean spin = name.equals("alpha") || name.equals("beta");
      if (spin && (value < 0 || value > 3)) {
        throw new DistillationException(
            place + ": the spin {" + name + "} is " + value + ", expected 0 to 3");
      }
      key.add(value);
    }
    List<Place> places =
        byLabel
            .computeIfAbsent(label, l -> new LinkedHashMap<>())
            .computeIfAbsent(key, k -> new ArrayList<>(Collections.nCopies(split ? 2 : 1, NONE)));
    Place other = places.set(part, place);
    if (!other.equals(NONE)) {
      throw new DistillationException(
          other + " and " + place + " both hold the same numbers by their names");
    }
  }

  private static final Place NONE = new Place(Path.of(""), "");

  private int split(List<Place> first, int known) {
    int n = known;
    try {
      // Axes of eigenvectors alone tell N, which the others may need.
      for (int axis = 0; axis < axes.size(); axis++) {
        Axis one = axes.get(axis);
        if (n == 0 && one.parts().size() == 1 && one.hasVector()) {
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
      throw fault(first, String.valueOf(e.getMessage()));
    } catch (ArithmeticException e) {
      throw fault(first, "has too large extents: " + Arrays.toString(extents));
    }
    return n;
  }

  private void readMomenta(List<Place> first) {
    Place place = first.get(0);
    List<long[]> list =
        entry.momenta() instanceof MomentumList.InDataset && !place.dataset().isEmpty()
            ? pool.withFile(place.file(), entry.momenta()::read)
            : entry.momenta().read(null);
    long extent = extent("momentum");
    if (list.size() != extent) {
      throw fault(
          first,
          "has %s momenta, the list of momenta (line %s) %s"
              .formatted(extent, entry.line(), list.size()));
    }
    for (int k = 0; k < list.size(); k++) {
      if (takes(list.get(k)) && momenta.put(momentum(list.get(k)), (long) k) != null) {
        throw fault(first, "its list of momenta has " + Arrays.toString(list.get(k)) + " twice");
      }
    }
  }

  private boolean takes(long[] inFile) {
    return entry.only().isEmpty()
        || entry.only().stream().anyMatch(only -> Arrays.equals(only, inFile));
  }

  /** The momentum n of Starling, e^{-ip·x}, of one in the file. */
  private Momentum momentum(long[] inFile) {
    int sign = -entry.phaseSign();
    boolean turned = entry.momentumOrder().equals("zyx");
    return new Momentum(
        (int) (sign * inFile[turned ? 2 : 0]),
        (int) (sign * inFile[1]),
        (int) (sign * inFile[turned ? 0 : 2]));
  }

  /** What the mapping file says. */
  ArrayEntry entry() {
    return entry;
  }

  /** N; 0 if it does not follow from the shape. */
  int eigenvectors() {
    return eigenvectors;
  }

  /** The extent of an index along an axis; 0 if there is none. */
  long extent(String name) {
    for (int axis = 0; axis < axes.size(); axis++) {
      for (int k = 0; k < parts[axis].length; k++) {
        Axis.Part part = axes.get(axis).parts().get(k);
        if (!part.isFixed() && part.name().equals(name)) {
          return parts[axis][k];
        }
      }
    }
    return 0;
  }

  /** Labels, or "" where names tell none. */
  Iterable<String> labels() {
    return byLabel.keySet();
  }

  /** Values of placeholders for which there is an array with all its parts, by their names. */
  List<Map<String, Long>> named(String label) {
    List<Map<String, Long>> all = new ArrayList<>();
    byLabel
        .getOrDefault(label, Map.of())
        .forEach(
            (key, places) -> {
              if (!places.contains(NONE)) {
                Map<String, Long> values = new HashMap<>();
                for (int k = 0; k < keys.size(); k++) {
                  values.put(keys.get(k), key.get(k));
                }
                all.add(values);
              }
            });
    return all;
  }

  /** Momenta along an axis, with their places there. */
  Map<Momentum, Long> momenta() {
    return momenta;
  }

  /** The momentum of Starling that names tell; null for one that is not taken. */
  @Nullable Momentum momentumOf(Map<String, Long> named) {
    long[] inFile = {
      named.getOrDefault("nx", 0L), named.getOrDefault("ny", 0L), named.getOrDefault("nz", 0L)
    };
    return takes(inFile) ? momentum(inFile) : null;
  }

  /** The components in a name of a momentum of Starling. */
  Map<String, Long> named(Momentum n) {
    int sign = -entry.phaseSign();
    boolean turned = entry.momentumOrder().equals("zyx");
    return Map.of(
        "nx", (long) sign * n.component(turned ? 2 : 0),
        "ny", (long) sign * n.component(1),
        "nz", (long) sign * n.component(turned ? 0 : 2));
  }

  /**
   * Reads part of an array.
   *
   * @param named values of placeholders
   * @param ranges first value and number of values of each index along axes
   * @param order indices of the result
   * @param what the block, for messages
   */
  void read(
      String label,
      Map<String, Long> named,
      Map<String, long[]> ranges,
      List<String> order,
      double[] target,
      int at,
      Object what) {
    List<Long> key = keys.stream().map(name -> named.getOrDefault(name, 0L)).toList();
    List<Place> places = byLabel.getOrDefault(label, Map.of()).get(key);
    if (places == null || places.contains(NONE)) {
      throw new DistillationException(
          entry.file() + ": no file or dataset holds " + what + " with " + keys + " = " + key);
    }
    pool.with(
        places,
        entry,
        opened -> {
          if (!Arrays.equals(opened.array().extents(), extents) || opened.reversed() != reversed) {
            throw fault(
                places,
                "has shape %s, others of the same entry have %s"
                    .formatted(
                        Arrays.toString(opened.array().extents()), Arrays.toString(extents)));
          }
          new BoxReader(opened.array(), axes, parts).read(ranges, order, target, at);
        });
  }
}
