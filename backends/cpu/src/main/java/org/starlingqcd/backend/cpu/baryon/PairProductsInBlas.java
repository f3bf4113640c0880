package org.starlingqcd.backend.cpu.baryon;

import static org.starlingqcd.backend.cpu.baryon.PairWorkspace.PLANES;

import java.util.List;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction.FirstAttached;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Workspace;

/** Products by BLAS: three real ones for each complex one, or conventional ones. */
final class PairProductsInBlas implements PairProducts {
  /**
   * Most m·n·k of a product that OpenBLAS computes without packing, see {@code
   * benchmarks/README.md}.
   */
  private static final int SMALL_PRODUCT = 1_000_000;

  /** Numbers in three planes that stay in the second-level cache together with their inputs. */
  private static final int CACHED = 1 << 12;

  /** Rows of i to which a part attaches the second line, where no product is small. */
  private static final int ATTACHED_ROWS = 4;

  /** Fewest rows of i to which a part attaches the second line by small products. */
  private static final int LEAST_ROWS = 3;

  /** Spin components of the first line that a part attaches. */
  private static final int FIRST_SPINS = 4;

  /** Most numbers of elementals that are packed at a time, in three planes: 64 MiB. */
  private static final long MOST_PACKED = 1L << 23;

  /** Parts for each thread in which elementals are packed. */
  private static final int PACK_PARTS = 6;

  /** Columns that a part closes with. */
  private static final int COLUMNS = 120;

  private final PairWorkspace w;
  private final Team team;
  private final boolean exact;
  private final boolean half;
  private final int n;
  private final int square;

  PairProductsInBlas(PairWorkspace workspace, boolean exact) {
    w = workspace;
    team = workspace.team;
    this.exact = exact;
    half = workspace.contraction.antisymmetric();
    n = workspace.n;
    square = workspace.square;
  }

  @Override
  public void attachFirst(long attached, FirstAttached stage) {
    int spins = w.contraction.firstSpins().size();
    int groups = (spins + FIRST_SPINS - 1) / FIRST_SPINS;
    int count = stage.slice().rows();
    team.run(
        groups * count,
        (part, own) -> {
          int place = part / count * FIRST_SPINS;
          int places = Math.min(FIRST_SPINS, spins - place);
          attachFirst(own, attached, place, places, stage, part % count);
        });
  }

  @Override
  public void attachSecond(List<LinePairSum> sums, int rows) {
    int small = SMALL_PRODUCT / (square * n);
    // With only one or two rows, preparing the second line so often would cost more than it saves.
    int attachedRows =
        small < LEAST_ROWS ? ATTACHED_ROWS : Math.min(small, Math.max(LEAST_ROWS, CACHED / square));
    int chunks = (rows + attachedRows - 1) / attachedRows;
    PairWorkspace.Attached slice = w.attached(sums.size(), rows);
    team.run(
        sums.size() * chunks,
        (part, own) -> {
          int sum = part % sums.size();
          int row = part / sums.size() * attachedRows;
          attachSecond(own, sums.get(sum), row, Math.min(attachedRows, rows - row), slice, sum);
        });
  }

  @Override
  public void close(PairClosing.Columns columns, long[] others, long[] blocks) {
    PairClosing closing = new PairClosing(w.contraction, half, exact);
    long ofRow = PLANES * (long) PairClosing.numbers(n, half) * others.length;
    int groups = (int) Math.min(n, (n * ofRow + MOST_PACKED - 1) / MOST_PACKED);
    // All threads read the packed elementals.
    synchronized (team) {
      for (int g = 0; g < groups; g++) {
        int row = (int) ((long) n * g / groups);
        int rows = (int) ((long) n * (g + 1) / groups) - row;
        PairClosing.Packed packed =
            new PairClosing.Packed(team.shared(rows * ofRow), others.length, row, rows);
        pack(closing, packed, others);
        closeColumns(closing, packed, columns, blocks);
      }
    }
  }

  private void pack(PairClosing closing, PairClosing.Packed packed, long[] others) {
    int rows = packed.rows();
    int pieces = Math.min(rows, PairProducts.slices(PACK_PARTS * team.size(), others.length));
    team.run(
        pieces * others.length,
        (part, own) -> {
          int row = rows * (part % pieces) / pieces;
          int end = rows * (part % pieces + 1) / pieces;
          int other = part / pieces;
          closing.pack(own.blas(), others[other], packed, other, row, end - row);
        });
  }

  private void closeColumns(
      PairClosing closing, PairClosing.Packed packed, PairClosing.Columns columns, long[] blocks) {
    int size = team.size();
    int chunks =
        Math.min(
            columns.count(),
            size * PairProducts.slices(PairProducts.slices(columns.count(), COLUMNS), size));
    team.run(
        chunks,
        (part, own) -> {
          int column = (int) ((long) columns.count() * part / chunks);
          int count = (int) ((long) columns.count() * (part + 1) / chunks) - column;
          long scratch = own.scratch(PLANES * (long) packed.others() * packed.rows() * count);
          closing.close(own, packed, columns, column, count, blocks, scratch);
        });
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
    long matrix = (long) blas.bytes() * square;
    long from = attached + (stage.slice().start() - stage.held().start() + row) * matrix;
    long elemental = own.scratch(PLANES * (long) square);
    blas.move(square, from, elemental);
    blas.move(square, from + stage.held().rows() * matrix, elemental + matrix);
    sumPlane(blas, square, elemental, matrix);
    int count = stage.slice().rows();
    for (int place = firstPlace; place < firstPlace + places; place++) {
      long line = w.first(w.contraction.firstSpins().get(place));
      long target = w.y(0, place, row, count);
      long stride = w.y(1, place, row, count) - target;
      PlaneProducts.multiply(
          blas, exact, false, n, n, n, 1, line, matrix, elemental, matrix, false, target, stride);
      finish(blas, square, target, stride);
    }
  }

  /** One sum of Y times the second line, for some rows. */
  private void attachSecond(
      Workspace own,
      LinePairSum sum,
      int row,
      int rowCount,
      PairWorkspace.Attached slice,
      int place) {
    Blas blas = own.blas();
    int entries = rowCount * square;
    long matrix = (long) blas.bytes() * square;
    long line = own.scratch(PLANES * ((long) square + entries));
    long sums = line + PLANES * matrix;
    for (int e = 0; e < sum.size(); e++) {
      long from = w.y(0, w.placeOfSpin[sum.first(e)], row, slice.rows());
      long stride = w.y(1, w.placeOfSpin[sum.first(e)], row, slice.rows()) - from;
      long times = w.second(sum.second(e));
      double alpha = sum.factorRe(e);
      if (sum.factorIm(e) != 0) {
        blas.times(square, alpha, sum.factorIm(e), times, line);
        sumPlane(blas, square, line, matrix);
        times = line;
        alpha = 1;
      }
      PlaneProducts.multiply(
          blas,
          exact,
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
          (long) blas.bytes() * entries);
    }
    long kept = slice.at(0, place, row);
    long stride = slice.at(1, place, row) - kept;
    if (half) {
      blas.keepHalf(rowCount, n, !exact, sums, (long) blas.bytes() * entries, kept, stride);
      return;
    }
    finish(blas, entries, sums, (long) blas.bytes() * entries);
    for (int plane = 0; plane < (exact ? 2 : PLANES); plane++) {
      blas.move(entries, sums + (long) blas.bytes() * plane * entries, kept + plane * stride);
    }
  }

  /** Combines the three real products into real part, imaginary part and their sum. */
  private void finish(Blas blas, long count, long planes, long stride) {
    if (!exact) {
      blas.finishThree(count, planes, stride);
    }
  }
}
