package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Steps that release resources, in the reverse order of their acquisition. Every step runs even if
 * others fail. The first failure is kept, with the others attached as suppressed.
 */
public final class Closing {
  private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
  private @Nullable RuntimeException failure;

  /** Adds a step for {@link #runAll}. */
  public void add(Runnable step) {
    steps.push(step);
  }

  /** Runs all added steps. */
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
