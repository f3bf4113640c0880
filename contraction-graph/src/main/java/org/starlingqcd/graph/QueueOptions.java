package org.starlingqcd.graph;

/**
 * How an execution queue is cut into vectors.
 *
 * @param vectorSize most steps of a vector
 */
public record QueueOptions(int vectorSize) {
  /** Checks the size. */
  public QueueOptions {
    if (vectorSize < 1) {
      throw new IllegalArgumentException("must be >= 1: vectorSize=" + vectorSize);
    }
  }

  /** Vectors of sixteen steps. */
  public static QueueOptions standard() {
    return new QueueOptions(16);
  }
}
