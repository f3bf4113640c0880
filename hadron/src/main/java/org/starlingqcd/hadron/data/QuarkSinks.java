package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/**
 * The sets of quark sinks of one configuration with their noises, from all its files. Numbers come
 * in the DeGrand-Rossi basis. Safe for use by several threads.
 */
public final class QuarkSinks {
  private static final int SPINS = SpinMatrix.SPINS;

  /** Largest deviation of |ρ| from 1. */
  private static final double MODULUS = 1e-8;

  /** Who has the sinks of a noise and a time class. */
  private record Holder(SinkIndex source, Path path, SinkIndex.Sinks sinks) {}

  private record NoiseHolder(SinkIndex source, Path path) {}

  private final GammaBasis basis;
  private final DistillationHeader header;
  private final Map<String, DilutionScheme> schemes = new TreeMap<>();

  /** By set, noise and time class. */
  private final Map<String, NavigableMap<String, SortedMap<Integer, Holder>>> sets =
      new TreeMap<>();

  private final Map<String, NoiseHolder> noises = new TreeMap<>();
  private final Map<String, double[]> read = new HashMap<>();

  /**
   * Joins sources.
   *
   * @throws DistillationException when two hold the same block or differ in the scheme of a set
   */
  QuarkSinks(List<BlockSource> sources, DistillationHeader header, GammaBasis basis) {
    this.header = header;
    this.basis = basis;
    Map<String, Path> first = new HashMap<>();
    for (BlockSource file : sources) {
      SinkIndex source = file.stochastic();
      if (source == null) {
        continue;
      }
      for (String noise : source.noises()) {
        NoiseHolder other = noises.put(noise, new NoiseHolder(source, file.path()));
        if (other != null) {
          throw DistillationException.of(
              "%s and %s both hold noise '%s'; leave one of them out",
              other.path(), file.path(), noise);
        }
      }
      for (SinkIndex.Sinks sinks : source.sinks()) {
        DilutionScheme known = schemes.putIfAbsent(sinks.set(), sinks.scheme());
        if (known != null && !known.equals(sinks.scheme())) {
          throw DistillationException.of(
              "%s and %s have different dilution or gamma5_hermitian of '%s/%s'",
              first.get(sinks.set()), file.path(), SinkIndex.QUARK_SINKS, sinks.set());
        }
        first.putIfAbsent(sinks.set(), file.path());
        for (int p : sinks.classes()) {
          Holder other =
              sets.computeIfAbsent(sinks.set(), key -> new TreeMap<>())
                  .computeIfAbsent(sinks.noise(), key -> new TreeMap<>())
                  .put(p, new Holder(source, file.path(), sinks));
          if (other != null) {
            throw DistillationException.of(
                "%s and %s both hold time class %d of '%s/%s/%s'; leave one of them out",
                other.path(), file.path(), p, SinkIndex.QUARK_SINKS, sinks.set(), sinks.noise());
          }
        }
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

  /** Whether sinks of a noise are stored for the class of a time. */
  public boolean has(String set, String noise, int sourceTime) {
    return holder(set, noise, sourceTime) != null;
  }

  private @Nullable Holder holder(String set, String noise, int sourceTime) {
    return classes(set, noise).get(scheme(set).times().get(sourceTime));
  }

  private SortedMap<Integer, Holder> classes(String set, String noise) {
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
      noise(name);
    }
    for (int a = 0; a < names.size(); a++) {
      for (int b = 0; b < a; b++) {
        if (Arrays.equals(noise(names.get(a)), noise(names.get(b)))) {
          throw DistillationException.of(
              "%s and %s: noises '%s' and '%s' have the same numbers; lines of a diagram need"
                  + " independent ones, so leave one out",
              path(names.get(b)), path(names.get(a)), names.get(b), names.get(a));
        }
      }
    }
  }

  private Path path(String noise) {
    return Objects.requireNonNull(noises.get(noise)).path();
  }

  /** ρ as it is stored, at all times; kept once it was read. */
  private synchronized double[] noise(String name) {
    double[] known = read.get(name);
    if (known == null) {
      NoiseHolder holder = noises.get(name);
      if (holder == null) {
        List<String> users = new ArrayList<>();
        sets.forEach(
            (set, its) -> {
              if (its.containsKey(name)) {
                users.add(set);
              }
            });
        throw DistillationException.of(
            "%s: there are sinks of noise '%s' in %s, but no 'noises/%s'",
            classes(users.get(0), name).values().iterator().next().path(),
            name,
            String.join(", ", users),
            name);
      }
      known = holder.source().noise(name);
      int slice = 2 * SPINS * header.eigenvectors();
      for (int k = 0; k < known.length; k += 2) {
        double modulus = Math.hypot(known[k], known[k + 1]);
        // Negated so that NaN is refused.
        if (!(Math.abs(modulus - 1) <= MODULUS)) {
          throw DistillationException.of(
              "%s: 'noises/%s': |ρ| is %s at time %d, expected 1",
              holder.path(), name, modulus, k / slice);
        }
      }
      read.put(name, known);
    }
    return known;
  }

  /**
   * The sources ρ of a set at a time, [4 · N][D], interleaved complex: one column for each
   * projector of the time's class.
   */
  public double[] sources(String set, String noise, int time) {
    DilutionScheme scheme = scheme(set);
    int n = header.eigenvectors();
    int size = scheme.size();
    double[] rho = noise(noise);
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
    Holder holder = holder(set, noise, sourceTime);
    int timeClass = scheme(set).times().get(sourceTime);
    String block =
        "'%s/%s/%s': block [time, time class]=[%d, %d]"
            .formatted(SinkIndex.QUARK_SINKS, set, noise, time, timeClass);
    if (holder == null) {
      throw new DistillationException(block + " is missing");
    }
    double[] stored = holder.source().sinks(holder.sinks(), time, timeClass);
    boolean zero = true;
    for (double value : stored) {
      if (!Double.isFinite(value)) {
        throw DistillationException.of("%s: %s holds %s", holder.path(), block, value);
      }
      zero &= value == 0;
    }
    if (zero) {
      throw DistillationException.of(
          "%s: %s holds nothing but zeros, as if it had never been written; write it again",
          holder.path(), block);
    }
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
    if (basis.isDeGrandRossi()) {
      return;
    }
    SpinMatrix back = basis.rotation().adjoint();
    double[] spins = new double[2 * SPINS];
    for (int k = 0; k < length; k++) {
      for (int a = 0; a < SPINS; a++) {
        double re = 0;
        double im = 0;
        for (int b = 0; b < SPINS; b++) {
          double x = columns[2 * (b * length + k)];
          double y = columns[2 * (b * length + k) + 1];
          re += back.re(a, b) * x - back.im(a, b) * y;
          im += back.re(a, b) * y + back.im(a, b) * x;
        }
        spins[2 * a] = re;
        spins[2 * a + 1] = im;
      }
      for (int a = 0; a < SPINS; a++) {
        columns[2 * (a * length + k)] = spins[2 * a];
        columns[2 * (a * length + k) + 1] = spins[2 * a + 1];
      }
    }
  }
}
