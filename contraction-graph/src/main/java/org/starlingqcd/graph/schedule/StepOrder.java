package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;

/** An order in which the contractions of a queue may run. */
public enum StepOrder {
  /** The order in which the diagrams come. */
  GIVEN,
  /**
   * The order works through one tree of products after the other: all traces with the tree of the
   * first factor, then those with the next.
   */
  TREE,
  /** An element's traces run as soon as their other factor is there. */
  SIBLING,
  /** Next comes the element that loads least and frees most. */
  GREEDY,
  /** {@link #GREEDY}, improved by moving elements to other positions while the peak falls. */
  SEARCHED,
  /**
   * The order among all of these that moves the fewest bytes; among equal ones, the one with the
   * lowest peak.
   */
  AUTOMATIC;

  /**
   * The orders that {@link #AUTOMATIC} tries for a plan; it leaves out expensive ones for large
   * plans.
   */
  public static List<StepOrder> candidates(ContractionPlan plan) {
    List<StepOrder> candidates = new ArrayList<>(List.of(GIVEN, TREE, SIBLING));
    if (plan.traces().size() <= Scheduling.LARGE) {
      candidates.addAll(List.of(GREEDY, SEARCHED));
    }
    return candidates;
  }
}
