package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.matrix.Form;
import org.starlingqcd.backend.matrix.MatrixShape;
import org.starlingqcd.backend.matrix.NumberKind;
import org.starlingqcd.backend.matrix.ProductShape;
import org.starlingqcd.backend.matrix.Scalar;
import org.starlingqcd.backend.matrix.Strides;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Baryon elementals {@code B(p)[i][j][k] = Σ_x e^{-ip·x} ε_abc v_i^a v_j^b v_k^c} of a time slice.
 * They are totally antisymmetric, so only i &lt; j &lt; k is computed: for a block of values j, the
 * cross products {@code u = v_i × v_j} of all i below the block's end, which serve all momenta,
 * then products {@code Σ_{x,c} u^c (e^{-ip·x} v_k^c)} with all k above the block's first j. With
 * blocks of {@value #BLOCK} that is a sixth of N³ and little more.
 *
 * <p>All products are real, because {@code dgemm} is faster than {@code zgemm}: the summed index
 * runs over sites, colours, and real and imaginary part of u. The row of w = e^{-ip·x} v_k that
 * meets the real part is w itself as pairs of numbers, the row that meets the imaginary part is iw,
 * and the result is interleaved again. A part of a cross product is a sum of four real outer
 * products, whose left and right rows are laid out once a time slice. Cross products are made for
 * some sites at a time, so that they stay in the processor's cache.
 */
final class BaryonElementals {
  /** Values of j taken together. */
  static final int BLOCK = 8;

  private static final int COLOURS = 3;

  /** Colours 0, 1, 2, 0, 1: any two that follow each other are next to each other. */
  private static final int CYCLIC = 5;

  /** Real outer products that make one part of a cross product. */
  private static final int TERMS = 4;

  /** Rows of the summed index for each site: colours, and real and imaginary parts. */
  private static final int INNER = 2 * COLOURS;

  private final ArrayBlas blas;
  private final SliceVectors slice;
  private final Phases phases;
  private final VectorHeader header;
  private final int n;
  private final ElementalSink sink;
  private final List<List<Momentum>> groups;
  private final List<Block> blocks = new ArrayList<>();

  /** Real and imaginary parts {@code [site][colour][n]}, then both with the other sign. */
  private final List<HostArray> parts = new ArrayList<>();

  /** Rows on the right of outer products: {@code [site][5 colours][part][n]}. */
  private final HostArray right;

  /** Rows on the left: {@code [site][colour][part][term][n]}. */
  private final HostArray left;

  /** For each momentum of a group the phases for each site and colour, and i times the phases. */
  private final List<HostArray> phase = new ArrayList<>();

  private final List<HostArray> turned = new ArrayList<>();
  private long flops;

  /** The values j0 to j1 of j, with the arrays of their size. */
  private final class Block {
    final int j0;
    final int j1;
    final int rows;
    final int columns;
    final int sites;
    final HostArray crosses;
    final HostArray scaled;
    final List<HostArray> results = new ArrayList<>();

    Block(ArrayCache cache, int j0, int momenta, long crossBytes) {
      this.j0 = j0;
      j1 = Math.min(n, j0 + BLOCK);
      rows = (j1 - j0) * j1;
      columns = n - j0 - 1;
      sites = sitesAtATime(header.volume(), 8L * INNER * rows, crossBytes);
      crosses = cache.array("cross products", NumberKind.REAL, (long) sites * INNER * rows);
      scaled =
          cache.array("vectors times phases", NumberKind.COMPLEX, (long) sites * INNER * columns);
      for (int p = 0; p < momenta; p++) {
        results.add(cache.array("baryon block", NumberKind.COMPLEX, (long) rows * columns));
      }
    }
  }

  /**
   * Plans the blocks.
   *
   * @param crossBytes bytes of cross products at a time
   * @param resultBytes bytes of results that may wait on the host; momenta are taken in groups
   */
  BaryonElementals(
      ArrayCache cache,
      ArrayBlas blas,
      SliceVectors slice,
      Phases phases,
      VectorHeader header,
      List<Momentum> momenta,
      long crossBytes,
      long resultBytes,
      ElementalSink sink) {
    this.blas = blas;
    this.slice = slice;
    this.phases = phases;
    this.header = header;
    this.sink = sink;
    n = header.eigenvectors();
    long each = 0;
    for (int j0 = 0; j0 + 1 < n; j0 += BLOCK) {
      int j1 = Math.min(n, j0 + BLOCK);
      each += 16L * (j1 - j0) * j1 * (n - j0 - 1);
    }
    int group = (int) Math.max(1, Math.min(momenta.size(), resultBytes / Math.max(1, each)));
    groups = new ArrayList<>();
    for (int p = 0; p < momenta.size(); p += group) {
      groups.add(momenta.subList(p, Math.min(momenta.size(), p + group)));
    }
    for (int j0 = 0; j0 + 1 < n; j0 += BLOCK) {
      blocks.add(new Block(cache, j0, group, crossBytes));
    }
    long sites = header.volume();
    for (int k = 0; k < 4; k++) {
      parts.add(cache.array("parts of vectors", NumberKind.REAL, sites * COLOURS * n));
    }
    right = cache.array("right rows", NumberKind.REAL, sites * CYCLIC * 2 * n);
    left = cache.array("left rows", NumberKind.REAL, sites * INNER * TERMS * n);
    for (int p = 0; p < group; p++) {
      phase.add(cache.array("phases by colour", NumberKind.COMPLEX, sites * COLOURS));
      turned.add(cache.array("i phases by colour", NumberKind.COMPLEX, sites * COLOURS));
    }
  }

  /** The largest number of sites that divides the volume and stays within the bytes. */
  private static int sitesAtATime(int volume, long bytesOfSite, long bound) {
    for (int parts = 1; parts < volume; parts++) {
      if (volume % parts == 0 && volume / parts * bytesOfSite <= bound) {
        return volume / parts;
      }
    }
    return 1;
  }

  /** Flops of the matrix products so far, without those of the cross products. */
  long flops() {
    return flops;
  }

  /** Computes all of the time slice that is in {@link SliceVectors}. */
  void compute(int time) {
    slice.vectors().toDevice();
    layOut();
    for (List<Momentum> group : groups) {
      for (int p = 0; p < group.size(); p++) {
        spread(phases.of(group.get(p)), p);
      }
      for (Block block : blocks) {
        compute(block, group.size());
      }
      try (HostMemory whole = HostMemory.allocate(16L * n * n * n)) {
        for (int p = 0; p < group.size(); p++) {
          expand(p, whole);
          sink.accept(true, new ElementalName("none", group.get(p)), time, whole);
        }
      }
    }
  }

  /** Lays out the rows of the outer products. */
  private void layOut() {
    MatrixShape all = new MatrixShape(NumberKind.REAL, header.volume() * COLOURS * n, 1, 2);
    MatrixShape dense = MatrixShape.vector(NumberKind.REAL, header.volume() * COLOURS * n, 1);
    for (int part = 0; part < 2; part++) {
      blas.copy(all, slice.vectors(), part, parts.get(part), 0, 1);
      blas.copy(dense, parts.get(part), 0, parts.get(2 + part), 0, 1);
      blas.scal(dense, Scalar.MINUS_ONE, parts.get(2 + part), 0);
    }
    right.beginOnDevice();
    for (int c = 0; c < CYCLIC; c++) {
      for (int part = 0; part < 2; part++) {
        row(part, c, right, (2L * c + part) * n, CYCLIC * 2 * n);
      }
    }
    left.beginOnDevice();
    for (int c = 0; c < COLOURS; c++) {
      int a = c + 1;
      int b = c + 2;
      // Re u = Re a_i Re b_j - Im a_i Im b_j - Re b_i Re a_j + Im b_i Im a_j
      // Im u = Re a_i Im b_j + Im a_i Re b_j - Re b_i Im a_j - Im b_i Re a_j
      int[][] terms = {{0, b}, {3, b}, {2, a}, {1, a}, {1, b}, {0, b}, {3, a}, {2, a}};
      for (int k = 0; k < terms.length; k++) {
        long at = ((long) c * 2 * TERMS + k) * n;
        row(terms[k][0], terms[k][1], left, at, INNER * TERMS * n);
      }
    }
  }

  /** Copies one part of one colour of all vectors and sites to every site's row in an array. */
  private void row(int part, int colour, HostArray to, long first, int leading) {
    blas.copy(
        new MatrixShape(NumberKind.REAL, header.volume(), n, COLOURS * n),
        parts.get(part),
        (long) colour % COLOURS * n,
        to,
        first,
        leading);
  }

  /** Repeats the phases for each colour, and writes i times them. */
  private void spread(HostArray once, int p) {
    int sites = header.volume();
    phase.get(p).beginOnDevice();
    for (int c = 0; c < COLOURS; c++) {
      blas.copy(sites, once, 0, 1, phase.get(p), c, COLOURS);
    }
    blas.copy(sites * COLOURS, phase.get(p), 0, 1, turned.get(p), 0, 1);
    blas.scal(sites * COLOURS, new Scalar(0, 1), turned.get(p), 0, 1);
  }

  private void compute(Block block, int momenta) {
    block.crosses.beginOnDevice();
    block.scaled.beginOnDevice();
    for (int site = 0; site < header.volume(); site += block.sites) {
      cross(block, site);
      for (int p = 0; p < momenta; p++) {
        scale(block, site, phase.get(p), 0);
        scale(block, site, turned.get(p), block.columns);
        ProductShape product =
            new ProductShape(
                NumberKind.REAL,
                Form.TRANSPOSED,
                Form.PLAIN,
                block.rows,
                2 * block.columns,
                INNER * block.sites,
                block.rows,
                2 * block.columns,
                2 * block.columns,
                Scalar.ONE,
                site == 0 ? Scalar.ZERO : Scalar.ONE);
        flops += product.flops();
        blas.gemm(product, Strides.ONE, block.crosses, 0, block.scaled, 0, block.results.get(p), 0);
      }
    }
  }

  private void scale(Block block, int site, HostArray factors, int to) {
    blas.scaleRows(
        new MatrixShape(NumberKind.COMPLEX, block.sites * COLOURS, block.columns, n),
        factors,
        (long) site * COLOURS,
        1,
        slice.vectors(),
        (long) site * COLOURS * n + block.j0 + 1,
        block.scaled,
        to,
        2 * block.columns);
  }

  /** {@code u^c[x][part][j][i]}, u = v_i × v_j. */
  private void cross(Block block, int site) {
    int js = block.j1 - block.j0;
    ProductShape outer =
        new ProductShape(
            NumberKind.REAL,
            Form.TRANSPOSED,
            Form.PLAIN,
            js,
            block.j1,
            TERMS,
            n,
            n,
            block.j1,
            Scalar.ONE,
            Scalar.ZERO);
    Strides sites =
        new Strides(
            block.sites,
            (long) INNER * TERMS * n,
            (long) CYCLIC * 2 * n,
            (long) INNER * block.rows);
    for (int c = 0; c < COLOURS; c++) {
      for (int part = 0; part < 2; part++) {
        blas.gemm(
            outer,
            sites,
            left,
            (((long) site * COLOURS + c) * 2 + part) * TERMS * n + block.j0,
            right,
            ((long) site * CYCLIC + c + 1) * 2 * n,
            block.crosses,
            (2L * c + part) * block.rows);
      }
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
    int row = (middle - block.j0) * block.j1 + low;
    int from = 2 * (row * block.columns + high - block.j0 - 1);
    double sign = even ? 1 : -1;
    plane[at] = sign * parts[middle / BLOCK][from];
    plane[at + 1] = sign * parts[middle / BLOCK][from + 1];
  }
}
