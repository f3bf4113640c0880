package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.gpu.memory.ElementLayout;

/**
 * A batch-spin mapping cut into as few matrix products as the layouts allow. Entries whose blocks
 * lie side by side are one product of larger matrices: first along the summed spin, then along
 * columns, then along rows. The plain product of two nodes becomes one 4N × 4N × 4N product instead
 * of 64, one with γ5 in between two of 4N × 4N × 2N, one with γ1 four of 4N × 4N × N.
 *
 * <p>Products that add to the same component are in different rounds; within a round destinations
 * are disjoint. Round 0 writes every component that has an entry, later rounds add. The terms of a
 * component are sorted by width and factor, so that the products of one round have few different
 * shapes and factors and can be launched together.
 */
record FusedMapping(List<Tile> tiles, int rounds) {

  /**
   * One product: {@code height × width} blocks of the destination from {@code (left row, left
   * column …)} and {@code (right row …, right column)}, {@code inner} blocks long in the sum. Spins
   * are those of the first block.
   */
  record Tile(
      int round,
      int leftSpin,
      int rightSpin,
      int destinationSpin,
      int height,
      int width,
      int inner,
      double factorRe,
      double factorIm) {
    private Tile with(int newRound, int newHeight, int newWidth, int newInner) {
      return new Tile(
          newRound,
          leftSpin,
          rightSpin,
          destinationSpin,
          newHeight,
          newWidth,
          newInner,
          factorRe,
          factorIm);
    }
  }

  /** Creates the products for elements of these layouts. */
  static FusedMapping of(
      BatchSpinMapping mapping,
      ElementLayout left,
      ElementLayout right,
      ElementLayout destination) {
    TreeMap<Integer, List<Tile>> terms = new TreeMap<>();
    for (int b = 0; b < mapping.size(); b++) {
      Tile entry =
          new Tile(
              0,
              mapping.left(b),
              mapping.right(b),
              mapping.destination(b),
              1,
              1,
              1,
              mapping.factorRe(b),
              mapping.factorIm(b));
      terms.computeIfAbsent(entry.destinationSpin(), d -> new ArrayList<>()).add(entry);
    }
    List<Tile> tiles = new ArrayList<>();
    int rounds = 0;
    for (List<Tile> sum : terms.values()) {
      List<Tile> merged = mergeInner(sum, left, right);
      merged.sort(
          Comparator.comparingInt(Tile::inner)
              .reversed()
              .thenComparingDouble(Tile::factorRe)
              .thenComparingDouble(Tile::factorIm)
              .thenComparingInt(Tile::leftSpin));
      for (int round = 0; round < merged.size(); round++) {
        tiles.add(merged.get(round).with(round, 1, 1, merged.get(round).inner));
      }
      rounds = Math.max(rounds, merged.size());
    }
    tiles = mergeColumns(tiles, right, destination);
    tiles = mergeRows(tiles, left, destination);
    tiles.sort(
        Comparator.comparingInt(Tile::round)
            .thenComparingDouble(Tile::factorRe)
            .thenComparingInt(Tile::destinationSpin));
    return new FusedMapping(List.copyOf(tiles), rounds);
  }

  /** Joins terms of one sum whose left blocks follow in a row and right blocks in a column. */
  private static List<Tile> mergeInner(List<Tile> sum, ElementLayout left, ElementLayout right) {
    List<Tile> result = new ArrayList<>();
    List<Tile> rest = new ArrayList<>(sum);
    rest.sort(Comparator.comparingInt(Tile::leftSpin).thenComparingInt(Tile::rightSpin));
    while (!rest.isEmpty()) {
      Tile first = rest.remove(0);
      int inner = 1;
      boolean grown = true;
      while (grown && !right.separate() && (first.leftSpin + inner) % left.columns() != 0) {
        grown =
            removeMatching(
                rest, first.leftSpin + inner, first.rightSpin + inner * right.columns(), first);
        if (grown) {
          inner++;
        }
      }
      result.add(first.with(0, 1, 1, inner));
    }
    return result;
  }

  private static boolean removeMatching(List<Tile> rest, int leftSpin, int rightSpin, Tile like) {
    for (int i = 0; i < rest.size(); i++) {
      Tile t = rest.get(i);
      if (t.leftSpin == leftSpin
          && t.rightSpin == rightSpin
          && t.factorRe == like.factorRe
          && t.factorIm == like.factorIm) {
        rest.remove(i);
        return true;
      }
    }
    return false;
  }

  /** Joins tiles that share their left blocks and are side by side in right and destination. */
  private static List<Tile> mergeColumns(
      List<Tile> tiles, ElementLayout right, ElementLayout destination) {
    tiles.sort(
        Comparator.comparingInt(Tile::round)
            .thenComparingInt(Tile::leftSpin)
            .thenComparingInt(t -> t.destinationSpin / destination.columns())
            .thenComparingInt(Tile::destinationSpin));
    return join(
        tiles,
        (last, tile) ->
            last.leftSpin == tile.leftSpin
                && last.rightSpin + last.width == tile.rightSpin
                && tile.rightSpin % right.columns() != 0
                && last.destinationSpin + last.width == tile.destinationSpin
                && tile.destinationSpin % destination.columns() != 0,
        last -> last.with(last.round, last.height, last.width + 1, last.inner));
  }

  /** Joins tiles that share their right blocks and are one below the other in left and result. */
  private static List<Tile> mergeRows(
      List<Tile> tiles, ElementLayout left, ElementLayout destination) {
    if (left.separate() || destination.separate()) {
      return tiles;
    }
    tiles.sort(
        Comparator.comparingInt(Tile::round)
            .thenComparingInt(Tile::rightSpin)
            .thenComparingInt(Tile::width)
            .thenComparingInt(t -> t.destinationSpin % destination.columns())
            .thenComparingInt(Tile::destinationSpin));
    return join(
        tiles,
        (last, tile) ->
            last.width == tile.width
                && last.rightSpin == tile.rightSpin
                && last.leftSpin + last.height * left.columns() == tile.leftSpin
                && last.destinationSpin + last.height * destination.columns()
                    == tile.destinationSpin,
        last -> last.with(last.round, last.height + 1, last.width, last.inner));
  }

  /** Joins every tile that is of the same term as the one before it, and adjacent to it. */
  private static List<Tile> join(
      List<Tile> tiles, BiPredicate<Tile, Tile> adjacent, UnaryOperator<Tile> grown) {
    List<Tile> result = new ArrayList<>();
    for (Tile tile : tiles) {
      Tile last = result.isEmpty() ? null : result.get(result.size() - 1);
      if (last != null && sameTerm(last, tile) && adjacent.test(last, tile)) {
        result.set(result.size() - 1, grown.apply(last));
      } else {
        result.add(tile);
      }
    }
    return result;
  }

  private static boolean sameTerm(Tile a, Tile b) {
    return a.round == b.round
        && a.inner == b.inner
        && a.factorRe == b.factorRe
        && a.factorIm == b.factorIm;
  }
}
