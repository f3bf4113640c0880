package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
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
        classes(path, group, attributes, NAMES.get(1), SpinMatrix.SPINS),
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
}
