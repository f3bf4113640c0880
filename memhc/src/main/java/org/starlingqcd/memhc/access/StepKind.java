package org.starlingqcd.memhc.access;

/** What a step of a queue computes. */
public enum StepKind {
  /** Not known. */
  OTHER(0),
  /** A product of matrices or tensors. */
  PRODUCT(1),
  /** A trace that gives numbers on the host. */
  TRACE(2),
  /** A sum over spins. */
  SUM(3),
  /** The contraction of a pair of baryon blocks. */
  PAIR(4),
  /** A task of a task graph. */
  TASK(5),
  /** A call of a library. */
  CALL(6);

  private final int code;

  StepKind(int code) {
    this.code = code;
  }

  /** The number in a trace file. */
  int code() {
    return code;
  }

  static StepKind of(int code) {
    for (StepKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no step has this kind: kind=" + code);
  }
}
