package org.starlingqcd.backend.cpu.baryon;

import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Rotates a quark line into the basis of the sums. The result is plain, perhaps transposed, in
 * planes of real parts, imaginary parts and their sum, one component after the other.
 */
final class LineRotation {
  /** Components of a line. */
  static final int SPINS = PairContraction.LINE_SPINS;

  private final PairContraction.Rotation rotation;
  private final Tiling tiling;
  private final long[] spins;
  private final int n;
  private final boolean transposed;
  private final boolean thirdPlane;

  /**
   * Resolves a line now, since its memory may have another layout by the time this runs.
   *
   * @param transposed whether every matrix is transposed
   * @param thirdPlane whether to write the sums of real and imaginary parts
   */
  LineRotation(
      PairContraction contraction, CpuMemory line, boolean transposed, boolean thirdPlane) {
    n = contraction.extent();
    rotation = contraction.rotation();
    tiling = line.tiling().of(n);
    spins = line.spinAddresses(SPINS, (long) contraction.precision().complexBytes() * n * n);
    this.transposed = transposed;
    this.thirdPlane = thirdPlane;
  }

  /**
   * Computes one component.
   *
   * @param target address of the first component
   */
  void run(int component, Workspace own, long target) {
    int square = n * n;
    Blas blas = own.blas();
    long bytes = blas.bytes();
    long to = target + bytes * PairWorkspace.PLANES * square * component;
    if (blas.hasVectorLoops()) {
      runInLoops(component, to, bytes);
      return;
    }
    long sum = own.scratch(2L * square);
    blas.clear(2 * square, sum);
    for (int s = 0; s < SPINS; s++) {
      double weight = rotation.at(component, s);
      if (weight != 0) {
        blas.add(2L * square, weight, spins[s], sum);
      }
    }
    double[] numbers = own.numbers(3 * square);
    for (int plane = 0; plane < 2; plane++) {
      blas.get(sum + bytes * plane * square, numbers, 0, square);
      untile(numbers, square);
      blas.put(numbers, square, square, to + bytes * plane * square);
    }
    if (thirdPlane) {
      blas.sum(square, to, to + bytes * square, to + 2 * bytes * square);
    }
  }

  private void runInLoops(int component, long to, long bytes) {
    long[] given = new long[SPINS];
    double[] weights = new double[SPINS];
    int count = 0;
    for (int s = 0; s < SPINS; s++) {
      double weight = rotation.at(component, s);
      if (weight != 0) {
        given[count] = spins[s];
        weights[count++] = weight;
      }
    }
    VectorLoops.rotateLine(
        bytes, n, tiling.edge(), count, given, weights, transposed, thirdPlane, to);
  }

  private void untile(double[] numbers, int result) {
    for (int row = 0; row < n; row++) {
      for (int t = 0; t < tiling.tiles(); t++) {
        int size = tiling.size(t);
        int from = Math.toIntExact(tiling.rowStart(row, t));
        int column = t * tiling.edge();
        if (!transposed) {
          System.arraycopy(numbers, from, numbers, result + row * n + column, size);
          continue;
        }
        for (int k = 0; k < size; k++) {
          numbers[result + (column + k) * n + row] = numbers[from + k];
        }
      }
    }
  }
}
