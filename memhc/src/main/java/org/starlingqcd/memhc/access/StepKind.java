package org.starlingqcd.memhc.access;

/** What a step of a queue computes; the order is that of the numbers in a trace file. */
public enum StepKind {
  /** Not known. */
  OTHER,
  /** A product of matrices or tensors. */
  PRODUCT,
  /** A trace that gives numbers on the host. */
  TRACE,
  /** A sum over spins. */
  SUM,
  /** The contraction of a pair of baryon blocks. */
  PAIR,
  /** A task of a task graph. */
  TASK,
  /** A call of a library. */
  CALL;

  private static final StepKind[] ALL = values();

  static StepKind of(int number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalArgumentException("must be >= 0 && < " + ALL.length + ": kind=" + number);
    }
    return ALL[number];
  }
}
