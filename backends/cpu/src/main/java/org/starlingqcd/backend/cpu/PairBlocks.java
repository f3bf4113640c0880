package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.DiquarkContraction.LINE_SPINS;

import java.util.List;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairContraction.BothAttached;
import org.starlingqcd.backend.PairContraction.Closed;
import org.starlingqcd.backend.PairContraction.FirstAttached;
import org.starlingqcd.backend.PairContraction.FirstLine;
import org.starlingqcd.backend.PairContraction.SecondLine;
import org.starlingqcd.backend.PairContraction.Stage;

/**
 * One stage of a contraction of pairs of lines, resolved to addresses when it is put into a stream.
 */
abstract class PairBlocks {
  /*
   * In the workspace lie the lines in the rotated basis, the elemental with the first line attached, Y[p][i][x][y], and, for a group of
   * sums at a time, that with both lines attached, X[sum][i][x y]; of an antisymmetric other end only x < y counts, so X holds X[x y] - X[y
   * x] for these. All three have three planes: real part, imaginary part, and their sum, since three real products replace each complex
   * one unless conventional products are asked for. The open index i is cut into slices; slices share nothing but the lines.
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
  private static final int CACHED = 1 << 12;

  /** Rows of i that a part attaches the second line to, where no product is small. */
  private static final int ATTACHED_ROWS = 4;

  /** Fewest rows of i that a part attaches the second line to by small products. */
  private static final int LEAST_ROWS = 3;

  /** Spin components of the first line that a part attaches. */
  private static final int FIRST_SPINS = 4;

  /** Most numbers of an elemental that a part closes with, in three planes: 32 MiB. */
  private static final long MOST_PACKED = 1L << 22;

  private final int n;
  private final int square;
  private final boolean exact;
  private final boolean sinkAttached;
  private final boolean half;
  private final PairContraction contraction;
  private final int[] placeOfSpin = new int[LINE_SPINS];
  private final long first;
  private final long second;
  private final long y;
  private final long x;

  private PairBlocks(PairContraction c, CpuDevice device, boolean exact) {
    n = c.extent();
    square = n * n;
    this.exact = exact;
    contraction = c;
    sinkAttached = c.sinkAttached();
    half = c.antisymmetric();
    for (int k = 0; k < c.firstSpins().size(); k++) {
      placeOfSpin[c.firstSpins().get(k)] = k;
    }
    CpuMemory workspace = device.own(c.workspace());
    workspace.tiling(Tiling.PLAIN);
    first = workspace.spinAddresses(1, workspace.bytes())[0];
    second = first + line(LINE_SPINS);
    y = second + line(LINE_SPINS);
    x = y + 8L * PLANES * c.firstSpins().size() * c.rows() * square;
  }

  private long line(int spin) {
    return 8L * PLANES * square * spin;
  }

  /** Resolves a stage. */
  static PairBlocks of(PairContraction contraction, Stage stage, CpuDevice device, boolean exact) {
    if (stage instanceof FirstLine line) {
      return new Line(contraction, line.line(), true, device, exact);
    }
    if (stage instanceof SecondLine line) {
      return new Line(contraction, line.line(), false, device, exact);
    }
    if (stage instanceof FirstAttached attached) {
      return new AttachFirst(contraction, attached, device, exact);
    }
    if (stage instanceof BothAttached attached) {
      return new AttachSecond(contraction, attached, device, exact);
    }
    return new Close(contraction, (Closed) stage, device, exact);
  }

  /** Runs the stage on a team. */
  abstract void run(Team team, Workspace[] workspaces);

  private static final class Line extends PairBlocks {
    private final CpuMemory line;
    private final Tiling tiling;
    private final boolean first;

    Line(PairContraction c, DeviceMemory line, boolean first, CpuDevice device, boolean exact) {
      super(c, device, exact);
      this.line = device.own(line);
      this.first = first;
      tiling = this.line.tiling();
    }

    @Override
    void run(Team team, Workspace[] workspaces) {
      rotate(team, workspaces, line, tiling, first);
    }
  }

  private static final class AttachFirst extends PairBlocks {
    private final FirstAttached stage;
    private final long attached;

    AttachFirst(PairContraction c, FirstAttached stage, CpuDevice device, boolean exact) {
      super(c, device, exact);
      c.check(stage.slice());
      this.stage = stage;
      long held = PairContraction.sliceShape(c.extent(), stage.held().rows()).bytes();
      attached = device.own(stage.attached()).spinAddresses(1, held)[0];
    }

    @Override
    void run(Team team, Workspace[] workspaces) {
      attachFirst(team, workspaces, attached, stage);
    }
  }

  private static final class AttachSecond extends PairBlocks {
    private final BothAttached stage;

    AttachSecond(PairContraction c, BothAttached stage, CpuDevice device, boolean exact) {
      super(c, device, exact);
      c.check(stage.slice());
      c.check(stage.sums());
      this.stage = stage;
    }

    @Override
    void run(Team team, Workspace[] workspaces) {
      attachSecond(team, workspaces, stage.sums(), stage.slice().rows());
    }
  }

  private static final class Close extends PairBlocks {
    private final Closed stage;
    private final long[] others;
    private final long[][] blocks;

    Close(PairContraction c, Closed stage, CpuDevice device, boolean exact) {
      super(c, device, exact);
      c.check(stage.slice());
      this.stage = stage;
      long n = c.extent();
      others = new long[stage.others().size()];
      blocks = new long[others.length][];
      for (int k = 0; k < others.length; k++) {
        others[k] = device.own(stage.others().get(k)).spinAddresses(1, 16 * n * n * n)[0];
        CpuMemory block = device.own(stage.blocks().get(k));
        blocks[k] = block.spinAddresses(stage.components(), 16 * n * n);
        block.tiling(Tiling.PLAIN);
      }
    }

    @Override
    void run(Team team, Workspace[] workspaces) {
      close(team, workspaces, stage, others, blocks);
    }
  }

  final void attachFirst(Team team, Workspace[] workspaces, long attached, FirstAttached stage) {
    int spins = contraction.firstSpins().size();
    int groups = (spins + FIRST_SPINS - 1) / FIRST_SPINS;
    int count = stage.slice().rows();
    team.run(
        groups * count,
        (part, worker) -> {
          int place = part / count * FIRST_SPINS;
          int places = Math.min(FIRST_SPINS, spins - place);
          attachFirst(workspaces[worker], attached, place, places, stage, part % count);
        });
  }

  final void attachSecond(Team team, Workspace[] workspaces, List<LinePairSum> sums, int rows) {
    int small = SMALL_PRODUCT / (square * n);
    // One or two rows would prepare the second line too often for what they save.
    int attachedRows =
        small < LEAST_ROWS ? ATTACHED_ROWS : Math.min(small, Math.max(LEAST_ROWS, CACHED / square));
    int chunks = (rows + attachedRows - 1) / attachedRows;
    Attached slice = new Attached(sums.size(), rows);
    team.run(
        sums.size() * chunks,
        (part, worker) -> {
          int sum = part % sums.size();
          int row = part / sums.size() * attachedRows;
          attachSecond(
              workspaces[worker],
              sums.get(sum),
              row,
              Math.min(attachedRows, rows - row),
              slice,
              sum);
        });
  }

  final void close(
      Team team, Workspace[] workspaces, Closed stage, long[] others, long[][] blocks) {
    Attached slice = new Attached(stage.sums(), stage.slice().rows());
    if (slice.numbers == 0) {
      // N = 1: the only number is on the diagonal, where an antisymmetric elemental has none.
      for (long[] block : blocks) {
        for (int sum = 0; sum < stage.sums(); sum++) {
          workspaces[0].blas().clear(2 * square, block[stage.firstComponent() + sum]);
        }
      }
      return;
    }
    int most = (int) Math.max(1, MOST_PACKED / (PLANES * (long) slice.numbers));
    int parts = Math.max((n + most - 1) / most, (team.size() + others.length - 1) / others.length);
    int rows = (n + parts - 1) / parts;
    int groups = (n + rows - 1) / rows;
    team.run(
        groups * others.length,
        (part, worker) -> {
          int row = part % groups * rows;
          int other = part / groups;
          close(
              workspaces[worker],
              others[other],
              row,
              Math.min(rows, n - row),
              slice,
              blocks[other],
              stage);
        });
  }

  /** Both lines attached, for some sums and rows: {@code [plane][sum][row][numbers]}. */
  private final class Attached {
    private final int sums;
    private final int rows;
    private final int numbers;

    Attached(int sums, int rows) {
      this.sums = sums;
      this.rows = rows;
      numbers = half ? n * (n - 1) / 2 : square;
    }

    long at(int plane, int sum, int row) {
      return x + 8L * (((long) plane * sums + sum) * rows + row) * numbers;
    }
  }

  private long y(int plane, int place, int row, int count) {
    return y
        + 8L * (((long) plane * contraction.firstSpins().size() + place) * count + row) * square;
  }

  /**
   * Brings a line into the rotated basis, plainly laid out, in three planes, perhaps transposed.
   */
  final void rotate(
      Team team, Workspace[] workspaces, CpuMemory line, Tiling tiling, boolean isFirst) {
    long target = isFirst ? first : second;
    boolean transposed = isFirst == sinkAttached;
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
      blas.sum(count, planes, planes + stride, planes + 2 * stride);
    }
  }

  /** {@code Y[p][i] = first[p] · attached[i]}, n × n matrices, for some places of p. */
  private void attachFirst(
      Workspace own, long attached, int firstPlace, int places, FirstAttached stage, int row) {
    Blas blas = own.blas();
    long matrix = 8L * square;
    long elemental = own.scratch(PLANES * (long) square);
    long from = attached + (stage.slice().start() - stage.held().start() + row) * matrix;
    blas.move(square, from, elemental);
    blas.move(square, from + stage.held().rows() * matrix, elemental + matrix);
    sumPlane(blas, square, elemental, matrix);
    int count = stage.slice().rows();
    for (int place = firstPlace; place < firstPlace + places; place++) {
      long line = first + line(contraction.firstSpins().get(place));
      long target = y(0, place, row, count);
      long stride = y(1, place, row, count) - target;
      multiply(blas, false, n, n, n, 1, line, matrix, elemental, matrix, false, target, stride);
      finish(blas, square, target, stride);
    }
  }

  /** One sum of Y times the second line, for some rows. */
  private void attachSecond(
      Workspace own, LinePairSum sum, int row, int rowCount, Attached slice, int place) {
    Blas blas = own.blas();
    int entries = rowCount * square;
    long matrix = 8L * square;
    long line = own.scratch(PLANES * ((long) square + entries));
    long sums = line + PLANES * matrix;
    for (int e = 0; e < sum.size(); e++) {
      long from = y(0, placeOfSpin[sum.first(e)], row, slice.rows);
      long stride = y(1, placeOfSpin[sum.first(e)], row, slice.rows) - from;
      long times = second + line(sum.second(e));
      double alpha = sum.factorRe(e);
      if (sum.factorIm(e) != 0) {
        blas.times(square, alpha, sum.factorIm(e), times, line);
        sumPlane(blas, square, line, matrix);
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
    long kept = slice.at(0, place, row);
    long stride = slice.at(1, place, row) - kept;
    if (half) {
      blas.keepHalf(rowCount, n, !exact, sums, 8L * entries, kept, stride);
      return;
    }
    finish(blas, entries, sums, 8L * entries);
    for (int plane = 0; plane < (exact ? 2 : PLANES); plane++) {
      blas.move(entries, sums + 8L * plane * entries, kept + plane * stride);
    }
  }

  /** Closes all sums attached with some values of the open index of an elemental. */
  private void close(
      Workspace own,
      long other,
      int firstRow,
      int rows,
      Attached slice,
      long[] block,
      Closed stage) {
    Blas blas = own.blas();
    int numbers = slice.numbers;
    long plane = 8L * rows * numbers;
    // A column for every sum and row of the slice.
    int columns = slice.sums * slice.rows;
    int results = rows * columns;
    long packed = own.scratch(PLANES * ((long) rows * numbers + results));
    long result = packed + PLANES * plane;
    long from = other + 8L * firstRow * square;
    if (half) {
      blas.upperTriangles(rows, n, !exact, from, 8L * n * square, packed, plane);
    } else {
      blas.move(rows * square, from, packed);
      blas.move(rows * square, from + 8L * n * square, packed + plane);
      sumPlane(blas, rows * square, packed, plane);
    }
    long attached = slice.at(0, 0, 0);
    long stride = slice.at(1, 0, 0) - attached;
    long to = 8L * results;
    if (sinkAttached) {
      multiply(
          blas, true, rows, columns, numbers, 1, packed, plane, attached, stride, false, result,
          to);
    } else {
      multiply(
          blas, true, columns, rows, numbers, 1, attached, stride, packed, plane, false, result,
          to);
    }
    finish(blas, results, result, to);
    for (int sum = 0; sum < slice.sums; sum++) {
      for (int part = 0; part < 2; part++) {
        long target = block[stage.firstComponent() + sum] + 8L * part * square;
        put(blas, result + part * to, sum, rows, slice, target, stage.slice().start(), firstRow);
      }
    }
  }

  /**
   * Copies results of a sum, {@code [j][i]} with j the open index of the source, to their block.
   */
  private void put(
      Blas blas,
      long results,
      int sum,
      int rows,
      Attached slice,
      long block,
      int start,
      int firstRow) {
    int columns = slice.sums * slice.rows;
    if (sinkAttached) {
      for (int j = 0; j < rows; j++) {
        blas.copy(
            slice.rows,
            results + 8L * ((long) j * columns + (long) sum * slice.rows),
            1,
            block + 8L * ((long) (firstRow + j) * n + start),
            1);
      }
      return;
    }
    for (int j = 0; j < slice.rows; j++) {
      blas.copy(
          rows,
          results + 8L * ((long) sum * slice.rows + j) * rows,
          1,
          block + 8L * ((long) (start + j) * n + firstRow),
          1);
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
