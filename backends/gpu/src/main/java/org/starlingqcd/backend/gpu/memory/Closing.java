package org.starlingqcd.backend.gpu.memory;

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
  public void add(Runnable step) {
    steps.push(step);
  }

  /** Runs all steps noted. */
  public void runAll() {
    while (!steps.isEmpty()) {
      run(steps.pop());
    }
  }

  /** Runs a step now. */
  public void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** Notes a failure. */
  public void failed(RuntimeException e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e) {
      failure.addSuppressed(e);
    }
  }

  /** Throws the first failure, if there was one. */
  public void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }
}
