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
 * blocks of {@value #BLOCK} that is a sixth of N³ and little more. Cross products are made for some
 * sites at a time, so that they stay in the processor's cache.
 */
final class BaryonElementals {
  /** Values of j taken together. */
  static final int BLOCK = 8;

  private static final int COLOURS = 3;

  private final ArrayBlas blas;
  private final SliceVectors slice;
  private final Phases phases;
  private final VectorHeader header;
  private final int n;
  private final ElementalSink sink;
  private final List<List<Momentum>> groups;
  private final List<Block> blocks = new ArrayList<>();
  private long flops;

  /** The values j0 to j1 of j, with the arrays of their size. */
  private final class Block {
    final int j0;
    final int j1;
    final int rows;
    final int columns;
    final int sites;
    final List<HostArray> crosses = new ArrayList<>();
    final HostArray scaled;
    final List<HostArray> results = new ArrayList<>();

    Block(ArrayCache cache, int j0, int momenta, long crossBytes) {
      this.j0 = j0;
      j1 = Math.min(n, j0 + BLOCK);
      rows = (j1 - j0) * j1;
      columns = n - j0 - 1;
      sites = sitesAtATime(header.volume(), 16L * COLOURS * rows, crossBytes);
      for (int c = 0; c < COLOURS; c++) {
        crosses.add(cache.array("cross products", NumberKind.COMPLEX, (long) sites * rows));
      }
      scaled = cache.array("vectors times phases", NumberKind.COMPLEX, (long) sites * COLOURS * n);
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
    for (List<Momentum> group : groups) {
      group.forEach(momentum -> phases.of(momentum).toDevice());
      for (Block block : blocks) {
        compute(block, group);
      }
      try (HostMemory whole = HostMemory.allocate(16L * n * n * n)) {
        for (int p = 0; p < group.size(); p++) {
          expand(p, whole);
          sink.accept(true, new ElementalName("none", group.get(p)), time, whole);
        }
      }
    }
  }

  private void compute(Block block, List<Momentum> group) {
    int width = COLOURS * n;
    for (int site = 0; site < header.volume(); site += block.sites) {
      long first = (long) site * width;
      for (int c = 0; c < COLOURS; c++) {
        cross(block, first, c);
      }
      for (int p = 0; p < group.size(); p++) {
        blas.scaleRows(
            MatrixShape.dense(NumberKind.COMPLEX, block.sites, width),
            phases.of(group.get(p)),
            site,
            1,
            slice.vectors(),
            first,
            block.scaled,
            0,
            width);
        for (int c = 0; c < COLOURS; c++) {
          ProductShape product =
              new ProductShape(
                  NumberKind.COMPLEX,
                  Form.TRANSPOSED,
                  Form.PLAIN,
                  block.rows,
                  block.columns,
                  block.sites,
                  block.rows,
                  width,
                  block.columns,
                  Scalar.ONE,
                  site == 0 && c == 0 ? Scalar.ZERO : Scalar.ONE);
          flops += product.flops();
          blas.gemm(
              product,
              Strides.ONE,
              block.crosses.get(c),
              0,
              block.scaled,
              (long) c * n + block.j0 + 1,
              block.results.get(p),
              0);
        }
      }
    }
  }

  /**
   * {@code u^c[x][j][i] = v_i^a v_j^b - v_i^b v_j^a} with a, b, c cyclic: outer products by site.
   */
  private void cross(Block block, long first, int c) {
    int a = (c + 1) % COLOURS;
    int b = (c + 2) % COLOURS;
    ProductShape outer =
        new ProductShape(
            NumberKind.COMPLEX,
            Form.TRANSPOSED,
            Form.PLAIN,
            block.j1 - block.j0,
            block.j1,
            1,
            n,
            n,
            block.j1,
            Scalar.ONE,
            Scalar.ZERO);
    Strides sites = new Strides(block.sites, (long) COLOURS * n, (long) COLOURS * n, block.rows);
    HostArray v = slice.vectors();
    HostArray u = block.crosses.get(c);
    long fromA = first + (long) a * n;
    long fromB = first + (long) b * n;
    blas.gemm(outer, sites, v, fromB + block.j0, v, fromA, u, 0);
    blas.gemm(
        outer.scaled(Scalar.MINUS_ONE, Scalar.ONE), sites, v, fromA + block.j0, v, fromB, u, 0);
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
