package org.starlingqcd.graph;

/** A time slice before it is bound to a number. */
public enum TimeSlot {
  /** {@code t0 + dt}, or the time of a one-point function. */
  SINK,
  /** {@code t0}. */
  SOURCE;

  /** The other one. */
  public TimeSlot other() {
    return this == SINK ? SOURCE : SINK;
  }
}
