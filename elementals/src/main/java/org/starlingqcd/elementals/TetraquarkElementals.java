package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;

/**
 * Elementals of tetraquarks of one colour, packed: {@code K(p) = W† e^{-ip·x} W}, where {@code
 * W[(x,cd)][(k,l)] = v_k^c v_l^d ∓ v_k^d v_l^c} for three pairs of colours c &lt; d, and for {@code
 * 66bar} also {@code √2 v_k^c v_l^c}.
 *
 * <p>W is made for some sites at a time and serves all momenta of a group. As for baryons products
 * are real: real and imaginary parts of W on the left give a row of sums each, {@code Σ Re(w) w'}
 * and {@code Σ Im(w) w'}, and K is the first less i times the second. Rows of K that do not fit are
 * computed after the others, with W made again.
 */
final class TetraquarkElementals {
  /** Bytes of W, and of the sums of a momentum, at a time. */
  private static final long MOST_BYTES = 1L << 27;

  private static final int COLOURS = 3;

  private static final int[][] COMPONENTS = {{0, 1}, {0, 2}, {1, 2}, {0, 0}, {1, 1}, {2, 2}};

  private final ArrayBlas blas;
  private final SliceVectors slice;
  private final Phases phases;
  private final VectorHeader header;
  private final PairColour colour;
  private final List<Momentum> momenta;
  private final ElementalSink sink;
  private final int pairs;
  private final int components;
  private final int sites;
  private final int rows;

  /** W of some sites, {@code [site][component][pair]}, and W times their phases. */
  private final HostArray products;

  private final HostArray scaled;

  /** For each momentum of a group {@code [row][part of w][pair]}. */
  private final List<HostArray> sums = new ArrayList<>();

  private final HostArray result;
  private long flops;

  /**
   * Plans the slices.
   *
   * @param deviceBytes bytes on the device beside the vectors
   * @param sumBytes host memory for sums; momenta are taken in groups
   */
  TetraquarkElementals(
      ArrayCache cache,
      ArrayBlas blas,
      SliceVectors slice,
      Phases phases,
      VectorHeader header,
      PairColour colour,
      List<Momentum> momenta,
      long deviceBytes,
      long sumBytes,
      ElementalSink sink) {
    this.blas = blas;
    this.slice = slice;
    this.phases = phases;
    this.header = header;
    this.colour = colour;
    this.momenta = momenta;
    this.sink = sink;
    pairs = colour.pairs(header.eigenvectors());
    components = colour.sign() < 0 ? COLOURS : COMPONENTS.length;
    // W, W times phases and sums are operands of one call.
    long bytes = Math.min(MOST_BYTES, deviceBytes / 3);
    sites = CrossProductElementals.sitesAtATime(header.volume(), 16L * components * pairs, bytes);
    rows = (int) Math.max(1, Math.min(pairs, bytes / (32L * pairs)));
    products = cache.array("pairs of vectors", NumberKind.COMPLEX, numbersOfSites());
    scaled = cache.array("pairs times phases", NumberKind.COMPLEX, numbersOfSites());
    long group = Math.max(1, Math.min(momenta.size(), sumBytes / (32L * rows * pairs)));
    for (int p = 0; p < group; p++) {
      sums.add(cache.array("sums of pairs", NumberKind.COMPLEX, 2L * rows * pairs));
    }
    result = cache.array("tetraquark elemental", NumberKind.COMPLEX, (long) rows * pairs);
  }

  private long numbersOfSites() {
    return (long) sites * components * pairs;
  }

  /** The least bytes on the device for one site and one row. */
  static long leastBytes(VectorHeader header) {
    return 3L * 16 * COMPONENTS.length * PairColour.SEXTET.pairs(header.eigenvectors());
  }

  /** The most bytes that its arrays have on the host, without sums that wait. */
  static long hostBytes(VectorHeader header) {
    long all = PairColour.SEXTET.pairs(header.eigenvectors());
    return Math.max(
        leastBytes(header), Math.min(3 * MOST_BYTES, all * (192L * header.volume() + 16 * all)));
  }

  /** Flops of the matrix products so far. */
  long flops() {
    return flops;
  }

  /** Computes all of the time slice that is in {@link SliceVectors}. */
  void compute(int time) {
    slice.vectors().toDevice();
    products.beginOnDevice();
    for (int p = 0; p < momenta.size(); p += sums.size()) {
      List<Momentum> group = momenta.subList(p, Math.min(momenta.size(), p + sums.size()));
      for (int row = 0; row < pairs; row += rows) {
        int count = Math.min(rows, pairs - row);
        for (int site = 0; site < header.volume(); site += sites) {
          multiplyPairs(site);
          for (int k = 0; k < group.size(); k++) {
            addSites(site, group.get(k), row, count, sums.get(k));
          }
        }
        for (int k = 0; k < group.size(); k++) {
          finish(sums.get(k), count);
          sink.accept(
              DistillationFile.TETRAQUARK_ELEMENTALS,
              new ElementalName(colour.toString(), group.get(k)),
              time,
              new Rows(row, count),
              result.reading(0, (long) count * pairs));
        }
      }
    }
  }

  private void multiplyPairs(int site) {
    for (int e = 0; e < components; e++) {
      int c = COMPONENTS[e][0];
      int d = COMPONENTS[e][1];
      for (int l = 0; l < header.eigenvectors(); l++) {
        if (c == d) {
          outer(site, e, l, c, c, Scalar.of(Math.sqrt(2)), Scalar.ZERO);
        } else {
          outer(site, e, l, c, d, Scalar.ONE, Scalar.ZERO);
          outer(site, e, l, d, c, Scalar.of(colour.sign()), Scalar.ONE);
        }
      }
    }
  }

  /** {@code W = alpha v_k^c v_l^d + beta W} for all pairs with l as the second. */
  private void outer(int site, int e, int l, int c, int d, Scalar alpha, Scalar beta) {
    int n = header.eigenvectors();
    int count = colour.sign() < 0 ? l : l + 1;
    if (count == 0) {
      return;
    }
    blas.gemm(
        new ProductShape(
            NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, 1, count, 1, 1, n, pairs, alpha, beta),
        new Strides(sites, (long) COLOURS * n, (long) COLOURS * n, (long) components * pairs),
        slice.vectors(),
        ((long) site * COLOURS + d) * n + l,
        slice.vectors(),
        ((long) site * COLOURS + c) * n,
        products,
        (long) e * pairs + colour.pairs(l));
  }

  private void addSites(int site, Momentum momentum, int row, int count, HostArray sum) {
    MatrixShape bySite = MatrixShape.dense(NumberKind.COMPLEX, sites, components * pairs);
    blas.scaleRows(
        bySite, phases.of(momentum), site, 1, products, 0, scaled, 0, components * pairs);
    ProductShape product =
        new ProductShape(
            NumberKind.REAL,
            Form.TRANSPOSED,
            Form.PLAIN,
            2 * count,
            2 * pairs,
            sites * components,
            2 * pairs,
            2 * pairs,
            2 * pairs,
            Scalar.ONE,
            site == 0 ? Scalar.ZERO : Scalar.ONE);
    flops += product.flops();
    blas.gemm(product, Strides.ONE, products, 2L * row, scaled, 0, sum, 0);
  }

  private void finish(HostArray sum, int count) {
    MatrixShape realParts = new MatrixShape(NumberKind.COMPLEX, count, pairs, 2 * pairs);
    blas.copy(realParts, sum, 0, result, 0, pairs);
    blas.axpy(realParts, new Scalar(0, -1), sum, pairs, result, 0, pairs);
  }
}
