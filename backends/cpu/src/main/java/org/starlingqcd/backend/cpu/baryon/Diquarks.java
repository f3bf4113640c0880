package org.starlingqcd.backend.cpu.baryon;

import static org.starlingqcd.backend.DiquarkContraction.LINE_SPINS;

import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.cpu.CpuDevice;
import org.starlingqcd.backend.cpu.CpuMemory;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.Workspace;

/** One diquark contraction, resolved to addresses when it is put into a stream. */
public final class Diquarks {
  /*
   * Y[q][i][k n] = Σ_l sink[i][k][l] second[q][l][n] and W[p][j][k n] = Σ_m first[p][k][m] source[j][m][n] lie in the workspace as
   * matrices with rows (q, i) and (p, j) and N² columns, for a slice of i and a slice of j. The block is then W·Yᵀ, done in squares of four
   * by four spin components: large enough for BLAS to run at its limit, small enough to leave out most of what symmetry gives and to keep
   * every thread busy. Three real products replace each complex one unless conventional products are asked for; that is what the third
   * plane, real plus imaginary part, is for.
   *
   * The slice of i is made as long as the workspace allows, that of j is what is left: Y is made once for each slice of i, W once for each
   * pair of slices.
   */

  /** Spin components of a square. */
  private static final int GROUP = 4;

  /**
   * Rows that a part of the final product takes at most, so that there are parts for many threads.
   */
  private static final int MOST_ROWS = 128;

  private final int n;
  private final int square;
  private final boolean symmetric;
  private final boolean exact;
  private final long sink;
  private final long source;
  private final CpuMemory firstLine;
  private final CpuMemory secondLine;
  private final Tiling firstTiling;
  private final Tiling secondTiling;
  private final long[] destination;
  private final long workspace;
  private final int sliceI;
  private final int sliceJ;

  public Diquarks(DiquarkContraction c, CpuDevice device, boolean exact) {
    n = c.extent();
    square = n * n;
    symmetric = c.symmetric();
    this.exact = exact;
    sink = device.own(c.sink()).spinAddresses(1, 16L * square * n)[0];
    source = device.own(c.source()).spinAddresses(1, 16L * square * n)[0];
    firstLine = device.own(c.first());
    secondLine = device.own(c.second());
    firstTiling = firstLine.tiling();
    secondTiling = secondLine.tiling();
    CpuMemory block = device.own(c.destination());
    destination = block.spinAddresses(LINE_SPINS * LINE_SPINS, 16L * square);
    block.tiling(Tiling.PLAIN);
    workspace = device.own(c.workspace()).spinAddresses(1, c.workspace().bytes())[0];
    sliceJ = DiquarkContraction.sourceRows(n, c.workspace().bytes());
    sliceI = DiquarkContraction.rows(n, c.workspace().bytes());
  }

  /** Runs the whole contraction on a team. */
  public void run(Team team, Workspace[] workspaces) {
    long planes = 2L * LINE_SPINS * square;
    try (HostMemory lines = HostMemory.allocate(2 * planes * Double.BYTES)) {
      long first = lines.address();
      long second = first + 8 * planes;
      team.run(
          2 * LINE_SPINS,
          (part, worker) -> {
            int spin = part % LINE_SPINS;
            boolean isFirst = part < LINE_SPINS;
            plain(
                workspaces[worker].blas(),
                (isFirst ? firstLine : secondLine).spinAddresses(LINE_SPINS, 16L * square)[spin],
                isFirst ? firstTiling : secondTiling,
                (isFirst ? first : second) + 16L * square * spin);
          });
      for (int i0 = 0; i0 < n; i0 += sliceI) {
        int rowsI = Math.min(sliceI, n - i0);
        Slice y = new Slice(workspace, rowsI);
        Slice w = new Slice(y.end(), sliceJ);
        int startI = i0;
        team.run(
            LINE_SPINS,
            (q, worker) -> attachSecond(workspaces[worker].blas(), q, startI, y, second));
        for (int j0 = 0; j0 < n; j0 += sliceJ) {
          int startJ = j0;
          Slice wj = new Slice(w.start(), Math.min(sliceJ, n - j0));
          team.run(
              LINE_SPINS * wj.rows(),
              (part, worker) -> attachFirst(workspaces[worker].blas(), part, startJ, wj, first));
          team.run(
              parts(wj),
              (part, worker) -> multiply(workspaces[worker], part, startI, y, startJ, wj));
        }
      }
    }
  }

  /** Rows (spin, open index) of N² numbers in three planes: real parts, imaginary parts, sums. */
  private final class Slice {
    private final long start;
    private final int rows;

    Slice(long start, int rows) {
      this.start = start;
      this.rows = rows;
    }

    long start() {
      return start;
    }

    int rows() {
      return rows;
    }

    long plane() {
      return 8L * LINE_SPINS * rows * square;
    }

    long at(int plane, int spin, int row) {
      return start + plane * plane() + 8L * ((long) spin * rows + row) * square;
    }

    long end() {
      return start + 3 * plane();
    }
  }

  /** Copies a component of a line out of its tiles: real parts, then imaginary parts. */
  private void plain(Blas blas, long from, Tiling tiling, long to) {
    for (int plane = 0; plane < 2; plane++) {
      long source0 = from + 8L * plane * square;
      long target = to + 8L * plane * square;
      if (!tiling.isTiled() || tiling.tiles() == 1) {
        blas.copy(square, source0, 1, target, 1);
        continue;
      }
      for (int j = 0; j < n; j++) {
        for (int t = 0; t < tiling.tiles(); t++) {
          blas.copy(
              tiling.size(t),
              source0 + 8 * tiling.rowStart(j, t),
              1,
              target + 8L * ((long) j * n + (long) t * tiling.edge()),
              1);
        }
      }
    }
  }

  private void attachSecond(Blas blas, int q, int startI, Slice y, long lines) {
    long line = lines + 16L * square * q;
    long cube = 8L * square * n;
    long re = sink + 8L * startI * square;
    complexProduct(
        blas, y.rows() * n, re, re + cube, line, line + 8L * square, y.at(0, q, 0), y.at(1, q, 0));
    sum(blas, y, q, 0, y.rows());
  }

  private void attachFirst(Blas blas, int part, int startJ, Slice w, long lines) {
    int p = part / w.rows();
    int row = part % w.rows();
    long line = lines + 16L * square * p;
    long cube = 8L * square * n;
    long re = source + 8L * (startJ + row) * square;
    complexProduct(
        blas, n, line, line + 8L * square, re, re + cube, w.at(0, p, row), w.at(1, p, row));
    sum(blas, w, p, row, 1);
  }

  /** (rows × N)·(N × N), row-major. */
  private void complexProduct(
      Blas blas, int rows, long aRe, long aIm, long bRe, long bIm, long cRe, long cIm) {
    blas.gemm(rows, n, n, 1, aRe, n, bRe, n, 0, cRe, n);
    blas.gemm(rows, n, n, -1, aIm, n, bIm, n, 1, cRe, n);
    blas.gemm(rows, n, n, 1, aRe, n, bIm, n, 0, cIm, n);
    blas.gemm(rows, n, n, 1, aIm, n, bRe, n, 1, cIm, n);
  }

  private void sum(Blas blas, Slice slice, int spin, int row, int rows) {
    if (!exact) {
      for (int r = row; r < row + rows; r++) {
        blas.copy(square, slice.at(0, spin, r), 1, slice.at(2, spin, r), 1);
        blas.add(square, 1, slice.at(1, spin, r), slice.at(2, spin, r));
      }
    }
  }

  /** Parts that four components of the first line, one row after the other, are cut into. */
  private static int rowParts(Slice w) {
    return (GROUP * w.rows() + MOST_ROWS - 1) / MOST_ROWS;
  }

  private static int groups() {
    return LINE_SPINS / GROUP;
  }

  private int parts(Slice w) {
    return groups() * groups() * rowParts(w);
  }

  /** Components 4g … 4g+3 of the first line with 4h … 4h+3 of the second, for some rows (p, j). */
  private void multiply(Workspace own, int part, int startI, Slice y, int startJ, Slice w) {
    int g = part / rowParts(w) / groups();
    int h = part / rowParts(w) % groups();
    if (symmetric && g > h) {
      return;
    }
    int row = part % rowParts(w) * MOST_ROWS;
    int rows = Math.min(MOST_ROWS, GROUP * w.rows() - row);
    int columns = GROUP * y.rows();
    long plane = (long) rows * columns;
    long re = own.scratch(3 * plane);
    long im = re + 8 * plane;
    long third = im + 8 * plane;
    double[] numbers = own.numbers(columns);
    // The rows of neighbouring components lie one after the other.
    long wRe = w.at(0, GROUP * g, row);
    long wIm = w.at(1, GROUP * g, row);
    long yRe = y.at(0, GROUP * h, 0);
    long yIm = y.at(1, GROUP * h, 0);
    Blas blas = own.blas();
    if (exact) {
      product(blas, rows, columns, 1, wRe, yRe, 0, re);
      product(blas, rows, columns, -1, wIm, yIm, 1, re);
      product(blas, rows, columns, 1, wRe, yIm, 0, im);
      product(blas, rows, columns, 1, wIm, yRe, 1, im);
    } else {
      product(blas, rows, columns, 1, wRe, yRe, 0, re);
      product(blas, rows, columns, 1, wIm, yIm, 0, third);
      product(blas, rows, columns, 1, w.at(2, GROUP * g, row), y.at(2, GROUP * h, 0), 0, im);
      blas.add(plane, -1, re, im);
      blas.add(plane, -1, third, im);
      blas.add(plane, -1, third, re);
    }
    for (int r = 0; r < rows; r++) {
      int p = GROUP * g + (row + r) / w.rows();
      int j = startJ + (row + r) % w.rows();
      for (int part2 = 0; part2 < 2; part2++) {
        blas.get((part2 == 0 ? re : im) + 8L * r * columns, numbers, columns);
        scatter(own, numbers, p, h, j, startI, y.rows(), part2);
      }
    }
  }

  private void scatter(
      Workspace own, double[] numbers, int p, int h, int j, int startI, int rowsI, int plane) {
    for (int q = 0; q < GROUP; q++) {
      long component = destination[LINE_SPINS * p + GROUP * h + q] + 8L * plane * square;
      own.blas().put(numbers, q * rowsI, rowsI, component + 8L * ((long) j * n + startI));
    }
  }

  private void product(
      Blas blas, int rows, int columns, double alpha, long a, long b, double beta, long c) {
    blas.gemmTransposed(rows, columns, square, alpha, a, square, b, square, beta, c, columns);
  }
}
