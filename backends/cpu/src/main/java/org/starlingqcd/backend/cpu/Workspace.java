package org.starlingqcd.backend.cpu;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/** What one thread computes with: its BLAS calls and scratch memory that grows and is kept. */
final class Workspace implements AutoCloseable {
  /** Rows of zeros before the rows of {@link #rowsAfterZeros}. */
  private static final int ZERO_ROWS = 2;

  private final Blas blas;
  private final ComplexProducts complexProducts = new ComplexProducts();
  private final Transposition transposition;
  private @Nullable HostMemory scratch;
  private @Nullable HostMemory rows;
  private @Nullable HostMemory shared;
  private int rowLength;
  private double[] numbers = new double[0];

  Workspace() {
    this(VectorLoops.isAvailable());
  }

  /**
   * Chooses between ways of computing the same.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   */
  Workspace(boolean vectorLoops) {
    blas = new Blas(vectorLoops);
    transposition = new Transposition(blas, CoreType.hasSmallMatrixKernels(CoreType.active()));
  }

  Blas blas() {
    return blas;
  }

  /** Multiplies complex matrices. */
  ComplexProducts complexProducts() {
    return complexProducts;
  }

  /** Transposes matrices. */
  Transposition transposition() {
    return transposition;
  }

  /**
   * Address of at least {@code count} rows of {@code length} numbers off the heap, which follow two
   * rows of zeros; overwritten by the next call, except for the zeros.
   */
  long rowsAfterZeros(int count, int length) {
    long bytes = (long) Double.BYTES * (ZERO_ROWS + count) * length;
    HostMemory held = rows;
    if (held == null || held.bytes() < bytes || rowLength != length) {
      if (held == null || held.bytes() < bytes) {
        closeRows();
        held = HostMemory.allocate(bytes);
        rows = held;
      }
      rowLength = length;
      blas.clear(ZERO_ROWS * length, held.address());
    }
    return held.address() + (long) Double.BYTES * ZERO_ROWS * length;
  }

  /** Address of at least {@code doubles} numbers off the heap; overwritten by the next call. */
  long scratch(long doubles) {
    HostMemory held = scratch;
    if (held == null || held.bytes() < doubles * Double.BYTES) {
      closeScratch();
      held = HostMemory.allocate(doubles * Double.BYTES);
      scratch = held;
    }
    return held.address();
  }

  /** The same, other numbers, for work that several threads take part in. */
  long shared(long doubles) {
    HostMemory held = shared;
    if (held == null || held.bytes() < doubles * Double.BYTES) {
      closeShared();
      held = HostMemory.allocate(doubles * Double.BYTES);
      shared = held;
    }
    return held.address();
  }

  private void closeShared() {
    if (shared != null) {
      shared.close();
      shared = null;
    }
  }

  /** An array of at least {@code length} numbers; overwritten by the next call. */
  double[] numbers(int length) {
    if (numbers.length < length) {
      numbers = new double[length];
    }
    return numbers;
  }

  private void closeScratch() {
    if (scratch != null) {
      scratch.close();
      scratch = null;
    }
  }

  private void closeRows() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }

  @Override
  public void close() {
    closeScratch();
    closeRows();
    closeShared();
    transposition.close();
    complexProducts.close();
  }
}
