package org.starlingqcd.graph;

/** The time slice of an operator while it is still symbolic. */
public enum TimeSlot {
  /** {@code t0 + dt}, or the time of a one-point function. */
  SINK,
  /** {@code t0}. */
  SOURCE,
  /** The time of a current, while diagrams are found. */
  INSERTION;
}
