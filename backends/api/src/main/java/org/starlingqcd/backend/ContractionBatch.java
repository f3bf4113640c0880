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
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One contraction.
   *
   * @param coefficientRe real part of its coefficient
   * @param coefficientIm imaginary part of its coefficient
   * @param accumulates whether it adds to its destination
   */
  public record Entry(
      DeviceMemory left,
      DeviceMemory right,
      DeviceMemory destination,
      BatchSpinMapping mapping,
      double coefficientRe,
      double coefficientIm,
      boolean accumulates) {}

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
    entries.add(
        new Entry(left, right, destination, mapping, coefficientRe, coefficientIm, accumulate));
  }

  /** Empties the batch. */
  public void clear() {
    entries.clear();
  }

  /** Number of contractions. */
  public int size() {
    return entries.size();
  }

  /** Contraction {@code k}. */
  public Entry get(int k) {
    return entries.get(k);
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

  /**
   * Flops of the whole batch, {@code 8 · rows · columns · inner} for each entry of each mapping.
   */
  public double flops() {
    double products = 0;
    for (Entry entry : entries) {
      products += entry.mapping().size();
    }
    return 8.0 * rows * columns * inner * products;
  }
}
