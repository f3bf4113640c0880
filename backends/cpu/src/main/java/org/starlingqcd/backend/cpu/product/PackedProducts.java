package org.starlingqcd.backend.cpu.product;

import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.backend.cpu.blas.Caches;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

/**
 * Contractions by micro-kernels of our own ({@code product_kernel.h}): a product of matrices of
 * spins, 4 × 4 by 4 × 4 for nodes and 1 × 1 by 1 × 16 for building a node, is computed as one
 * product of large matrices that the kernels pack, panel by panel, from the components where they
 * lie. Factors and the sums of real and imaginary parts, which three real products for a complex
 * one need, are made while packing, so nothing is prepared before.
 *
 * <p>Mappings that are no such product run row of destinations by row of destinations. Every
 * destination is cut into rectangles of rows and columns. The order of every sum depends only on
 * the length of the summed index, so a result has the same bits in every batch and on every number
 * of threads.
 *
 * @param threeProducts whether a complex product consists of three real ones instead of four
 * @param strassen whether products of an even number of spins use Strassen's scheme
 */
record PackedProducts(Contractions work, boolean threeProducts, boolean strassen)
    implements Scheme {
  /** Least rows or columns of a part: packing would cost more than the threads gain. */
  private static final int LEAST = 32;

  /** Rows and columns that the kernels compute together. */
  private static final int GROUP = 8;

  /**
   * Bytes of the destinations of a bundle with Strassen's scheme, which meets them several times:
   * they are to stay in the third-level cache.
   */
  private static final long STRASSEN_BYTES = 16L << 20;

  private static final int MESON_SPINS = 16;

  @Override
  public int mostBundled(FusedPlan plan) {
    if (!usesStrassen(plan)) {
      return Integer.MAX_VALUE;
    }
    long bytes = 2L * work.bytes * work.blocking.destination.size() * MESON_SPINS;
    return (int) Math.max(1, STRASSEN_BYTES / bytes);
  }

  @Override
  public Cut cut(List<Contraction> group, int parts) {
    Blocking.Matrix to = work.blocking.destination;
    int mostRows = Math.max(1, to.rows / LEAST);
    int mostColumns = Math.max(1, to.columns / LEAST);
    int wanted = (int) Math.min(parts, (long) mostRows * mostColumns);
    int rows = 1;
    int columns = 1;
    // Every cut in rows packs the right again, every cut in columns the left.
    while (rows * columns < wanted) {
      boolean inRows =
          columns == mostColumns
              || (rows < mostRows && (long) to.rows * columns >= (long) to.columns * rows);
      if (inRows) {
        rows++;
      } else {
        columns++;
      }
    }
    int[] rowBounds = bounds(to.rows, rows);
    int[] columnBounds = bounds(to.columns, columns);
    int across = columns;
    return new Cut(
        rows * columns,
        (c, part, left, right, workspace) -> {
          for (SpinProduct product : products(c)) {
            long[] numbers = numbers(product);
            numbers[13] = rowBounds[part / across];
            numbers[14] = rowBounds[part / across + 1];
            numbers[15] = columnBounds[part % across];
            numbers[16] = columnBounds[part % across + 1];
            product.run(numbers, workspace);
          }
        });
  }

  /** Cuts an extent into parts of about the same length that begin where kernels may. */
  private static int[] bounds(int extent, int parts) {
    int groups = (extent + GROUP - 1) / GROUP;
    return IntStream.rangeClosed(0, parts)
        .map(part -> (int) Math.min(extent, (long) groups * part / parts * GROUP))
        .toArray();
  }

  private List<SpinProduct> products(Contraction c) {
    FusedPlan fused = c.plan.fused;
    if (fused == null) {
      return SpinProduct.rowByRow(c);
    }
    return SpinProduct.of(c.bundle, usesStrassen(fused));
  }

  private boolean usesStrassen(FusedPlan plan) {
    return strassen && SpinProduct.canHalve(plan);
  }

  /** What {@link VectorLoops#product} is told, but for the part. */
  private long[] numbers(SpinProduct product) {
    Blocking blocking = work.blocking;
    long[] numbers = new long[19];
    put(numbers, 0, blocking.left);
    put(numbers, 3, blocking.right);
    put(numbers, 6, blocking.destination);
    numbers[9] = product.rows;
    numbers[10] = product.inner;
    numbers[11] = product.columns;
    numbers[12] = threeProducts ? 3 : 4;
    numbers[17] = Caches.secondLevel();
    numbers[18] = work.bytes;
    return numbers;
  }

  private static void put(long[] numbers, int at, Blocking.Matrix matrix) {
    Tiling tiling = matrix.tiling;
    numbers[at] = matrix.rows;
    numbers[at + 1] = matrix.columns;
    numbers[at + 2] = tiling.isTiled() && tiling.tiles() > 1 ? tiling.edge() : 0;
  }
}
