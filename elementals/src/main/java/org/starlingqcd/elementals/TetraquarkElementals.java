package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
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
final class TetraquarkElementals extends SliceElementals {
  /** Bytes of W, and of the sums of a momentum, at a time. */
  private static final long MOST_BYTES = 1L << 27;

  private static final int COLOURS = 3;

  private static final int[][] COMPONENTS = {{0, 1}, {0, 2}, {1, 2}, {0, 0}, {1, 1}, {2, 2}};

  private final PairColour colour;
  private final List<Momentum> momenta;
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

  /**
   * Plans the slices.
   *
   * @param deviceBytes bytes on the device beside the vectors
   * @param sumBytes host memory for sums; momenta are taken in groups
   */
  TetraquarkElementals(
      Shared shared, PairColour colour, List<Momentum> momenta, long deviceBytes, long sumBytes) {
    super(shared);
    this.colour = colour;
    this.momenta = momenta;
    pairs = colour.pairs(header.eigenvectors());
    components = colour.sign() < 0 ? COLOURS : COMPONENTS.length;
    // W, W times phases and sums are operands of one call.
    long bytes = Math.min(MOST_BYTES, deviceBytes / 3);
    long site = (long) components * pairs;
    sites = CrossProductElementals.sitesAtATime(header.volume(), 16 * site, bytes);
    rows = (int) Math.max(1, Math.min(pairs, bytes / (32L * pairs)));
    products = cache.array("pairs of vectors", NumberKind.COMPLEX, sites * site);
    scaled = cache.array("pairs times phases", NumberKind.COMPLEX, sites * site);
    long group = Math.max(1, Math.min(momenta.size(), sumBytes / (32L * rows * pairs)));
    for (int p = 0; p < group; p++) {
      sums.add(cache.array("sums of pairs", NumberKind.COMPLEX, 2L * rows * pairs));
    }
    result = cache.array("tetraquark elemental", NumberKind.COMPLEX, (long) rows * pairs);
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

  @Override
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
          MatrixShape realParts = new MatrixShape(NumberKind.COMPLEX, count, pairs, 2 * pairs);
          blas.copy(realParts, sums.get(k), 0, result, 0, pairs);
          blas.axpy(realParts, new Scalar(0, -1), sums.get(k), pairs, result, 0, pairs);
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
      double alpha = c == d ? Math.sqrt(0.5) : 1;
      for (int l = 0; l < header.eigenvectors(); l++) {
        outer(site, e, l, c, d, Scalar.of(alpha), Scalar.ZERO);
        outer(site, e, l, d, c, Scalar.of(alpha * colour.sign()), Scalar.ONE);
      }
    }
  }

  /** {@code W = alpha v_k^c v_l^d + beta W} for all pairs with l as the second. */
  private void outer(int site, int e, int l, int c, int d, Scalar alpha, Scalar beta) {
    int n = header.eigenvectors();
    int count = l + colour.sign(l, l);
    if (count > 0) {
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
  }

  private void addSites(int site, Momentum momentum, int row, int count, HostArray sum) {
    int m = 2 * count;
    int w = 2 * pairs;
    int inner = sites * components;
    MatrixShape bySite = MatrixShape.dense(NumberKind.COMPLEX, sites, components * pairs);
    blas.scaleRows(
        bySite, phases.of(momentum), site, 1, products, 0, scaled, 0, components * pairs);
    Scalar beta = site == 0 ? Scalar.ZERO : Scalar.ONE;
    // The left matrix may be some columns of W.
    ProductShape product =
        new ProductShape(
            NumberKind.REAL, Form.TRANSPOSED, Form.PLAIN, m, w, inner, w, w, w, Scalar.ONE, beta);
    flops += product.flops();
    blas.gemm(product, Strides.ONE, products, 2L * row, scaled, 0, sum, 0);
  }
}
