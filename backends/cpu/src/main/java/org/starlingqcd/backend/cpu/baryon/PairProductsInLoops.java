package org.starlingqcd.backend.cpu.baryon;

import java.util.Arrays;
import java.util.List;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction.FirstAttached;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/** Products by {@link VectorLoops}, three real ones for each complex one. */
final class PairProductsInLoops implements PairProducts {
  /** Most rows of an elemental that a part closes with. */
  private static final int ROWS = 64;

  /** Least parts for each thread, so that all threads end at about the same time. */
  private static final int PARTS = 6;

  private final PairWorkspace w;
  private final Team team;
  private final int n;
  private final int square;

  PairProductsInLoops(PairWorkspace workspace) {
    w = workspace;
    team = workspace.team;
    n = workspace.n;
    square = workspace.square;
  }

  @Override
  public void attachFirst(long attached, FirstAttached stage) {
    int count = stage.slice().rows();
    long stride = (w.y(1, 0, 0, count) - w.y(0, 0, 0, count)) / w.bytes;
    int spins = w.contraction.firstSpins().size();
    int pieces = pieces(count, spins);
    long[][] lines = new long[pieces][];
    for (int piece = 0; piece < pieces; piece++) {
      lines[piece] =
          w
              .contraction
              .firstSpins()
              .subList(spins * piece / pieces, spins * (piece + 1) / pieces)
              .stream()
              .mapToLong(spin -> w.first(spin))
              .toArray();
    }
    team.run(
        count * pieces,
        (part, own) -> {
          int piece = part % pieces;
          int row = part / pieces;
          long from =
              attached + w.bytes * (stage.slice().start() - stage.held().start() + row) * square;
          VectorLoops.attachFirst(
              w.bytes,
              n,
              lines[piece].length,
              lines[piece],
              square,
              from,
              (long) stage.held().rows() * square,
              own.scratch(PairWorkspace.PLANES * (square + n * VectorLoops.padded(w.bytes, n))),
              w.y(0, spins * piece / pieces, row, count),
              (long) count * square,
              stride);
        });
  }

  /** Pieces of a row's work, so that all threads have about the same load. */
  private int pieces(int rows, int most) {
    return Math.min(most, (PARTS * team.size() + rows - 1) / rows);
  }

  @Override
  public void attachSecond(List<LinePairSum> sums, int rows) {
    PairWorkspace.Attached slice = w.attached(sums.size(), rows);
    int pieces = pieces(rows, sums.size());
    SumEntries entries = new SumEntries(sums, n, w.contraction.precision());
    // All threads read the scaled components.
    synchronized (team) {
      long memory = team.shared(entries.memory());
      team.run(entries.scaled(), (part, own) -> entries.scale(part, w.second(0), memory));
      long[] lefts = entries.lefts(w.placeOfSpin, w.y(0, 0, 0, rows), w.bytes * rows * square);
      long[] rights = entries.rights(w.second(0), memory);
      // Row by row, so that the products of a row stay in the cache for all sums.
      team.run(
          rows * pieces,
          (part, own) -> {
            int row = part / pieces;
            int sum = sums.size() * (part % pieces) / pieces;
            int end = sums.size() * (part % pieces + 1) / pieces;
            VectorLoops.attachSecond(
                w.bytes,
                n,
                sum,
                end - sum,
                entries.counts,
                lefts,
                (long) row * square,
                (w.y(1, 0, 0, rows) - w.y(0, 0, 0, rows)) / w.bytes,
                rights,
                entries.rightStride(),
                w.contraction.antisymmetric(),
                own.scratch(square),
                slice.at(0, sum, row),
                (long) rows * slice.numbers(),
                slice.plane() / w.bytes);
          });
    }
  }

  @Override
  public void close(PairClosing.Columns columns, long[] others, long[] blocks) {
    PairClosing closing = new PairClosing(w.contraction, w.contraction.antisymmetric(), false);
    int sums = columns.sums();
    int least = PairProducts.slices(team.size(), others.length);
    int pieces = Math.min(n, Math.max(least, PairProducts.slices(n, ROWS)));
    team.run(
        pieces * others.length,
        (part, own) -> {
          int row = n * (part % pieces) / pieces;
          int count = n * (part % pieces + 1) / pieces - row;
          int other = part / pieces;
          closing.closeRows(
              own,
              others[other],
              row,
              count,
              columns,
              Arrays.copyOfRange(blocks, other * sums, (other + 1) * sums));
        });
  }
}
