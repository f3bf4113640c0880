package org.starlingqcd.graph.plan;

import java.util.EnumSet;
import java.util.Set;

/**
 * How the diagrams of a set are reduced to a {@link ContractionPlan}.
 *
 * @param leftOut optimizations that are not used; those of the queue are ignored
 * @param labelsWithoutGamma5 perambulator labels for which γ5-hermiticity does not hold
 * @param mixedComponents whether one component of a baryon may need both components of the Dirac
 *     basis, as in data whose spin basis mixes them
 * @param searchSteps cycles that the improvement search may look at again; 0 without {@link
 *     Optimization#SEARCH}
 * @param seed seed of the improvement search
 */
public record ReducerOptions(
    Set<Optimization> leftOut,
    Set<String> labelsWithoutGamma5,
    boolean mixedComponents,
    long searchSteps,
    long seed) {

  /**
   * This takes a fraction of a second. Twice as many steps save one or two per cent of the
   * products.
   */
  private static final long DEFAULT_SEARCH_STEPS = 100_000;

  /** Copies the sets and checks the step limit. */
  public ReducerOptions {
    if (searchSteps < 0) {
      throw new IllegalArgumentException("must be >= 0: searchSteps=" + searchSteps);
    }
    EnumSet<Optimization> ofThePlan = EnumSet.copyOf(Optimization.OF_THE_PLAN);
    ofThePlan.retainAll(leftOut);
    leftOut = Optimization.union(ofThePlan, Set.of());
    labelsWithoutGamma5 = Set.copyOf(labelsWithoutGamma5);
    searchSteps = leftOut.contains(Optimization.SEARCH) ? 0 : searchSteps;
  }

  /** Options with the usual search. */
  public ReducerOptions(
      Set<Optimization> leftOut, Set<String> labelsWithoutGamma5, boolean mixedComponents) {
    this(leftOut, labelsWithoutGamma5, mixedComponents, DEFAULT_SEARCH_STEPS, 1);
  }

  /** Every optimization, and γ5-hermiticity for all labels. */
  public static ReducerOptions standard() {
    return new ReducerOptions(Set.of(), Set.of(), false);
  }

  /** These options with more optimizations left out. */
  public ReducerOptions without(Set<Optimization> optimizations) {
    return new ReducerOptions(
        Optimization.union(leftOut, optimizations),
        labelsWithoutGamma5,
        mixedComponents,
        searchSteps,
        seed);
  }

  /** Whether an optimization is used. */
  public boolean uses(Optimization optimization) {
    return !leftOut.contains(optimization);
  }

  /** Whether γ5-hermiticity is used for lines of a label. */
  public boolean gamma5For(String label) {
    return uses(Optimization.GAMMA5_HERMITICITY) && !labelsWithoutGamma5.contains(label);
  }
}
