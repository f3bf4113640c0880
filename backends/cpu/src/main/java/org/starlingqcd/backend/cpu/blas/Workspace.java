package org.starlingqcd.backend.cpu.blas;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;

/**
 * The tools of one thread: its BLAS calls and scratch memory, which grows on demand and is kept.
 */
public final class Workspace implements AutoCloseable {
  /** Rows of zeros before the rows of {@link #rowsAfterZeros}. */
  private static final int ZERO_ROWS = 2;

  private final Blas blas;
  private final Blas doubles;
  private final MatrixBlas matrices;
  private final Transposition transposition;
  private final Growing scratch = new Growing();
  private final Growing widened = new Growing();
  private @Nullable HostMemory rows;
  private int rowLength;
  private double[] numbers = new double[0];

  /**
   * Creates a workspace with the vector loops or with BLAS calls in their place.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   * @param precision of elements
   */
  public Workspace(boolean vectorLoops, Precision precision) {
    blas = new Blas(vectorLoops, precision);
    doubles = precision == Precision.DOUBLE ? blas : new Blas(vectorLoops, Precision.DOUBLE);
    matrices = new MatrixBlas(vectorLoops);
    transposition = new Transposition(doubles, CoreType.hasSmallMatrixKernels(CoreType.active()));
  }

  /** Calls on numbers of the precision of elements. */
  public Blas blas() {
    return blas;
  }

  /** Calls on numbers in double precision. */
  public Blas doubles() {
    return doubles;
  }

  /** Calls on matrices in double precision or of interleaved complex numbers. */
  public MatrixBlas matrices() {
    return matrices;
  }

  /** Transposes matrices in double precision. */
  public Transposition transposition() {
    return transposition;
  }

  /**
   * Address of at least {@code count} rows of {@code length} doubles off the heap, preceded by two
   * rows of zeros. The next call overwrites the rows but not the zeros.
   */
  public long rowsAfterZeros(int count, int length) {
    long bytes = (long) Double.BYTES * (ZERO_ROWS + count) * length;
    HostMemory held = rows;
    if (held == null || held.bytes() < bytes || rowLength != length) {
      if (held == null || held.bytes() < bytes) {
        closeRows();
        held = HostMemory.allocateForDevice(bytes);
        rows = held;
      }
      rowLength = length;
      doubles.clear(ZERO_ROWS * length, held.address());
    }
    return held.address() + (long) Double.BYTES * ZERO_ROWS * length;
  }

  /** Address of at least {@code doubles} numbers off the heap; overwritten by the next call. */
  public long scratch(long doubles) {
    return scratch.atLeast(doubles);
  }

  /** As {@link #scratch}, but separate memory, for numbers of elements in double precision. */
  public long widened(long doubles) {
    return widened.atLeast(doubles);
  }

  /** An array of at least {@code length} numbers; overwritten by the next call. */
  public double[] numbers(int length) {
    if (numbers.length < length) {
      numbers = new double[length];
    }
    return numbers;
  }

  private void closeRows() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }

  @Override
  public void close() {
    scratch.close();
    closeRows();
    widened.close();
    transposition.close();
    matrices.close();
  }

  /** Memory that grows and is kept. */
  static final class Growing {
    private @Nullable HostMemory held;

    long atLeast(long doubles) {
      HostMemory memory = held;
      if (memory == null || memory.bytes() < doubles * Double.BYTES) {
        close();
        memory = HostMemory.allocateForDevice(doubles * Double.BYTES);
        held = memory;
      }
      return memory.address();
    }

    void close() {
      if (held != null) {
        held.close();
        held = null;
      }
    }
  }
}
