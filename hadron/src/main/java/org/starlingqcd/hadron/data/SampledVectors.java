package org.starlingqcd.hadron.data;

import java.util.stream.IntStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;

/**
 * Eigenvectors of a time on n sites, from which the elementals of tetraquarks are estimated: {@code
 * K̂ = (L³/n) Σ_sites e^{-ip·x} (P_ik P_jl ∓ P_il P_jk)} with {@code P_ik = v_i† v_k} at a site.
 */
final class SampledVectors {
  private static final int COLOURS = 3;

  private final int spatialExtent;
  private final int eigenvectors;
  private final long[] sites;

  /** Real and imaginary parts of P, [i][site][k]. */
  private final double[][] re;

  private final double[][] im;

  /**
   * Takes sites and vectors.
   *
   * @param spatialExtent L
   * @param sites x, y, z of each
   * @param vectors [N][n][3], interleaved complex
   */
  SampledVectors(int spatialExtent, int eigenvectors, long[] sites, double[] vectors) {
    this.spatialExtent = spatialExtent;
    this.eigenvectors = eigenvectors;
    this.sites = sites;
    int count = sites.length / 3;
    re = new double[eigenvectors][count * eigenvectors];
    im = new double[eigenvectors][count * eigenvectors];
    for (int i = 0; i < eigenvectors; i++) {
      for (int k = 0; k < eigenvectors; k++) {
        for (int x = 0; x < count * COLOURS; x++) {
          int a = 2 * (i * count * COLOURS + x);
          int b = 2 * (k * count * COLOURS + x);
          int at = x / COLOURS * eigenvectors + k;
          re[i][at] += vectors[a] * vectors[b] + vectors[a + 1] * vectors[b + 1];
          im[i][at] += vectors[a] * vectors[b + 1] - vectors[a + 1] * vectors[b];
        }
      }
    }
  }

  /** Writes K̂, packed: {@code 16 n P²} flops. */
  void elemental(PairColour colour, Momentum momentum, HostMemory target, long offset) {
    int count = sites.length / 3;
    double[] phases = new double[2 * count];
    double weight = Math.pow(spatialExtent, 3) / count;
    for (int x = 0; x < count; x++) {
      long turns =
          momentum.x() * sites[3 * x]
              + momentum.y() * sites[3 * x + 1]
              + momentum.z() * sites[3 * x + 2];
      double angle = -2 * Math.PI * Math.floorMod(turns, spatialExtent) / spatialExtent;
      phases[2 * x] = weight * Math.cos(angle);
      phases[2 * x + 1] = weight * Math.sin(angle);
    }
    int pairs = colour.pairs(eigenvectors);
    IntStream.range(0, eigenvectors)
        .parallel()
        .forEach(
            j -> {
              double[] row = new double[2 * pairs];
              for (int i = 0; i <= j && colour.sign(i, j) != 0; i++) {
                row(i, j, colour, phases, row);
                target.put(
                    offset / Double.BYTES + (long) colour.place(i, j) * row.length,
                    row,
                    0,
                    row.length);
              }
            });
  }

  private void row(int i, int j, PairColour colour, double[] phases, double[] row) {
    int n = eigenvectors;
    double[] zRe = new double[n * n];
    double[] zIm = new double[n * n];
    for (int x = 0; x < phases.length / 2; x++) {
      for (int k = 0; k < n; k++) {
        double aRe = phases[2 * x] * re[i][x * n + k] - phases[2 * x + 1] * im[i][x * n + k];
        double aIm = phases[2 * x] * im[i][x * n + k] + phases[2 * x + 1] * re[i][x * n + k];
        add(aRe, aIm, re[j], im[j], x * n, zRe, zIm, k * n, n);
      }
    }
    for (int l = 0; l < n; l++) {
      for (int k = 0; k <= l; k++) {
        if (colour.sign(k, l) != 0) {
          int at = 2 * colour.place(k, l);
          row[at] = zRe[k * n + l] + colour.sign() * zRe[l * n + k];
          row[at + 1] = zIm[k * n + l] + colour.sign() * zIm[l * n + k];
        }
      }
    }
  }

  /** {@code z += a b}, a loop that the compiler makes vector instructions of. */
  private static void add(
      double aRe,
      double aIm,
      double[] bRe,
      double[] bIm,
      int from,
      double[] zRe,
      double[] zIm,
      int to,
      int n) {
    for (int l = 0; l < n; l++) {
      zRe[to + l] += aRe * bRe[from + l] - aIm * bIm[from + l];
      zIm[to + l] += aRe * bIm[from + l] + aIm * bRe[from + l];
    }
  }
}
