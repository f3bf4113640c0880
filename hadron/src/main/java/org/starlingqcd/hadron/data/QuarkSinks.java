package org.starlingqcd.hadron.data;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.backend.HostMemory;

/**
 * The sets of quark sinks of one configuration with their noises, from all its files. Numbers come
 * in the DeGrand-Rossi basis. Safe for use by several threads.
 */
public final class QuarkSinks {
  private static final int SPINS = SpinMatrix.SPINS;

  /** Largest deviation of |ρ| from 1. */
  public static final double MODULUS = 1e-8;

  private final DistillationData data;
  private final DistillationHeader header;

  /** Series by set, noise and time class. */
  private final Map<String, NavigableMap<String, SortedMap<Integer, DataBlock.Sink>>> sets =
      new TreeMap<>();

  private final Map<String, DilutionScheme> schemes = new HashMap<>();
  private final Set<String> noises = new TreeSet<>();
  private final Map<String, double[]> read = new HashMap<>();

  QuarkSinks(DistillationData data) {
    this.data = data;
    this.header = data.header();
    for (DataBlock series : data.blocks().series().keySet()) {
      if (series instanceof DataBlock.Sink sink) {
        sets.computeIfAbsent(sink.set(), key -> new TreeMap<>())
            .computeIfAbsent(sink.noise(), key -> new TreeMap<>())
            .put(sink.timeClass(), sink);
        schemes.put(sink.set(), sink.scheme());
      } else if (series instanceof DataBlock.Noise noise) {
        noises.add(noise.name());
      }
    }
  }

  /** Names of the sets, in ascending order. */
  public Set<String> sets() {
    return Collections.unmodifiableSet(sets.keySet());
  }

  /** The dilution of a set that is there. */
  public DilutionScheme scheme(String set) {
    return Objects.requireNonNull(schemes.get(set), set);
  }

  /** The noises of a set, in ascending order; none for an unknown set. */
  public Set<String> noises(String set) {
    return Collections.unmodifiableSet(sets.getOrDefault(set, new TreeMap<>()).keySet());
  }

  /** The names of all noises that are stored, in ascending order. */
  public Set<String> noises() {
    return Collections.unmodifiableSet(noises);
  }

  /** The time classes for which sinks of a noise are stored, in ascending order. */
  public Set<Integer> timeClasses(String set, String noise) {
    return Collections.unmodifiableSet(classes(set, noise).keySet());
  }

  /** Whether sinks of a noise are stored for the class of a time. */
  public boolean has(String set, String noise, int sourceTime) {
    return classes(set, noise).containsKey(scheme(set).times().get(sourceTime));
  }

  private SortedMap<Integer, DataBlock.Sink> classes(String set, String noise) {
    return sets.getOrDefault(set, new TreeMap<>()).getOrDefault(noise, new TreeMap<>());
  }

  /**
   * Checks noises: that they are there, |ρ| = 1, and no two are the same.
   *
   * @param names all that a diagram may use
   * @throws DistillationException naming what is wrong
   */
  public void checkNoises(List<String> names) {
    for (String name : names) {
      double[] deviations = deviations(name);
      for (int t = 0; t < deviations.length; t++) {
        // Negated so that NaN is refused.
        if (!(deviations[t] <= MODULUS)) {
          throw DistillationException.of(
              "%s: |ρ| differs from 1 by %s at time %d",
              data.describe(new DataBlock.Noise(name, 0)), deviations[t], t);
        }
      }
    }
    for (int a = 0; a < names.size(); a++) {
      for (int b = 0; b < a; b++) {
        if (Arrays.equals(numbers(names.get(a)), numbers(names.get(b)))) {
          throw DistillationException.of(
              "%s: noises '%s' and '%s' have the same numbers; lines of a diagram need independent"
                  + " ones, so leave one out",
              data.describe(new DataBlock.Noise(names.get(b), 0)), names.get(b), names.get(a));
        }
      }
    }
  }

  /** How far |ρ| is from 1 at most, by time. */
  public double[] deviations(String noise) {
    double[] rho = numbers(noise);
    int slice = rho.length / header.temporalExtent();
    double[] deviations = new double[header.temporalExtent()];
    Arrays.setAll(
        deviations,
        t -> NoiseGroup.U1.distance(Arrays.copyOfRange(rho, t * slice, (t + 1) * slice)));
    return deviations;
  }

  /**
   * ρ(t)[β,j] in the spin basis of the data, [T][4][N], interleaved complex, of whatever modulus;
   * kept once it was read.
   *
   * @throws DistillationException when it is missing or cannot be read
   */
  public synchronized double[] numbers(String name) {
    double[] known = read.get(name);
    if (known == null) {
      DataBlock noise = new DataBlock.Noise(name, 0);
      if (data.times(noise).cardinality() < header.temporalExtent()) {
        List<String> users = sets.keySet().stream().filter(s -> noises(s).contains(name)).toList();
        throw DistillationException.of(
            "%s: there are sinks of noise '%s' in %s, but no '%s'%s",
            data.describe(classes(users.get(0), name).values().iterator().next()),
            name,
            String.join(", ", users),
            noise.object(),
            data.times(noise).isEmpty() ? "" : " at all times");
      }
      int slice = 2 * SPINS * header.eigenvectors();
      known = new double[header.temporalExtent() * slice];
      for (int t = 0; t < header.temporalExtent(); t++) {
        load(noise.at(t), known, t * slice, slice);
      }
      read.put(name, known);
    }
    return known;
  }

  private void load(DataBlock block, double[] target, int at, int doubles) {
    try (HostMemory memory = HostMemory.allocate((long) Double.BYTES * doubles)) {
      data.loadStored(block, memory, 0);
      memory.get(0, target, at, doubles);
    }
  }

  /**
   * The sources ρ of a set at a time, [4 · N][D], interleaved complex: one column for each
   * projector of the time's class.
   */
  public double[] sources(String set, String noise, int time) {
    DilutionScheme scheme = scheme(set);
    int n = header.eigenvectors();
    int size = scheme.size();
    double[] rho = numbers(noise);
    double[] columns = new double[2 * SPINS * n * size];
    for (int row = 0; row < SPINS * n; row++) {
      int from = 2 * (time * SPINS * n + row);
      int to = 2 * (row * size + scheme.projector(row / n, row % n));
      columns[to] = rho[from];
      columns[to + 1] = rho[from + 1];
    }
    rotate(columns, n * size);
    return columns;
  }

  /**
   * The sinks φ of a set, [4 · N][D], interleaved complex.
   *
   * @param time where they end
   * @param sourceTime a time of the class of the sources
   * @throws DistillationException when they are missing, cannot be read, or hold NaN, an infinity
   *     or nothing but zeros
   */
  public double[] sinks(String set, String noise, int time, int sourceTime) {
    int timeClass = scheme(set).times().get(sourceTime);
    DataBlock sink = new DataBlock.Sink(set, noise, scheme(set), timeClass, time);
    double[] stored = new double[Math.toIntExact(2 * sink.shape(header.eigenvectors()).size())];
    load(sink, stored, 0, stored.length);
    int rows = SPINS * header.eigenvectors();
    int size = scheme(set).size();
    double[] columns = new double[stored.length];
    for (int d = 0; d < size; d++) {
      for (int row = 0; row < rows; row++) {
        columns[2 * (row * size + d)] = stored[2 * (d * rows + row)];
        columns[2 * (row * size + d) + 1] = stored[2 * (d * rows + row) + 1];
      }
    }
    rotate(columns, rows / SPINS * size);
    return columns;
  }

  /** Takes the spins of [4][length] from the data's basis to DeGrand-Rossi. */
  private void rotate(double[] columns, int length) {
    if (!data.gammaBasis().isDeGrandRossi()) {
      data.gammaBasis().rotation().adjoint().applyTo(columns, 0, length);
    }
  }
}
