package org.starlingqcd.backend.cpu;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/** What one thread computes with: its BLAS calls and scratch memory that grows and is kept. */
final class Workspace implements AutoCloseable {
  private final Blas blas = new Blas();
  private @Nullable HostMemory scratch;
  private double[] numbers = new double[0];

  Blas blas() {
    return blas;
  }

  /** Address of at least {@code doubles} numbers off the heap; overwritten by the next call. */
  long scratch(long doubles) {
    HostMemory held = scratch;
    if (held == null || held.bytes() < doubles * Double.BYTES) {
      close();
      held = HostMemory.allocate(doubles * Double.BYTES);
      scratch = held;
    }
    return held.address();
  }

  /** An array of at least {@code length} numbers; overwritten by the next call. */
  double[] numbers(int length) {
    if (numbers.length < length) {
      numbers = new double[length];
    }
    return numbers;
  }

  @Override
  public void close() {
    if (scratch != null) {
      scratch.close();
      scratch = null;
    }
  }
}
