package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;

/**
 * Baryon elementals by calls of BLAS. They are totally antisymmetric, so only i &lt; j &lt; k is
 * computed: for a block of values j, the cross products {@code u = v_i × v_j} of all i below the
 * block's end, which serve all momenta, then products {@code Σ_{x,c} u^c (e^{-ip·x} v_k^c)} with
 * all k above the block's first j. Where there are fewer k than i, the cross products are {@code
 * v_j × v_k}, and the other factor is v_i. With blocks of {@value #BLOCK} that is a sixth of N³ and
 * little more.
 *
 * <p>Cross products are made for some sites at a time, so that they are still in the processor's
 * cache when they are multiplied. The products are real, because {@code dgemm} is faster than
 * {@code zgemm}: real and imaginary parts of u, which are neighbours in memory, give a row of the
 * result each, and of w = e^{-ip·x} v_k a column each. A row of the real parts is then a row of
 * complex numbers {@code Σ Re(u) w}, to which i times the next row, {@code Σ Im(u) w}, is added.
 */
final class CrossProductElementals extends SliceElementals {
  /** Values of j taken together. */
  static final int BLOCK = 8;

  private static final int COLOURS = 3;

  /** Rows of {@link #left} for each site: colours 2 and 1, then 1 and 0 with the other sign. */
  private static final int LEFT = 4;

  private final int n;
  private final List<List<Momentum>> groups;
  private final List<Block> blocks = new ArrayList<>();

  /** Factors of cross products: {@code [site][v², v¹, -v¹, -v⁰][j]}. */
  private final HostArray left;

  /** Cross products of some sites and one block: {@code [site][colour][j][i]}. */
  private final HostArray crosses;

  /** The vectors k of a block times the phases of some sites: {@code [site][colour][k]}. */
  private final HostArray scaled;

  /** For each momentum of a group the sums of the present block, {@code [j][i][part of u][k]}. */
  private final List<HostArray> sums = new ArrayList<>();

  /** For each momentum of a group the phases for each site and colour. */
  private final List<HostArray> phase = new ArrayList<>();

  /** The values j0 to j1 of j. */
  private final class Block {
    final int j0;
    final int j1;

    /** Whether cross products are of j and k, not of i and j. */
    final boolean upper;

    /** First partner of j in cross products, and how many there are. */
    final int partner;

    final int partners;

    /** First vector that is multiplied with cross products, and how many there are. */
    final int column;

    final int columns;
    final int rows;
    final int sites;

    /** For each momentum of a group {@code [j][partner][column]}. */
    final List<HostArray> results = new ArrayList<>();

    Block(ArrayCache cache, int j0, int momenta, long bytes) {
      this.j0 = j0;
      j1 = Math.min(n, j0 + BLOCK);
      int above = n - j0 - 1;
      upper = above < j1;
      partner = upper ? j0 + 1 : 0;
      partners = upper ? above : j1;
      column = upper ? 0 : j0 + 1;
      columns = upper ? j1 : above;
      rows = (j1 - j0) * partners;
      sites = sitesAtATime(header.volume(), 16L * COLOURS * Math.max(rows, columns), bytes);
      for (int p = 0; p < momenta; p++) {
        results.add(cache.array("baryon block", NumberKind.COMPLEX, (long) rows * columns));
      }
    }

    /** Where the number of i &lt; j &lt; k is, if j is in the block. */
    int place(int i, int j, int k) {
      return ((j - j0) * partners + (upper ? k : i) - partner) * columns + (upper ? i : k) - column;
    }
  }

  /**
   * Plans the blocks.
   *
   * @param crossBytes bytes of cross products at a time
   * @param resultBytes bytes of results that may wait on the host; momenta are taken in groups
   */
  CrossProductElementals(Shared shared, List<Momentum> momenta, long crossBytes, long resultBytes) {
    super(shared);
    n = header.eigenvectors();
    long each = 0;
    long largest = 0;
    for (int j0 = 0; j0 + 1 < n; j0 += BLOCK) {
      int j1 = Math.min(n, j0 + BLOCK);
      long result = 16L * (j1 - j0) * j1 * (n - j0 - 1);
      each += result;
      largest = Math.max(largest, result);
    }
    each += 2 * largest;
    int group = (int) Math.max(1, Math.min(momenta.size(), resultBytes / Math.max(1, each)));
    groups = new ArrayList<>();
    for (int p = 0; p < momenta.size(); p += group) {
      groups.add(momenta.subList(p, Math.min(momenta.size(), p + group)));
    }
    long crossNumbers = 0;
    long scaledNumbers = 0;
    for (int j0 = 0; j0 + 1 < n; j0 += BLOCK) {
      Block block = new Block(cache, j0, group, crossBytes);
      blocks.add(block);
      crossNumbers = Math.max(crossNumbers, (long) block.sites * COLOURS * block.rows);
      scaledNumbers = Math.max(scaledNumbers, (long) block.sites * COLOURS * block.columns);
    }
    left = cache.array("left factors", NumberKind.COMPLEX, (long) header.volume() * LEFT * n);
    crosses = cache.array("cross products", NumberKind.COMPLEX, crossNumbers);
    scaled = cache.array("vectors times phases", NumberKind.COMPLEX, scaledNumbers);
    for (int p = 0; p < group; p++) {
      sums.add(cache.array("sums of a block", NumberKind.COMPLEX, largest / 8));
      phase.add(
          cache.array("phases by colour", NumberKind.COMPLEX, (long) header.volume() * COLOURS));
    }
  }

  /** The largest number of sites that divides the volume and stays within the bytes. */
  static int sitesAtATime(int volume, long bytesOfSite, long bound) {
    for (int parts = 1; parts < volume; parts++) {
      if (volume % parts == 0 && volume / parts * bytesOfSite <= bound) {
        return volume / parts;
      }
    }
    return 1;
  }

  @Override
  void compute(int time) {
    slice.vectors().toDevice();
    layOut();
    crosses.beginOnDevice();
    scaled.beginOnDevice();
    sums.forEach(HostArray::beginOnDevice);
    for (List<Momentum> group : groups) {
      for (int p = 0; p < group.size(); p++) {
        spread(phases.of(group.get(p)), phase.get(p));
      }
      for (Block block : blocks) {
        compute(block, group.size());
      }
      try (HostMemory whole = HostMemory.allocate(16L * n * n * n)) {
        for (int p = 0; p < group.size(); p++) {
          expand(p, whole);
          ElementalName name = new ElementalName("none", group.get(p));
          sink.accept(DistillationFile.BARYON_ELEMENTALS, name, time, Rows.ALL, whole);
        }
      }
    }
  }

  private void layOut() {
    int[] colours = {2, 1, 1, 0};
    left.beginOnDevice();
    for (int k = 0; k < LEFT; k++) {
      MatrixShape row = new MatrixShape(NumberKind.COMPLEX, header.volume(), n, COLOURS * n);
      blas.copy(row, slice.vectors(), (long) colours[k] * n, left, (long) k * n, LEFT * n);
    }
    MatrixShape negative = new MatrixShape(NumberKind.COMPLEX, header.volume(), 2 * n, LEFT * n);
    blas.scal(negative, Scalar.MINUS_ONE, left, 2L * n);
  }

  /** Repeats the phases for each colour. */
  private void spread(HostArray once, HostArray byColour) {
    byColour.beginOnDevice();
    for (int c = 0; c < COLOURS; c++) {
      blas.copy(header.volume(), once, 0, 1, byColour, c, COLOURS);
    }
  }

  private void compute(Block block, int momenta) {
    for (int site = 0; site < header.volume(); site += block.sites) {
      cross(block, site);
      for (int p = 0; p < momenta; p++) {
        scale(block, site, phase.get(p));
        ProductShape product =
            ProductShape.dense(
                    NumberKind.REAL,
                    Form.TRANSPOSED,
                    Form.PLAIN,
                    2 * block.rows,
                    2 * block.columns,
                    COLOURS * block.sites)
                .scaled(Scalar.ONE, site == 0 ? Scalar.ZERO : Scalar.ONE);
        flops += product.flops();
        blas.gemm(product, Strides.ONE, crosses, 0, scaled, 0, sums.get(p), 0);
      }
    }
    MatrixShape realParts =
        new MatrixShape(NumberKind.COMPLEX, block.rows, block.columns, 2 * block.columns);
    for (int p = 0; p < momenta; p++) {
      HostArray result = block.results.get(p);
      blas.copy(realParts, sums.get(p), 0, result, 0, block.columns);
      blas.axpy(realParts, new Scalar(0, 1), sums.get(p), block.columns, result, 0, block.columns);
    }
  }

  private void scale(Block block, int site, HostArray factors) {
    blas.scaleRows(
        new MatrixShape(NumberKind.COMPLEX, block.sites * COLOURS, block.columns, n),
        factors,
        (long) site * COLOURS,
        1,
        slice.vectors(),
        (long) site * COLOURS * n + block.column,
        scaled,
        0,
        block.columns);
  }

  /**
   * {@code u⁰ = v_i¹ v_j² - v_i² v_j¹, -u¹ = v_i⁰ v_j² - v_i² v_j⁰, u² = v_i⁰ v_j¹ - v_i¹ v_j⁰},
   * and for k instead of i the same with the other sign: products of two rows of {@link #left} and
   * two rows of the vectors.
   */
  private void cross(Block block, int site) {
    int[] fromLeft = {0, 0, 1};
    int[] leftStep = {2, 3, 2};
    int[] fromRight = {1, 0, 0};
    int[] rightStep = {1, 2, 1};
    for (int c = 0; c < COLOURS; c++) {
      ProductShape outer =
          new ProductShape(
              NumberKind.COMPLEX,
              Form.TRANSPOSED,
              Form.PLAIN,
              block.j1 - block.j0,
              block.partners,
              2,
              leftStep[c] * n,
              rightStep[c] * n,
              block.partners,
              (c == 1) == block.upper ? Scalar.ONE : Scalar.MINUS_ONE,
              Scalar.ZERO);
      Strides sites =
          new Strides(
              block.sites, (long) LEFT * n, (long) COLOURS * n, (long) COLOURS * block.rows);
      blas.gemm(
          outer,
          sites,
          left,
          ((long) site * LEFT + fromLeft[c]) * n + block.j0,
          slice.vectors(),
          ((long) site * COLOURS + fromRight[c]) * n + block.partner,
          crosses,
          (long) c * block.rows);
    }
  }

  /** Writes all orders of i, j, k from those that were computed. */
  private void expand(int p, HostMemory whole) {
    double[][] parts = new double[blocks.size()][];
    for (int k = 0; k < parts.length; k++) {
      Block block = blocks.get(k);
      parts[k] = new double[2 * block.rows * block.columns];
      block.results.get(p).get(0, parts[k], block.rows * block.columns);
    }
    double[] plane = new double[2 * n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          put(parts, i, j, k, plane, 2 * (j * n + k));
        }
      }
      whole.put(2L * i * n * n, plane, 0, plane.length);
    }
  }

  private void put(double[][] parts, int i, int j, int k, double[] plane, int at) {
    if (i == j || j == k || i == k) {
      plane[at] = 0;
      plane[at + 1] = 0;
      return;
    }
    int low = Math.min(i, Math.min(j, k));
    int high = Math.max(i, Math.max(j, k));
    int middle = i + j + k - low - high;
    boolean even = (i < j) ^ (j < k) ^ (i < k);
    Block block = blocks.get(middle / BLOCK);
    int from = 2 * block.place(low, middle, high);
    double sign = even ? 1 : -1;
    plane[at] = sign * parts[middle / BLOCK][from];
    plane[at + 1] = sign * parts[middle / BLOCK][from + 1];
  }
}
