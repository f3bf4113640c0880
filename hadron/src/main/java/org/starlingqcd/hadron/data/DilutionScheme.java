package org.starlingqcd.hadron.data;

import java.util.Collections;
import java.util.List;

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
  /** Copies the lists. */
  public DilutionScheme {
    times = List.copyOf(times);
    spins = List.copyOf(spins);
    vectors = List.copyOf(vectors);
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
