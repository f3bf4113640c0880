package org.starlingqcd.memhc.access;

import java.util.List;

/** What a step of a queue computes. Their order gives the numbers in a trace file. */
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

  private static final List<StepKind> KINDS = List.of(values());

  /** The number in a trace file. */
  int code() {
    return KINDS.indexOf(this);
  }

  static StepKind of(int code) {
    if (code < 0 || code >= KINDS.size()) {
      throw new IllegalArgumentException("no step has this kind: kind=" + code);
    }
    return KINDS.get(code);
  }
}
