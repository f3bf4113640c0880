package org.starlingqcd.backend.cpu;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.HostMemory;

/**
 * Runs contractions as real products of tiles.
 *
 * <p>A complex product takes three real ones (3M; Higham, SIAM J. Matrix Anal. Appl. 13 (1992) 681,
 * doi:10.1137/0613043): with {@code T1 = A_re·B_re}, {@code T2 = A_im·B_im} and {@code T3 = (A_re +
 * A_im)·(B_re + B_im)}, the real part is {@code T1 - T2} and the imaginary part {@code T3 - T1 -
 * T2}. Its error is bounded by the norms of A and B, not element by element, so real spin factors
 * only are run this way and a device opened as exact never is. The terms of all entries that share
 * a destination are summed before they are combined: T1 lands in the destination's real part and
 * -T2 in its imaginary part, one plane rotation turns both into {@code T1 - T2} and {@code -T1 -
 * T2}, and T3 is added.
 *
 * <p>Sums of right inputs are made once per wave, those of left inputs by the thread that needs
 * them, a row of tiles at a time. Flops: {@code 6/8} of {@code 8 · rows · columns · inner} per
 * entry.
 */
final class ContractionKernel implements AutoCloseable {
  /** Numbers summed at a time: both inputs and the sum stay in the first-level cache. */
  private static final int SUM_CHUNK = 1 << 11;

  private final Team team;
  private final Workspace[] workspaces;
  private @Nullable HostMemory sums;

  ContractionKernel(Team team, Workspace[] workspaces) {
    this.team = team;
    this.workspaces = workspaces;
  }

  /** Runs all waves. */
  void run(Contractions work) {
    for (Contractions.Wave wave : work.waves()) {
      long sumAddress = sumRightInputs(work.blocking(), wave);
      team.run(
          wave.parts(), (part, worker) -> run(work, wave, part, sumAddress, workspaces[worker]));
    }
  }

  private long sumRightInputs(Blocking blocking, Contractions.Wave wave) {
    long[][] inputs = wave.summed();
    int spins = wave.summedSpins();
    if (spins == 0) {
      return 0;
    }
    long size = blocking.rightSize();
    long address = reserve(size * spins * inputs.length);
    team.run(
        inputs.length * spins,
        (part, worker) -> {
          long[] input = inputs[part / spins];
          int spin = part % spins;
          if (spin < input.length) {
            sum(workspaces[worker].blas(), size, size, input[spin], address + 8 * size * part);
          }
        });
    return address;
  }

  /**
   * Adds {@code count} imaginary parts, {@code imaginary} doubles further on, to the real parts.
   */
  private static void sum(Blas blas, long count, long imaginary, long from, long to) {
    for (long done = 0; done < count; done += SUM_CHUNK) {
      int numbers = (int) Math.min(SUM_CHUNK, count - done);
      blas.copy(numbers, from + 8 * done, 1, to + 8 * done, 1);
      blas.add(numbers, 1, from + 8 * (imaginary + done), to + 8 * done);
    }
  }

  private long reserve(long doubles) {
    HostMemory held = sums;
    if (held == null || held.bytes() < doubles * Double.BYTES) {
      close();
      held = HostMemory.allocate(doubles * Double.BYTES);
      sums = held;
    }
    return held.address();
  }

  @Override
  public void close() {
    if (sums != null) {
      sums.close();
      sums = null;
    }
  }

  private static void run(
      Contractions work, Contractions.Wave wave, int part, long sumAddress, Workspace workspace) {
    int group = wave.group(part);
    int blocks = work.blocking().rowBlocks();
    int within = part - wave.firstPart(group);
    int rows = (wave.firstPart(group + 1) - wave.firstPart(group)) / blocks;
    int row = within / blocks;
    int i = within % blocks;
    MappingPlan plan = work.plan(wave.groupStart(group));
    boolean byRow = rows == plan.rows();
    int from = byRow ? plan.rowStart(row) : row;
    int to = byRow ? plan.rowStart(row + 1) : row + 1;
    for (int k = wave.groupStart(group); k < wave.groupStart(group + 1); k++) {
      if (work.isThreeProducts(k)) {
        long size = work.blocking().rightSize();
        long rightSums = sumAddress + 8 * size * wave.summedSpins() * work.sumSlot(k);
        threeProducts(work, k, from, to, i, rightSums, workspace);
      } else {
        fourProducts(work, k, from, to, i, workspace.blas());
      }
    }
  }

  /** Destinations {@code from} to {@code to - 1}, row {@code i} of blocks, by 3M. */
  private static void threeProducts(
      Contractions work, int k, int from, int to, int i, long rightSums, Workspace workspace) {
    Blocking blocking = work.blocking();
    BatchSpinMapping mapping = work.plan(k).mapping();
    Blas blas = workspace.blas();
    long leftPanel = (long) blocking.rows(i) * blocking.inner();
    long panel = (long) blocking.rows(i) * blocking.columns();
    long scratch =
        workspace.scratch(
            leftPanel * mapping.leftSpins() + (work.accumulates(k) ? 2 * panel * (to - from) : 0));
    boolean[] summed = workspace.flags(mapping.leftSpins());
    for (int d = from; d < to; d++) {
      for (int b : work.plan(k).entries(d)) {
        int spin = mapping.left(b);
        if (!summed[spin]) {
          summed[spin] = true;
          long start = work.left(k, spin) + 8 * blocking.left(i, 0);
          sum(blas, leftPanel, blocking.leftSize(), start, scratch + 8 * leftPanel * spin);
        }
      }
    }
    // Real parts of all destinations first, then imaginary parts, then sums: a third of the left
    // tiles at a time has to stay in the cache.
    for (int pass = 0; pass < 3; pass++) {
      for (int d = from; d < to; d++) {
        long re;
        long im;
        if (work.accumulates(k)) {
          re = scratch + 8 * (leftPanel * mapping.leftSpins() + 2 * panel * (d - from));
          im = re + 8 * panel;
        } else {
          re = work.destination(k, d) + 8 * blocking.destination(i, 0);
          im = re + 8 * blocking.destinationSize();
        }
        long target = pass == 0 ? re : im;
        for (int j = 0; j < blocking.columnBlocks(); j++) {
          long tile = target + 8 * (blocking.destination(i, j) - blocking.destination(i, 0));
          double beta = pass == 2 ? 1 : 0;
          if (work.plan(k).entries(d).length == 0 && pass < 2) {
            zero(blas, blocking, i, j, tile);
          }
          for (int b : work.plan(k).entries(d)) {
            double factor = pass == 1 ? -work.factorRe(k, b) : work.factorRe(k, b);
            long a;
            long r;
            if (pass == 2) {
              a = scratch + 8 * (leftPanel * mapping.left(b) - blocking.left(i, 0));
              r = rightSums + 8 * blocking.rightSize() * mapping.right(b);
            } else {
              a = work.left(k, mapping.left(b)) + 8 * pass * blocking.leftSize();
              r = work.right(k, mapping.right(b)) + 8 * pass * blocking.rightSize();
            }
            multiply(blas, blocking, i, j, factor, a, r, beta, tile);
            beta = 1;
          }
        }
        if (pass == 1) {
          blas.rotate(panel, re, im);
        }
        if (pass == 2 && work.accumulates(k)) {
          long old = work.destination(k, d) + 8 * blocking.destination(i, 0);
          blas.add(panel, 1, re, old);
          blas.add(panel, 1, im, old + 8 * blocking.destinationSize());
        }
      }
    }
  }

  /** {@code tile = beta·tile + factor·A·B} for row {@code i} of blocks of A and column j of B. */
  private static void multiply(
      Blas blas,
      Blocking blocking,
      int i,
      int j,
      double factor,
      long left,
      long right,
      double beta,
      long tile) {
    for (int p = 0; p < blocking.innerBlocks(); p++) {
      blas.gemm(
          blocking.rows(i),
          blocking.columns(j),
          blocking.inner(p),
          factor,
          left + 8 * blocking.left(i, p),
          blocking.leftLeading(p),
          right + 8 * blocking.right(p, j),
          blocking.rightLeading(j),
          p == 0 ? beta : 1,
          tile,
          blocking.destinationLeading(j));
    }
  }

  private static void zero(Blas blas, Blocking blocking, int i, int j, long tile) {
    // A product over no inner index: beta = 0 overwrites whatever is there.
    int m = blocking.rows(i);
    int n = blocking.columns(j);
    blas.gemm(m, n, 0, 0, tile, 1, tile, n, 0, tile, blocking.destinationLeading(j));
  }

  /** The same by four real products for each complex one; eight where the factor is complex. */
  private static void fourProducts(Contractions work, int k, int from, int to, int i, Blas blas) {
    Blocking blocking = work.blocking();
    BatchSpinMapping mapping = work.plan(k).mapping();
    for (int d = from; d < to; d++) {
      for (int j = 0; j < blocking.columnBlocks(); j++) {
        long re = work.destination(k, d) + 8 * blocking.destination(i, j);
        long im = re + 8 * blocking.destinationSize();
        double beta = work.accumulates(k) ? 1 : 0;
        if (work.plan(k).entries(d).length == 0 && beta == 0) {
          zero(blas, blocking, i, j, re);
          zero(blas, blocking, i, j, im);
        }
        for (int b : work.plan(k).entries(d)) {
          double fRe = work.factorRe(k, b);
          double fIm = work.factorIm(k, b);
          long aRe = work.left(k, mapping.left(b));
          long aIm = aRe + 8 * blocking.leftSize();
          long bRe = work.right(k, mapping.right(b));
          long bIm = bRe + 8 * blocking.rightSize();
          multiply(blas, blocking, i, j, fRe, aRe, bRe, beta, re);
          multiply(blas, blocking, i, j, -fRe, aIm, bIm, 1, re);
          multiply(blas, blocking, i, j, fRe, aRe, bIm, beta, im);
          multiply(blas, blocking, i, j, fRe, aIm, bRe, 1, im);
          if (!work.isReal(k)) {
            multiply(blas, blocking, i, j, -fIm, aRe, bIm, 1, re);
            multiply(blas, blocking, i, j, -fIm, aIm, bRe, 1, re);
            multiply(blas, blocking, i, j, fIm, aRe, bRe, 1, im);
            multiply(blas, blocking, i, j, -fIm, aIm, bIm, 1, im);
          }
          beta = 1;
        }
      }
    }
  }
}
