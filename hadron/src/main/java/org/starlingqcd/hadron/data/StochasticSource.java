package org.starlingqcd.hadron.data;

import java.util.List;
import java.util.Set;

/** Noises and quark sinks of one source. Implementations may be called from several threads. */
public interface StochasticSource {
  /**
   * The sinks of one noise of a set.
   *
   * @param classes the time classes that are stored
   */
  record Sinks(String set, String noise, DilutionScheme scheme, List<Integer> classes) {
    /** Copies the list. */
    public Sinks {
      classes = List.copyOf(classes);
    }
  }

  /** Names of the noises that are stored. */
  Set<String> noises();

  /** All sinks that are stored. */
  List<Sinks> sinks();

  /**
   * ρ(t)[β,j] at all times, [T][4][N], interleaved complex.
   *
   * @throws DistillationException when it cannot be read
   */
  double[] noise(String name);

  /**
   * φ(t)[α,i] of a stored time class, [S][V][4][N], interleaved complex.
   *
   * @throws DistillationException when it cannot be read
   */
  double[] sinks(Sinks sinks, int time, int timeClass);
}
