package org.starlingqcd.graph.schedule;

import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;

/** An order in which the contractions of a queue may run. */
public enum StepOrder {
  /** The order in which the diagrams come. */
  GIVEN,
  /**
   * One tree of products after the other: all traces with the first factor's tree, then the next.
   */
  TREE,
  /** An element's traces run as soon as their other factor is there. */
  SIBLING,
  /** Next comes the element that loads least and frees most. */
  GREEDY,
  /** {@link #GREEDY}, improved by moving elements about while the peak falls. */
  SEARCHED,
  /** The one of all these that moves the fewest bytes; among equal ones, that of lowest peak. */
  AUTOMATIC;

  /**
   * The orders that {@link #AUTOMATIC} tries for a plan; the dear ones only for plans not large.
   */
  public static List<StepOrder> candidates(ContractionPlan plan) {
    return Scheduling.candidates(plan);
  }
}
