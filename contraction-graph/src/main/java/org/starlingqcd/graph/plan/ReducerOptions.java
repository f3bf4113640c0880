package org.starlingqcd.graph.plan;

import java.util.Set;
import org.starlingqcd.graph.reduce.Reducer;

/**
 * What the {@link Reducer} may use. Every switch alone and all together give the same correlators;
 * they differ in work.
 *
 * @param gamma5Hermiticity compute one of a cycle and its complex conjugate, which is the reversed
 *     cycle with adjoint elementals
 * @param labelsWithoutGamma5 perambulator labels for which γ5-hermiticity does not hold
 * @param endGammas let products that differ only by their leftmost gamma share data
 * @param accumulation add products that enter only through one linear combination into one element
 * @param searchSteps cycles that the improvement search may look at again; 0 leaves the greedy
 *     reduction as it is
 * @param seed seed of the improvement search
 * @param mixedComponents whether a component of a baryon may need both of the Dirac basis, as in
 *     data whose spin basis mixes them, and not its own alone
 */
public record ReducerOptions(
    boolean gamma5Hermiticity,
    Set<String> labelsWithoutGamma5,
    boolean endGammas,
    boolean accumulation,
    long searchSteps,
    long seed,
    boolean mixedComponents) {

  /** A fraction of a second; twice as many save one or two products in a hundred. */
  public static final long DEFAULT_SEARCH_STEPS = 100_000;

  /** Copies the set and checks the step limit. */
  public ReducerOptions {
    labelsWithoutGamma5 = Set.copyOf(labelsWithoutGamma5);
    if (searchSteps < 0) {
      throw new IllegalArgumentException("must be >= 0: searchSteps=" + searchSteps);
    }
  }

  /** Everything on, γ5-hermiticity for all labels. */
  public static ReducerOptions standard() {
    return new ReducerOptions(true, Set.of(), true, true, DEFAULT_SEARCH_STEPS, 1, false);
  }

  /** Sharing of equal products only, as the greedy finds it. */
  public static ReducerOptions sharingOnly() {
    return new ReducerOptions(false, Set.of(), true, false, 0, 1, false);
  }

  /** These options with γ5-hermiticity on or off. */
  public ReducerOptions withGamma5Hermiticity(boolean on) {
    return new ReducerOptions(
        on, labelsWithoutGamma5, endGammas, accumulation, searchSteps, seed, mixedComponents);
  }

  /** These options with γ5-hermiticity ruled out for some labels. */
  public ReducerOptions withLabelsWithoutGamma5(Set<String> labels) {
    return new ReducerOptions(
        gamma5Hermiticity, labels, endGammas, accumulation, searchSteps, seed, mixedComponents);
  }

  /** These options with the sharing of products up to their leftmost gamma on or off. */
  public ReducerOptions withEndGammas(boolean on) {
    return new ReducerOptions(
        gamma5Hermiticity,
        labelsWithoutGamma5,
        on,
        accumulation,
        searchSteps,
        seed,
        mixedComponents);
  }

  /** These options with accumulation on or off. */
  public ReducerOptions withAccumulation(boolean on) {
    return new ReducerOptions(
        gamma5Hermiticity, labelsWithoutGamma5, endGammas, on, searchSteps, seed, mixedComponents);
  }

  /** These options with another limit and seed of the improvement search. */
  public ReducerOptions withSearch(long steps, long searchSeed) {
    return new ReducerOptions(
        gamma5Hermiticity,
        labelsWithoutGamma5,
        endGammas,
        accumulation,
        steps,
        searchSeed,
        mixedComponents);
  }

  public boolean gamma5For(String label) {
    return gamma5Hermiticity && !labelsWithoutGamma5.contains(label);
  }

  /** These options for data that mix the components of baryons, or do not. */
  public ReducerOptions withMixedComponents(boolean mixed) {
    return new ReducerOptions(
        gamma5Hermiticity, labelsWithoutGamma5, endGammas, accumulation, searchSteps, seed, mixed);
  }
}
