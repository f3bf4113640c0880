package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.DiquarkContraction.LINE_SPINS;

import java.util.List;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;

/** One contraction of pairs of lines, resolved to addresses when it is put into a stream. */
final class PairBlocks {
  /*
   * In the workspace lie the lines in the rotated basis, the elemental with the first line attached, Y[p][i][x][y], and, for a group of
   * sums at a time, that with both lines attached, X[sum][i][x y]; of an antisymmetric other end only x < y counts, so X holds X[x y] - X[y
   * x] for these. All three have three planes: real part, imaginary part, and their sum, since three real products replace each complex
   * one unless conventional products are asked for. The open index i is cut into slices where the workspace is short; slices share nothing.
   *
   * Indices of lines are turned so that every product is of plain row-major matrices: for a sink the first line is transposed, for a source
   * the second.
   */

  private static final int PLANES = 3;

  /**
   * Most m·n·k of a product that OpenBLAS computes without packing, see {@code
   * docs/performance.md}.
   */
  private static final int SMALL_PRODUCT = 1_000_000;

  /** Numbers of three planes that stay in the second-level cache with what they are made from. */
  private static final int CACHED = 1 << 14;

  /** Rows of i that a part attaches the second line to, where no product is small. */
  private static final int ATTACHED_ROWS = 4;

  /** Spin components of the first line that a part attaches. */
  private static final int FIRST_SPINS = 4;

  /** Sums that a part closes. */
  private static final int CLOSED_SUMS = 4;

  private final int n;
  private final int square;
  private final boolean exact;
  private final boolean sinkAttached;
  private final PairContraction contraction;
  private final long attached;
  private final CpuMemory firstLine;
  private final Tiling firstTiling;
  private final CpuMemory[] secondLines;
  private final Tiling[] secondTilings;
  private final long[][] others;
  private final long[] destination;
  private final int[] firstSpins;
  private final int[] placeOfSpin = new int[LINE_SPINS];
  private final int rows;
  private final int attachedRows;
  private final long first;
  private final long second;
  private final long y;
  private final long x;

  PairBlocks(PairContraction c, CpuDevice device, boolean exact) {
    n = c.extent();
    square = n * n;
    this.exact = exact;
    contraction = c;
    sinkAttached = c.sinkAttached();
    long cube = 16L * square * n;
    attached = device.own(c.attached()).spinAddresses(1, cube)[0];
    firstLine = device.own(c.first());
    firstTiling = firstLine.tiling();
    int branches = c.branches().size();
    secondLines = new CpuMemory[branches];
    secondTilings = new Tiling[branches];
    others = new long[branches][];
    for (int b = 0; b < branches; b++) {
      PairContraction.Branch branch = c.branches().get(b);
      secondLines[b] = device.own(branch.second());
      secondTilings[b] = secondLines[b].tiling();
      others[b] =
          branch.others().stream()
              .mapToLong(other -> device.own(other).spinAddresses(1, cube)[0])
              .toArray();
    }
    CpuMemory blocks = device.own(c.destination());
    destination = blocks.spinAddresses(c.components(), 16L * square);
    blocks.tiling(Tiling.PLAIN);
    firstSpins = c.firstSpins();
    for (int k = 0; k < firstSpins.length; k++) {
      placeOfSpin[firstSpins[k]] = k;
    }
    rows = c.rows();
    int small = Math.min(SMALL_PRODUCT / (square * n), CACHED / square);
    // One or two rows would prepare the second line too often for what they save.
    attachedRows = small >= ATTACHED_ROWS - 1 ? small : ATTACHED_ROWS;
    first = device.own(c.workspace()).spinAddresses(1, c.workspace().bytes())[0];
    second = first + line(LINE_SPINS);
    y = second + line(LINE_SPINS);
    x = y + 8L * PLANES * firstSpins.length * rows * square;
  }

  private long line(int spin) {
    return 8L * PLANES * square * spin;
  }

  /** Runs the whole contraction on a team. */
  void run(Team team, Workspace[] workspaces) {
    rotate(team, workspaces, firstLine, firstTiling, first, sinkAttached);
    for (int i0 = 0; i0 < n; i0 += rows) {
      int start = i0;
      int count = Math.min(rows, n - i0);
      int groups = (firstSpins.length + FIRST_SPINS - 1) / FIRST_SPINS;
      team.run(
          groups * count,
          (part, worker) -> {
            int place = part / count * FIRST_SPINS;
            int places = Math.min(FIRST_SPINS, firstSpins.length - place);
            attachFirst(workspaces[worker], place, places, start, part % count);
          });
      int component = 0;
      for (int b = 0; b < secondLines.length; b++) {
        if (i0 == 0 || secondLines.length > 1) {
          rotate(team, workspaces, secondLines[b], secondTilings[b], second, !sinkAttached);
        }
        branch(team, workspaces, b, component, start, count);
        component += contraction.branches().get(b).sums().size() * others[b].length;
      }
    }
  }

  private void branch(
      Team team, Workspace[] workspaces, int b, int component, int start, int count) {
    PairContraction.Branch branch = contraction.branches().get(b);
    List<LinePairSum> sums = branch.sums();
    boolean half = branch.antisymmetric();
    int numbers = half ? n * (n - 1) / 2 : square;
    int chunks = (count + attachedRows - 1) / attachedRows;
    for (int s0 = 0; s0 < sums.size(); s0 += PairContraction.GROUP) {
      int from = s0;
      int group = Math.min(PairContraction.GROUP, sums.size() - s0);
      Slice slice = new Slice(group, count, numbers);
      team.run(
          group * chunks,
          (part, worker) -> {
            int row = part % chunks * attachedRows;
            attachSecond(
                workspaces[worker],
                sums.get(from + part / chunks),
                row,
                Math.min(attachedRows, count - row),
                count,
                slice,
                part / chunks,
                half);
          });
      if (numbers > 0) {
        int parts = (group + CLOSED_SUMS - 1) / CLOSED_SUMS;
        team.run(
            parts * others[b].length,
            (part, worker) -> {
              int other = part / parts;
              int sum = part % parts * CLOSED_SUMS;
              close(
                  workspaces[worker],
                  others[b][other],
                  half,
                  slice,
                  sum,
                  Math.min(CLOSED_SUMS, group - sum),
                  component + other * sums.size() + from,
                  start);
            });
      } else {
        for (int other = 0; other < others[b].length; other++) {
          for (int sum = 0; sum < group; sum++) {
            workspaces[0]
                .blas()
                .clear(2 * square, destination[component + other * sums.size() + from + sum]);
          }
        }
      }
    }
  }

  /** Both lines attached, for some sums and rows: {@code [plane][sum][row][numbers]}. */
  private final class Slice {
    private final int sums;
    private final int rows;
    private final int numbers;

    Slice(int sums, int rows, int numbers) {
      this.sums = sums;
      this.rows = rows;
      this.numbers = numbers;
    }

    long at(int plane, int sum, int row) {
      return x + 8L * (((long) plane * sums + sum) * rows + row) * numbers;
    }
  }

  private long y(int plane, int place, int row, int count) {
    return y + 8L * (((long) plane * firstSpins.length + place) * count + row) * square;
  }

  /**
   * Brings a line into the rotated basis, plainly laid out, in three planes, perhaps transposed.
   */
  private void rotate(
      Team team,
      Workspace[] workspaces,
      CpuMemory line,
      Tiling tiling,
      long target,
      boolean transposed) {
    long[] spins = line.spinAddresses(LINE_SPINS, 16L * square);
    team.run(
        LINE_SPINS,
        (p, worker) -> {
          Blas blas = workspaces[worker].blas();
          long sum = workspaces[worker].scratch(2L * square);
          blas.clear(2 * square, sum);
          for (int s = 0; s < LINE_SPINS; s++) {
            double weight = contraction.rotation().at(p, s);
            if (weight != 0) {
              blas.add(2L * square, weight, spins[s], sum);
            }
          }
          double[] numbers = workspaces[worker].numbers(2 * square);
          double[] turned = new double[square];
          for (int plane = 0; plane < 2; plane++) {
            blas.get(sum + 8L * plane * square, numbers, square);
            untile(numbers, tiling, transposed, turned);
            blas.put(turned, square, target + line(p) + 8L * plane * square);
          }
          sumPlane(blas, square, target + line(p), 8L * square);
        });
  }

  private void untile(double[] numbers, Tiling tiling, boolean transposed, double[] result) {
    boolean tiled = tiling.isTiled();
    for (int row = 0; row < n; row++) {
      for (int t = 0; t < (tiled ? tiling.tiles() : 1); t++) {
        int size = tiled ? tiling.size(t) : n;
        int from = tiled ? Math.toIntExact(tiling.rowStart(row, t)) : row * n;
        int column = tiled ? t * tiling.edge() : 0;
        if (!transposed) {
          System.arraycopy(numbers, from, result, row * n + column, size);
          continue;
        }
        for (int k = 0; k < size; k++) {
          result[(column + k) * n + row] = numbers[from + k];
        }
      }
    }
  }

  /** The third plane of three that are {@code stride} bytes apart. */
  private void sumPlane(Blas blas, int count, long planes, long stride) {
    if (!exact) {
      blas.copy(count, planes, 1, planes + 2 * stride, 1);
      blas.add(count, 1, planes + stride, planes + 2 * stride);
    }
  }

  /** {@code Y[p][i] = first[p] · attached[i]}, n × n matrices, for some places of p. */
  private void attachFirst(Workspace own, int firstPlace, int places, int start, int row) {
    Blas blas = own.blas();
    long matrix = 8L * square;
    long elemental = own.scratch(PLANES * (long) square);
    blas.copy(square, attached + (start + row) * matrix, 1, elemental, 1);
    blas.copy(square, attached + (start + row + (long) n) * matrix, 1, elemental + matrix, 1);
    sumPlane(blas, square, elemental, matrix);
    int count = Math.min(rows, n - start);
    for (int place = firstPlace; place < firstPlace + places; place++) {
      long line = first + line(firstSpins[place]);
      long target = y(0, place, row, count);
      long stride = y(1, place, row, count) - target;
      multiply(blas, false, n, n, n, 1, line, matrix, elemental, matrix, false, target, stride);
      finish(blas, square, target, stride);
    }
  }

  /** One sum of Y times the second line, for some rows. */
  private void attachSecond(
      Workspace own,
      LinePairSum sum,
      int row,
      int rowCount,
      int count,
      Slice slice,
      int place,
      boolean half) {
    Blas blas = own.blas();
    int entries = rowCount * square;
    long matrix = 8L * square;
    long line = own.scratch(PLANES * ((long) square + entries));
    long sums = line + PLANES * matrix;
    for (int e = 0; e < sum.size(); e++) {
      long from = y(0, placeOfSpin[sum.first(e)], row, count);
      long stride = y(1, placeOfSpin[sum.first(e)], row, count) - from;
      long times = second + line(sum.second(e));
      double alpha = sum.factorRe(e);
      if (sum.factorIm(e) != 0) {
        scaled(blas, times, alpha, sum.factorIm(e), line);
        times = line;
        alpha = 1;
      }
      multiply(
          blas,
          false,
          rowCount * n,
          n,
          n,
          alpha,
          from,
          stride,
          times,
          matrix,
          e > 0,
          sums,
          8L * entries);
    }
    finish(blas, entries, sums, 8L * entries);
    double[] numbers = own.numbers(2 * square);
    for (int r = 0; r < rowCount; r++) {
      for (int plane = 0; plane < 2; plane++) {
        blas.get(sums + 8L * ((long) plane * entries + (long) r * square), numbers, square);
        int kept = half ? pack(numbers) : square;
        blas.put(numbers, kept, slice.at(plane, place, row + r));
      }
    }
    sumPlane(
        blas,
        rowCount * slice.numbers,
        slice.at(0, place, row),
        slice.at(1, place, row) - slice.at(0, place, row));
  }

  /** Replaces a matrix by its entries over the diagonal less those under it, row by row. */
  private int pack(double[] matrix) {
    int kept = 0;
    for (int k = 0; k < n; k++) {
      for (int l = k + 1; l < n; l++) {
        // The place written never runs ahead of the places still to be read.
        matrix[kept++] = matrix[k * n + l] - matrix[l * n + k];
      }
    }
    return kept;
  }

  private void scaled(Blas blas, long line, double re, double im, long target) {
    long plane = 8L * square;
    blas.clear(2 * square, target);
    if (re != 0) {
      blas.add(2L * square, re, line, target);
    }
    if (im != 0) {
      blas.add(square, -im, line + plane, target);
      blas.add(square, im, line, target + plane);
    }
    sumPlane(blas, square, target, plane);
  }

  /** Closes some sums with one elemental at the other end. */
  private void close(
      Workspace own,
      long other,
      boolean half,
      Slice slice,
      int firstSum,
      int sums,
      int component,
      int start) {
    Blas blas = own.blas();
    int numbers = slice.numbers;
    long plane = 8L * n * numbers;
    int results = n * slice.rows;
    long packed = own.scratch(PLANES * ((long) n * numbers + results));
    long sum = packed + PLANES * plane;
    for (int part = 0; part < 2; part++) {
      long from = other + 8L * part * square * n;
      if (half) {
        for (int i = 0; i < n; i++) {
          long to = packed + part * plane + 8L * i * numbers;
          for (int k = 0; k + 1 < n; k++) {
            int length = n - 1 - k;
            blas.copy(length, from + 8L * (((long) i * n + k) * n + k + 1), 1, to, 1);
            to += 8L * length;
          }
        }
      } else {
        blas.copy(square * n, from, 1, packed + part * plane, 1);
      }
    }
    sumPlane(blas, n * numbers, packed, plane);
    for (int s = firstSum; s < firstSum + sums; s++) {
      long attachedSum = slice.at(0, s, 0);
      long stride = slice.at(1, s, 0) - attachedSum;
      // A row of the block for every open index of the source.
      if (sinkAttached) {
        multiply(
            blas,
            true,
            n,
            slice.rows,
            numbers,
            1,
            packed,
            plane,
            attachedSum,
            stride,
            false,
            sum,
            8L * results);
      } else {
        multiply(
            blas,
            true,
            slice.rows,
            n,
            numbers,
            1,
            attachedSum,
            stride,
            packed,
            plane,
            false,
            sum,
            8L * results);
      }
      finish(blas, results, sum, 8L * results);
      for (int part = 0; part < 2; part++) {
        long target = destination[component + s] + 8L * part * square;
        long result = sum + 8L * part * results;
        if (!sinkAttached) {
          blas.copy(results, result, 1, target + 8L * start * n, 1);
          continue;
        }
        for (int j = 0; j < n; j++) {
          blas.copy(
              slice.rows, result + 8L * j * slice.rows, 1, target + 8L * ((long) j * n + start), 1);
        }
      }
    }
  }

  /**
   * {@code alpha} times a complex product of an m × k matrix with a k × columns one (or the
   * transpose of a columns × k one), all in planes; the sums are to be {@link #finish}ed.
   */
  private void multiply(
      Blas blas,
      boolean transposed,
      int m,
      int columns,
      int k,
      double alpha,
      long a,
      long strideA,
      long b,
      long strideB,
      boolean add,
      long c,
      long strideC) {
    double beta = add ? 1 : 0;
    if (exact) {
      real(blas, transposed, m, columns, k, alpha, a, b, beta, c);
      real(blas, transposed, m, columns, k, -alpha, a + strideA, b + strideB, 1, c);
      real(blas, transposed, m, columns, k, alpha, a, b + strideB, beta, c + strideC);
      real(blas, transposed, m, columns, k, alpha, a + strideA, b, 1, c + strideC);
      return;
    }
    for (int plane = 0; plane < PLANES; plane++) {
      real(
          blas,
          transposed,
          m,
          columns,
          k,
          alpha,
          a + plane * strideA,
          b + plane * strideB,
          beta,
          c + plane * strideC);
    }
  }

  private static void real(
      Blas blas,
      boolean transposed,
      int m,
      int columns,
      int k,
      double alpha,
      long a,
      long b,
      double beta,
      long c) {
    if (transposed) {
      blas.gemmTransposed(m, columns, k, alpha, a, k, b, k, beta, c, columns);
    } else {
      blas.gemm(m, columns, k, alpha, a, k, b, columns, beta, c, columns);
    }
  }

  /** Makes real part, imaginary part and their sum of the three real products. */
  private void finish(Blas blas, long count, long planes, long stride) {
    if (!exact) {
      blas.finishThree(count, planes, stride);
    }
  }
}
