package org.starlingqcd.graph.plan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * An optimization that may be left out. All give the same correlators but for rounding; they differ
 * in work and memory.
 */
public enum Optimization {
  /**
   * Compute one of a cycle and its complex conjugate, which is the reversed cycle with adjoint
   * elementals.
   */
  GAMMA5_HERMITICITY,
  /** Share one element between products that differ only by their leftmost gamma. */
  END_GAMMAS,
  /** Accumulate products that enter only through one linear combination in one element. */
  ACCUMULATION,
  /** Improve the greedy reduction by a search. */
  SEARCH,
  /** Compute the traces of many elements with many others as one matrix product. */
  TRACE_BLOCKS,
  /**
   * Drop nodes and build them again instead of moving them. Where the budget would be exceeded, up
   * to a quarter more work is spent on this; without a budget, up to one per cent more work to
   * lower the peak.
   */
  NODE_REBUILDING;

  /** The optimizations that decide the plan. The others decide how its queue is made. */
  public static final Set<Optimization> OF_THE_PLAN =
      Collections.unmodifiableSet(EnumSet.range(GAMMA5_HERMITICITY, SEARCH));

  /** The optimizations of two sets, in the order of this type. */
  public static Set<Optimization> union(Set<Optimization> one, Set<Optimization> other) {
    EnumSet<Optimization> all = EnumSet.noneOf(Optimization.class);
    all.addAll(one);
    all.addAll(other);
    return Collections.unmodifiableSet(all);
  }

  /** The name in options, settings and reports. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
