package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/** Noises and quark sinks of a file in Starling's own format. Safe for use by several threads. */
public final class SinkIndex {
  static final String NOISES = "noises";
  static final String QUARK_SINKS = "quark_sinks";

  private static final String TIME_PROJECTORS = "time_projectors";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");
  private static final int SPINS = SpinMatrix.SPINS;

  /**
   * The sinks of one noise of a set.
   *
   * @param classes the time classes that are stored
   */
  record Sinks(String set, String noise, DilutionScheme scheme, List<Integer> classes) {}

  private final Hdf5File file;
  private final Set<String> noises = new TreeSet<>();
  private final List<Sinks> sinks = new ArrayList<>();

  /**
   * Looks at attributes and shapes.
   *
   * @throws DistillationException when they contradict each other
   */
  SinkIndex(Hdf5File file, DistillationHeader header) {
    this.file = file;
    int t = header.temporalExtent();
    int n = header.eigenvectors();
    for (String name : children(NOISES)) {
      checkShape(NOISES + "/" + checked(NOISES, name), t, SPINS, n);
      noises.add(name);
    }
    for (String set : children(QUARK_SINKS)) {
      String group = QUARK_SINKS + "/" + checked(QUARK_SINKS, set);
      Hdf5Attributes attributes = file.attributes(group);
      DilutionScheme scheme =
          new DilutionScheme(
              classes(group, attributes, "time_dilution", t),
              classes(group, attributes, "spin_dilution", SPINS),
              classes(group, attributes, "eigenvector_dilution", n),
              DistillationFile.isHermitian(file.path(), group, attributes));
      List<Integer> stored = stored(group, attributes, scheme.timeClasses());
      for (String noise : children(group)) {
        checkShape(
            group + "/" + checked(group, noise),
            t,
            stored.size(),
            scheme.spinClasses(),
            scheme.vectorClasses(),
            SPINS,
            n);
        sinks.add(new Sinks(set, noise, scheme, stored));
      }
    }
  }

  private List<String> children(String group) {
    return file.kind(group) == ObjectKind.GROUP ? file.children(group) : List.of();
  }

  private String checked(String group, String name) {
    if (!NAME.matcher(name).matches()) {
      throw fault("'%s/%s': names are letters, digits, _ and -", group, name);
    }
    return name;
  }

  private void checkShape(String object, long... expected) {
    if (file.kind(object) != ObjectKind.DATASET) {
      throw fault(
          "'%s': must be a dataset of complex numbers %s", object, Arrays.toString(expected));
    }
    try (Hdf5Dataset dataset = file.dataset(object)) {
      DistillationFile.checkComplex(file.path(), dataset, expected);
    }
  }

  /** Class numbers from 0, none left out. */
  private List<Integer> classes(String group, Hdf5Attributes attributes, String name, int length) {
    int[] classes = integers(group, attributes, name);
    if (classes.length != length) {
      throw fault(
          "'%s': attribute '%s' lists %d classes, expected %d",
          group, name, classes.length, length);
    }
    Set<Integer> seen = new TreeSet<>(Arrays.stream(classes).boxed().toList());
    int next = 0;
    for (int number : seen) {
      if (number != next) {
        throw fault(
            "'%s': attribute '%s' has no class %d; classes are numbered from 0, none left out, and"
                + " it has %s",
            group, name, next, seen);
      }
      next++;
    }
    return Arrays.stream(classes).boxed().toList();
  }

  private List<Integer> stored(String group, Hdf5Attributes attributes, int classes) {
    int[] stored = new int[classes];
    Arrays.setAll(stored, p -> p);
    if (attributes.has(TIME_PROJECTORS)) {
      stored = integers(group, attributes, TIME_PROJECTORS);
    }
    Set<Integer> seen = new HashSet<>();
    for (int p : stored) {
      if (p < 0 || p >= classes || !seen.add(p)) {
        throw fault(
            "'%s': attribute '%s' lists %d%s; expected time classes 0 to %d, each once",
            group, TIME_PROJECTORS, p, seen.contains(p) ? " twice" : "", classes - 1);
      }
    }
    return Arrays.stream(stored).boxed().toList();
  }

  private int[] integers(String group, Hdf5Attributes attributes, String name) {
    if (!attributes.has(name)) {
      throw fault("'%s': attribute '%s' is missing", group, name);
    }
    return attributes.ints(name);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private DistillationException fault(String what, @Nullable Object... values) {
    return new DistillationException(file.path() + ": " + what.formatted(values));
  }

  /** Names of the noises that are stored. */
  Set<String> noises() {
    return noises;
  }

  /** All sinks that are stored. */
  List<Sinks> sinks() {
    return sinks;
  }

  /**
   * ρ(t)[β,j] at all times, [T][4][N], interleaved complex.
   *
   * @throws DistillationException when it cannot be read
   */
  double[] noise(String name) {
    return DistillationFile.with(file, NOISES + "/" + name, Hdf5Dataset::readAll);
  }

  /**
   * φ(t)[α,i] of a stored time class, [S][V][4][N], interleaved complex.
   *
   * @throws DistillationException when it cannot be read
   */
  double[] sinks(Sinks of, int time, int timeClass) {
    long[] start = {time, of.classes().indexOf(timeClass), 0, 0, 0, 0};
    return DistillationFile.with(
        file,
        QUARK_SINKS + "/" + of.set() + "/" + of.noise(),
        dataset -> {
          long[] count = dataset.extents();
          count[0] = 1;
          count[1] = 1;
          return dataset.read(start, count);
        });
  }
}
