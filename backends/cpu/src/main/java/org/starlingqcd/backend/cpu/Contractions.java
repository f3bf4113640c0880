package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.TensorShape.COMPLEX_BYTES;

import java.util.Arrays;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;

/**
 * One vector pair, resolved to addresses when it is put into a stream, so that the caller may reuse
 * its batch. Contractions that add into the same destination one after the other form a group,
 * which one thread runs in order for its part of the destination.
 */
final class Contractions {
  private final int end;
  private final Blocking blocking;
  private final MappingPlan[] plans;
  private final long[][] left;
  private final long[][] right;
  private final long[][] destination;
  private final double[] coefficients;
  private final boolean[] accumulate;
  private final int[] groupStart;
  private final int[] partStart;

  private Contractions(
      ContractionBatch batch, int from, int end, Blocking blocking, CpuDevice device) {
    int size = end - from;
    this.end = end;
    this.blocking = blocking;
    plans = new MappingPlan[size];
    left = new long[size][];
    right = new long[size][];
    destination = new long[size][];
    coefficients = new double[2 * size];
    accumulate = new boolean[size];
    int[] starts = new int[size + 1];
    int groups = 0;
    for (int k = 0; k < size; k++) {
      plans[k] = device.plan(batch.mapping(from + k));
      BatchSpinMapping mapping = plans[k].mapping();
      CpuMemory target = device.own(batch.destination(from + k));
      left[k] =
          device
              .own(batch.left(from + k))
              .spinAddresses(mapping.leftSpins(), COMPLEX_BYTES * blocking.leftSize());
      right[k] =
          device
              .own(batch.right(from + k))
              .spinAddresses(mapping.rightSpins(), COMPLEX_BYTES * blocking.rightSize());
      destination[k] =
          target.spinAddresses(
              mapping.destinationSpins(), COMPLEX_BYTES * blocking.destinationSize());
      coefficients[2 * k] = batch.coefficientRe(from + k);
      coefficients[2 * k + 1] = batch.coefficientIm(from + k);
      accumulate[k] = batch.accumulate(from + k);
      if (accumulate[k] && !target.tiling().sameNumbers(blocking.destination())) {
        throw new IllegalArgumentException(
            "accumulates into an element of another layout: is="
                + target.tiling()
                + " adds="
                + blocking.destination());
      }
      target.tiling(blocking.destination());
      if (k == 0 || batch.destination(from + k) != batch.destination(from + k - 1)) {
        starts[groups++] = k;
      }
    }
    starts[groups] = size;
    groupStart = Arrays.copyOf(starts, groups + 1);
    partStart = new int[groups + 1];
    for (int g = 0; g < groups; g++) {
      partStart[g + 1] = partStart[g] + rows(g) * blocking.rowBlocks();
    }
  }

  /**
   * Takes contractions of the batch from {@code from} on, as many as lie alike in memory, and notes
   * in which layout their destinations will be.
   */
  static Contractions of(ContractionBatch batch, int from, CpuDevice device) {
    Tiling left = device.own(batch.left(from)).tiling();
    Tiling right = device.own(batch.right(from)).tiling();
    int end = from + 1;
    while (end < batch.size()
        && device.own(batch.left(end)).tiling().equals(left)
        && device.own(batch.right(end)).tiling().equals(right)) {
      end++;
    }
    return new Contractions(
        batch,
        from,
        end,
        new Blocking(batch.rows(), batch.columns(), batch.inner(), left, right),
        device);
  }

  /** Number in the batch of the first contraction that is not among these. */
  int end() {
    return end;
  }

  /** Rows of destinations in a group; one by one where its mappings disagree. */
  private int rows(int group) {
    MappingPlan first = plans[groupStart[group]];
    for (int k = groupStart[group] + 1; k < groupStart[group + 1]; k++) {
      if (plans[k] != first) {
        return first.mapping().destinationSpins();
      }
    }
    return first.rows();
  }

  /** Independent parts: a row of destinations and a row of blocks of one group. */
  int parts() {
    return partStart[partStart.length - 1];
  }

  /** Runs one part. */
  void run(int part, Workspace workspace) {
    int group = Arrays.binarySearch(partStart, part);
    group = group < 0 ? -group - 2 : group;
    int within = part - partStart[group];
    int row = within / blocking.rowBlocks();
    int i = within % blocking.rowBlocks();
    int first = groupStart[group];
    int end = groupStart[group + 1];
    MappingPlan plan = plans[first];
    int rows = (partStart[group + 1] - partStart[group]) / blocking.rowBlocks();
    boolean whole = rows == plan.rows();
    int from = whole ? plan.rowStart(row) : row;
    int to = whole ? plan.rowStart(row + 1) : row + 1;
    for (int k = first; k < end; k++) {
      for (int d = from; d < to; d++) {
        for (int j = 0; j < blocking.columnBlocks(); j++) {
          conventional(k, d, i, j, workspace.blas());
        }
      }
    }
  }

  /** Four real products for each complex one. */
  private void conventional(int k, int d, int i, int j, Blas blas) {
    MappingPlan plan = plans[k];
    long re = destination[k][d] + 8 * blocking.destination(i, j);
    long im = re + 8 * blocking.destinationSize();
    int m = blocking.rows(i);
    int n = blocking.columns(j);
    int ld = blocking.destinationLeading(j);
    boolean onlyReal = plan.isReal() && coefficients[2 * k + 1] == 0;
    double beta = accumulate[k] ? 1 : 0;
    int[] entries = plan.entries(d);
    if (entries.length == 0 && !accumulate[k]) {
      // Destinations without an entry become zero: no inner length is a product of nothing.
      blas.gemm(m, n, 0, 0, re, 1, re, n, 0, re, ld);
      blas.gemm(m, n, 0, 0, re, 1, re, n, 0, im, ld);
    }
    for (int b : entries) {
      double fRe = factorRe(k, b);
      double fIm = factorIm(k, b);
      long a = left[k][plan.mapping().left(b)];
      long r = right[k][plan.mapping().right(b)];
      for (int p = 0; p < blocking.innerBlocks(); p++) {
        int q = blocking.inner(p);
        int lda = blocking.leftLeading(p);
        int ldb = blocking.rightLeading(j);
        long aRe = a + 8 * blocking.left(i, p);
        long aIm = aRe + 8 * blocking.leftSize();
        long bRe = r + 8 * blocking.right(p, j);
        long bIm = bRe + 8 * blocking.rightSize();
        blas.gemm(m, n, q, fRe, aRe, lda, bRe, ldb, beta, re, ld);
        blas.gemm(m, n, q, -fRe, aIm, lda, bIm, ldb, 1, re, ld);
        blas.gemm(m, n, q, fRe, aRe, lda, bIm, ldb, beta, im, ld);
        blas.gemm(m, n, q, fRe, aIm, lda, bRe, ldb, 1, im, ld);
        if (!onlyReal) {
          blas.gemm(m, n, q, -fIm, aRe, lda, bIm, ldb, 1, re, ld);
          blas.gemm(m, n, q, -fIm, aIm, lda, bRe, ldb, 1, re, ld);
          blas.gemm(m, n, q, fIm, aRe, lda, bRe, ldb, 1, im, ld);
          blas.gemm(m, n, q, -fIm, aIm, lda, bIm, ldb, 1, im, ld);
        }
        beta = 1;
      }
    }
  }

  private double factorRe(int k, int b) {
    BatchSpinMapping mapping = plans[k].mapping();
    return coefficients[2 * k] * mapping.factorRe(b)
        - coefficients[2 * k + 1] * mapping.factorIm(b);
  }

  private double factorIm(int k, int b) {
    BatchSpinMapping mapping = plans[k].mapping();
    return coefficients[2 * k] * mapping.factorIm(b)
        + coefficients[2 * k + 1] * mapping.factorRe(b);
  }
}
