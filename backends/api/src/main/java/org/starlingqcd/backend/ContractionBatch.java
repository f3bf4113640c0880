package org.starlingqcd.backend;

import java.util.ArrayList;
import java.util.List;

/**
 * One vector pair: independent contractions of equal matrix shape, run by a device as one batch.
 * Entry {@code k} computes {@code destination = (accumulate ? destination : 0) + coefficient * Σ_b
 * factor_b · left[s_b] · right[s'_b]}, where every product is (rows × inner) times (inner ×
 * columns).
 *
 * <p>Destinations are distinct from each other and from all inputs of the batch, except that
 * consecutive entries may accumulate into one destination; a device preserves their order. The
 * object can be reused: {@link #clear} empties it. A contraction counts {@code 8 · rows · columns ·
 * inner} flops for each entry of its mapping.
 */
public final class ContractionBatch {
  private final int rows;
  private final int columns;
  private final int inner;
  private final List<DeviceMemory> left = new ArrayList<>();
  private final List<DeviceMemory> right = new ArrayList<>();
  private final List<DeviceMemory> destination = new ArrayList<>();
  private final List<BatchSpinMapping> mappings = new ArrayList<>();
  private final List<Boolean> accumulate = new ArrayList<>();
  private double[] coefficients = new double[32];

  /** A batch of products (rows × inner) · (inner × columns). */
  public ContractionBatch(int rows, int columns, int inner) {
    if (rows < 1 || columns < 1 || inner < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: rows=" + rows + " columns=" + columns + " inner=" + inner);
    }
    this.rows = rows;
    this.columns = columns;
    this.inner = inner;
  }

  /** Adds a contraction with coefficient 1 that overwrites its destination. */
  public void add(
      DeviceMemory left, DeviceMemory right, DeviceMemory destination, BatchSpinMapping mapping) {
    add(left, right, destination, mapping, 1, 0, false);
  }

  /** Adds a contraction. */
  public void add(
      DeviceMemory left,
      DeviceMemory right,
      DeviceMemory destination,
      BatchSpinMapping mapping,
      double coefficientRe,
      double coefficientIm,
      boolean accumulate) {
    int k = this.left.size();
    this.left.add(left);
    this.right.add(right);
    this.destination.add(destination);
    this.mappings.add(mapping);
    this.accumulate.add(accumulate);
    if (coefficients.length < 2 * k + 2) {
      coefficients = java.util.Arrays.copyOf(coefficients, 4 * k + 4);
    }
    coefficients[2 * k] = coefficientRe;
    coefficients[2 * k + 1] = coefficientIm;
  }

  /** Empties the batch. */
  public void clear() {
    left.clear();
    right.clear();
    destination.clear();
    mappings.clear();
    accumulate.clear();
  }

  /** Number of contractions. */
  public int size() {
    return left.size();
  }

  /** Rows of every product. */
  public int rows() {
    return rows;
  }

  /** Columns of every product. */
  public int columns() {
    return columns;
  }

  /** Length of the summed index. */
  public int inner() {
    return inner;
  }

  /** Left input of contraction {@code k}. */
  public DeviceMemory left(int k) {
    return left.get(k);
  }

  /** Right input of contraction {@code k}. */
  public DeviceMemory right(int k) {
    return right.get(k);
  }

  /** Destination of contraction {@code k}. */
  public DeviceMemory destination(int k) {
    return destination.get(k);
  }

  /** Spin mapping of contraction {@code k}. */
  public BatchSpinMapping mapping(int k) {
    return mappings.get(k);
  }

  /** Real part of the coefficient of contraction {@code k}. */
  public double coefficientRe(int k) {
    return coefficients[2 * k];
  }

  /** Imaginary part of the coefficient of contraction {@code k}. */
  public double coefficientIm(int k) {
    return coefficients[2 * k + 1];
  }

  /** Whether contraction {@code k} adds to its destination. */
  public boolean accumulate(int k) {
    return accumulate.get(k);
  }

  /**
   * Flops of the whole batch, {@code 8 · rows · columns · inner} for each entry of each mapping.
   */
  public double flops() {
    double entries = 0;
    for (BatchSpinMapping mapping : mappings) {
      entries += mapping.size();
    }
    return 8.0 * rows * columns * inner * entries;
  }
}
