package org.starlingqcd.graph.schedule;

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
  /** The one of all these with the least simulated traffic, then the lowest peak. */
  AUTOMATIC
}
