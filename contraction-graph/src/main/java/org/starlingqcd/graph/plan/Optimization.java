package org.starlingqcd.graph.plan;

import com.google.common.collect.Sets;
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
  /** Let products that differ only by their leftmost gamma share data. */
  END_GAMMAS,
  /** Add products that enter only through one linear combination into one element. */
  ACCUMULATION,
  /** Improve the greedy reduction by a search. */
  SEARCH,
  /** Run the traces of many elements with many others as one matrix product. */
  TRACE_BLOCKS,
  /**
   * Drop nodes and build them again rather than move them: as long as the budget would be exceeded,
   * for up to a quarter more work; with memory without bound, to lower the peak for up to one per
   * cent more work.
   */
  NODE_REBUILDING;

  /** The optimizations that decide the plan. The others decide how its queue is made. */
  public static final Set<Optimization> OF_THE_PLAN =
      Sets.immutableEnumSet(EnumSet.range(GAMMA5_HERMITICITY, SEARCH));

  /** The name in options, settings and reports. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
