package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;

/**
 * How noise is diluted: the class of each time, spin and eigenvector, numbered from 0. A projector
 * keeps what is in a time class p, a spin class s and an eigenvector class v; those of one time
 * class have the numbers {@code s · V + v}.
 *
 * @param times the class of each time, [T]
 * @param spins the class of each spin, [4]
 * @param vectors the class of each eigenvector, [N]
 * @param gamma5Hermitian whether lines may be reversed
 */
public record DilutionScheme(
    List<Integer> times, List<Integer> spins, List<Integer> vectors, boolean gamma5Hermitian) {
  private static final List<String> NAMES =
      List.of("time_dilution", "spin_dilution", "eigenvector_dilution");

  private static final int SPINS = SpinMatrix.SPINS;
  private static final Pattern SCHEME = Pattern.compile("full|none|(interlace|block) +(\\d{1,9})");

  /** Copies the lists. */
  public DilutionScheme {
    times = List.copyOf(times);
    spins = List.copyOf(spins);
    vectors = List.copyOf(vectors);
  }

  /**
   * Reads the attributes of a set, for T and N.
   *
   * @throws DistillationException when they contradict each other
   */
  static DilutionScheme read(Path path, String group, Hdf5Attributes attributes, int t, int n) {
    return new DilutionScheme(
        classes(path, group, attributes, NAMES.get(0), t),
        classes(path, group, attributes, NAMES.get(1), SPINS),
        classes(path, group, attributes, NAMES.get(2), n),
        DistillationFile.isHermitian(path, group, attributes));
  }

  /** Class numbers from 0, none left out. */
  private static List<Integer> classes(
      Path path, String group, Hdf5Attributes attributes, String name, int length) {
    if (!attributes.has(name)) {
      throw DistillationException.of("%s: '%s': attribute '%s' is missing", path, group, name);
    }
    List<Integer> classes = Arrays.stream(attributes.ints(name)).boxed().toList();
    if (classes.size() != length) {
      throw DistillationException.of(
          "%s: '%s': attribute '%s' lists %d classes, expected %d",
          path, group, name, classes.size(), length);
    }
    Set<Integer> seen = new TreeSet<>(classes);
    for (int k = 0; k < seen.size(); k++) {
      if (!seen.contains(k)) {
        throw DistillationException.of(
            "%s: '%s': attribute '%s' has no class %d; classes are numbered from 0, none left out,"
                + " and it has %s",
            path, group, name, k, seen);
      }
    }
    return classes;
  }

  /** Writes the attributes of a set. */
  public void write(Hdf5Attributes attributes) {
    List<List<Integer>> all = List.of(times, spins, vectors);
    for (int k = 0; k < all.size(); k++) {
      attributes.put(NAMES.get(k), all.get(k).stream().mapToInt(Integer::intValue).toArray());
    }
    attributes.put(DistillationFile.HERMITIAN, gamma5Hermitian ? 1 : 0);
  }

  /**
   * The dilution by schemes of time, spin and eigenvectors: {@code full}, {@code none}, {@code
   * interlace K}, {@code block K}.
   *
   * @throws IllegalArgumentException when one is none of these, or K is more than its indices
   */
  public static DilutionScheme of(
      List<String> schemes, int extent, int eigenvectors, boolean gamma5Hermitian) {
    return new DilutionScheme(
        classes("time", schemes.get(0), extent),
        classes("spin", schemes.get(1), SPINS),
        classes("eigenvectors", schemes.get(2), eigenvectors),
        gamma5Hermitian);
  }

  /**
   * The class of each index by a scheme.
   *
   * @param what the indices are, for messages
   * @throws IllegalArgumentException as {@link #of}
   */
  public static List<Integer> classes(String what, String scheme, int length) {
    Matcher found = SCHEME.matcher(scheme.strip());
    String number = found.matches() ? found.group(2) : "0";
    int k = number != null ? Integer.parseInt(number) : scheme.strip().equals("full") ? length : 1;
    if (k < 1 || k > length) {
      throw new IllegalArgumentException(
          "%s '%s': expected full, none, interlace K or block K, with K from 1 to %d"
              .formatted(what, scheme, length));
    }
    return "block".equals(found.group(1)) ? blocks(length, k) : interlaced(length, k);
  }

  /**
   * As in the literature, such as {@code (TF, SF, LI4)}, where 1 is none; the number of classes
   * where they are none of the schemes of {@link #of}.
   */
  public String letters() {
    return "(T%s, S%s, L%s)".formatted(letters(times), letters(spins), letters(vectors));
  }

  private static String letters(List<Integer> of) {
    int length = of.size();
    int k = Collections.max(of) + 1;
    if (k == 1 || k == length) {
      return k == 1 ? "1" : "F";
    }
    return of.equals(interlaced(length, k))
        ? "I" + k
        : of.equals(blocks(length, k)) ? "B" + k : ": " + k + " classes";
  }

  /** The class of each index, modulo K. */
  public static List<Integer> interlaced(int length, int classes) {
    return IntStream.range(0, length).mapToObj(k -> k % classes).toList();
  }

  /** The class of each index for K blocks, of which the first ones are one larger. */
  public static List<Integer> blocks(int length, int classes) {
    int size = length / classes;
    int rest = length % classes;
    int larger = rest * (size + 1);
    return IntStream.range(0, length)
        .mapToObj(k -> k < larger ? k / (size + 1) : (k - rest) / size)
        .toList();
  }

  /** P. */
  public int timeClasses() {
    return Collections.max(times) + 1;
  }

  /** S. */
  public int spinClasses() {
    return Collections.max(spins) + 1;
  }

  /** V. */
  public int vectorClasses() {
    return Collections.max(vectors) + 1;
  }

  /** D = S · V, the projectors of one time class. */
  public int size() {
    return spinClasses() * vectorClasses();
  }

  /** The projector of a time class that keeps a spin and an eigenvector. */
  public int projector(int spin, int vector) {
    return spins.get(spin) * vectorClasses() + vectors.get(vector);
  }

  /**
   * Adds φ = τ P ρ of one source time to sinks.
   *
   * @param tau τ(t,t'), [4][4][N][N], in the same spin basis as all
   * @param rho ρ, [T][4][N], interleaved complex
   * @param time t'
   * @param phi φ(t) of the class of t', [S][V][4][N]
   */
  public void add(HostMemory tau, double[] rho, int time, double[] phi) {
    int n = vectors.size();
    int classes = vectorClasses();
    double[] row = new double[2 * n];
    double[] sums = new double[2 * classes];
    for (int abi = 0; abi < SPINS * SPINS * n; abi++) {
      int b = abi / n % SPINS;
      tau.get(2L * abi * n, row, 0, row.length);
      Arrays.fill(sums, 0);
      for (int j = 0; j < n; j++) {
        int at = 2 * ((time * SPINS + b) * n + j);
        int v = 2 * vectors.get(j);
        sums[v] += row[2 * j] * rho[at] - row[2 * j + 1] * rho[at + 1];
        sums[v + 1] += row[2 * j] * rho[at + 1] + row[2 * j + 1] * rho[at];
      }
      for (int v = 0; v < classes; v++) {
        int d = spins.get(b) * classes + v;
        int to = 2 * ((d * SPINS + abi / n / SPINS) * n + abi % n);
        phi[to] += sums[2 * v];
        phi[to + 1] += sums[2 * v + 1];
      }
    }
  }
}
