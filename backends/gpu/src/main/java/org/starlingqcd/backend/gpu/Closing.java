package org.starlingqcd.backend.gpu;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What is to be given back, last taken first given. Every step runs, whatever the others do; the
 * first failure is kept, with the others attached to it.
 */
public final class Closing {
  private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
  private @Nullable RuntimeException failure;

  /** Notes a step for {@link #runAll}. */
  void add(Runnable step) {
    steps.push(step);
  }

  /** Runs all steps noted. */
  void runAll() {
    while (!steps.isEmpty()) {
      run(steps.pop());
    }
  }

  /** Runs a step now. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** Notes a failure. */
  void failed(RuntimeException e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e) {
      failure.addSuppressed(e);
    }
  }

  /** Throws the first failure, if there was one. */
  void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }
}
