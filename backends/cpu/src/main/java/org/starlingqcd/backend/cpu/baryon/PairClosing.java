package org.starlingqcd.backend.cpu.baryon;

import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Closes attached sums with some values of the open index of elementals at the other end. The
 * numbers needed of these elementals are packed first as {@code [plane][other][row][number]}; of
 * antisymmetric ones only half is needed. A column is a sum and a value of the slice.
 */
final class PairClosing {
  private final int n;
  private final long bytes;

  /** Whether the elementals at the other end are antisymmetric. */
  final boolean half;

  private final boolean exact;
  private final int numbers;
  private final int rowStep;
  private final int columnStep;

  /**
   * Prepares to close.
   *
   * @param half whether the elementals at the other end are antisymmetric
   * @param exact whether there are only two planes
   */
  PairClosing(PairContraction contraction, boolean half, boolean exact) {
    n = contraction.extent();
    bytes = contraction.precision().realBytes();
    this.half = half;
    this.exact = exact;
    numbers = numbers(n, half);
    rowStep = contraction.sinkAttached() ? n : 1;
    columnStep = contraction.sinkAttached() ? 1 : n;
  }

  /** Numbers needed of an elemental for a value of its open index. */
  static int numbers(int n, boolean half) {
    return half ? n * (n - 1) / 2 : n * n;
  }

  /** Elementals packed for some values of their open index. */
  record Packed(long address, int others, int firstRow, int rows) {}

  /** Both lines attached for some sums and values of the open index, {@code [sum][value]}. */
  record Columns(long address, long plane, int sums, int slice, int start) {
    int count() {
      return sums * slice;
    }
  }

  /** Bytes of a packed plane. */
  long plane(Packed packed) {
    return bytes * packed.others() * packed.rows() * numbers;
  }

  /** Packs some rows of an elemental. */
  void pack(Blas blas, long elemental, Packed packed, int other, int row, int count) {
    int square = n * n;
    long plane = plane(packed);
    long from = elemental + bytes * (packed.firstRow() + row) * square;
    long to = packed.address() + bytes * ((long) other * packed.rows() + row) * numbers;
    if (half) {
      blas.upperTriangles(count, n, !exact, from, bytes * n * square, to, plane);
      return;
    }
    blas.move(count * square, from, to);
    blas.move(count * square, from + bytes * n * square, to + plane);
    if (!exact) {
      blas.sum((long) count * square, to, to + plane, to + 2 * plane);
    }
  }

  /**
   * Closes all columns with packed elementals, by {@link VectorLoops}.
   *
   * @param blocks for each elemental and each sum the address of the n × n matrix to write into
   */
  void close(Packed packed, Columns columns, long[] blocks, long scratch) {
    VectorLoops.closePacked(
        bytes,
        packed.address(),
        plane(packed) / bytes,
        packed.others(),
        packed.rows(),
        columns.address(),
        columns.plane() / bytes,
        numbers,
        columns.sums(),
        columns.slice(),
        blocks,
        shift(packed.firstRow(), columns),
        rowStep,
        columnStep,
        (long) n * n,
        scratch);
  }

  /** Closes all columns with some rows of an elemental, by {@link VectorLoops}. */
  void closeRows(
      Workspace own, long elemental, int row, int count, Columns columns, long[] blocks) {
    long square = (long) n * n;
    VectorLoops.closeRows(
        bytes,
        n,
        half,
        elemental + bytes * row * square,
        n * square,
        count,
        columns.address(),
        columns.plane() / bytes,
        numbers,
        columns.sums(),
        columns.slice(),
        blocks,
        shift(row, columns),
        rowStep,
        columnStep,
        square,
        own.scratch(VectorLoops.closeScratch(count, columns.count())));
  }

  private long shift(int row, Columns columns) {
    return (long) row * rowStep + (long) columns.start() * columnStep;
  }

  /**
   * Closes some columns by BLAS.
   *
   * @param blocks for each elemental and each sum the address of the n × n matrix to write into
   */
  void close(
      Workspace own,
      Packed packed,
      Columns columns,
      int column,
      int count,
      long[] blocks,
      long scratch) {
    int allRows = packed.others() * packed.rows();
    long shift = bytes * shift(packed.firstRow(), columns);
    Blas blas = own.blas();
    long plane = bytes * allRows * count;
    PlaneProducts.multiply(
        blas,
        exact,
        true,
        allRows,
        count,
        numbers,
        1,
        packed.address(),
        plane(packed),
        columns.address() + bytes * column * numbers,
        columns.plane(),
        false,
        scratch,
        plane);
    if (!exact) {
      blas.finishThree(plane / bytes, scratch, plane);
    }
    for (int row = 0; row < allRows; row++) {
      int run;
      for (int done = 0; done < count; done += run) {
        int i = (column + done) % columns.slice();
        run = Math.min(columns.slice() - i, count - done);
        long target =
            blocks[row / packed.rows() * columns.sums() + (column + done) / columns.slice()]
                + shift
                + bytes * ((long) row % packed.rows() * rowStep + (long) i * columnStep);
        long from = scratch + bytes * ((long) row * count + done);
        blas.copy(run, from, 1, target, columnStep);
        blas.copy(run, from + plane, 1, target + bytes * n * n, columnStep);
      }
    }
  }
}
