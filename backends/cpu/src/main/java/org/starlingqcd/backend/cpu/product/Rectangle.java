package org.starlingqcd.backend.cpu.product;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;
import org.starlingqcd.backend.cpu.product.Grid.Tile;

/**
 * One rectangle of destination tiles of one contraction, computed pass by pass; a pass adds
 * products of one kind of part (real, imaginary, sum) of the inputs to one part of the destination.
 *
 * <p>Within a pass the summed index is the outermost loop: a column of left tiles and a row of
 * right tiles contribute to all tiles of the rectangle before the next ones are touched.
 */
final class Rectangle {
  /** The numbers of an input that a pass multiplies. */
  private enum Part {
    REAL,
    IMAGINARY,
    SUM
  }

  private final Contraction c;
  private final Tile[] tiles;
  private final long leftSums;
  private final long rightSums;
  private final Blocking.Matrix a;
  private final Blocking.Matrix b;
  private final Blocking.Matrix to;
  private final MappingPlan plan;
  private final BatchSpinMapping mapping;
  private final Blas blas;
  private final int bytes;

  /**
   * Address where tiles are computed before they are added to the destination; 0 when they replace
   * it.
   */
  private final long scratch;

  private final long scratchTile;

  /**
   * One rectangle of a contraction.
   *
   * @param three whether {@link #threeProducts} will be called
   * @param leftSums address of the sums of the left input's parts; ignored where there are none
   * @param rightSums the same for the right input
   */
  Rectangle(
      Contractions work,
      Contraction c,
      boolean three,
      Grid grid,
      int rectangle,
      long leftSums,
      long rightSums,
      Workspace workspace) {
    this.c = c;
    tiles = grid.tiles(rectangle);
    this.leftSums = leftSums;
    this.rightSums = rightSums;
    a = work.blocking.left;
    b = work.blocking.right;
    to = work.blocking.destination;
    plan = c.plan;
    mapping = plan.mapping;
    blas = workspace.blas();
    bytes = blas.bytes();
    scratchTile = (long) to.rows(0) * to.columns(0);
    scratch = c.accumulates && three ? workspace.scratch(2 * scratchTile * grid.mostTiles()) : 0;
  }

  /** Three real products for each complex one. */
  void threeProducts() {
    pass(Part.REAL, Part.REAL, false, 1, 0, true);
    pass(Part.IMAGINARY, Part.IMAGINARY, true, -1, 0, true);
    for (Tile tile : tiles) {
      rotate(tile);
    }
    pass(Part.SUM, Part.SUM, true, 1, 0, false);
    for (int k = 0; scratch != 0 && k < tiles.length; k++) {
      addToDestination(tiles[k]);
    }
  }

  /** Four real products for each complex one; eight where a factor is complex. */
  void fourProducts() {
    boolean overwrite = !c.accumulates;
    pass(Part.REAL, Part.REAL, false, 1, 0, overwrite);
    pass(Part.IMAGINARY, Part.IMAGINARY, false, -1, 0, false);
    pass(Part.REAL, Part.IMAGINARY, true, 1, 0, overwrite);
    pass(Part.IMAGINARY, Part.REAL, true, 1, 0, false);
    if (!c.isReal()) {
      pass(Part.REAL, Part.IMAGINARY, false, 0, -1, false);
      pass(Part.IMAGINARY, Part.REAL, false, 0, -1, false);
      pass(Part.REAL, Part.REAL, true, 0, 1, false);
      pass(Part.IMAGINARY, Part.IMAGINARY, true, 0, -1, false);
    }
  }

  /**
   * Adds {@code (ofRe · Re f + ofIm · Im f) · left · right} for every entry with factor f to the
   * imaginary or the real part of the tiles, or replaces them.
   */
  private void pass(
      Part left, Part right, boolean imaginary, int ofRe, int ofIm, boolean overwrite) {
    Pass pass = new Pass(left, right, imaginary, ofRe, ofIm);
    int longest = 0;
    for (Tile tile : tiles) {
      int entries = plan.entries(tile.destination()).length;
      longest = Math.max(longest, entries);
      if (overwrite && entries == 0) {
        zero(tile, imaginary);
      }
    }
    for (int entry = 0; entry < longest; entry++) {
      for (int p = 0; p < a.columnBlocks(); p++) {
        addProducts(pass, entry, p, overwrite && entry == 0 && p == 0 ? 0 : 1);
      }
    }
  }

  /** The terms that {@link #pass} adds to all tiles. */
  private record Pass(Part left, Part right, boolean imaginary, int ofRe, int ofIm) {}

  // One short loop per method: nested loops around the call of BLAS cost the just-in-time compiler
  // seconds and gain nothing, since the call takes far longer than the code around it.
  private void addProducts(Pass pass, int entry, int p, double beta) {
    for (Tile tile : tiles) {
      int[] entries = plan.entries(tile.destination());
      if (entry < entries.length) {
        addProduct(pass, entries[entry], tile, p, beta);
      }
    }
  }

  private void addProduct(Pass pass, int number, Tile tile, int p, double beta) {
    int i = tile.row();
    int j = tile.column();
    blas.gemm(
        false,
        false,
        to.rows(i),
        to.columns(j),
        a.columns(p),
        pass.ofRe * c.factorRe(number) + pass.ofIm * c.factorIm(number),
        left(pass.left, mapping.left(number)) + bytes * a.offset(i, p),
        a.leading(p),
        right(pass.right, mapping.right(number)) + bytes * b.offset(p, j),
        b.leading(j),
        beta,
        address(tile, pass.imaginary),
        leading(j));
  }

  private long left(Part part, int spin) {
    return part == Part.SUM
        ? leftSums + bytes * a.size() * spin
        : c.left[spin] + (part == Part.IMAGINARY ? bytes * a.size() : 0);
  }

  private long right(Part part, int spin) {
    return part == Part.SUM
        ? rightSums + bytes * b.size() * spin
        : c.right[spin] + (part == Part.IMAGINARY ? bytes * b.size() : 0);
  }

  /** Address where a tile is computed. */
  private long address(Tile tile, boolean imaginary) {
    return scratch == 0
        ? destination(tile, imaginary)
        : scratch + bytes * scratchTile * (2L * tile.number() + (imaginary ? 1 : 0));
  }

  private int leading(int j) {
    return scratch == 0 ? to.leading(j) : to.columns(j);
  }

  private long destination(Tile tile, boolean imaginary) {
    return c.destination[tile.destination()]
        + bytes * to.offset(tile.row(), tile.column())
        + (imaginary ? bytes * to.size() : 0);
  }

  private void zero(Tile tile, boolean imaginary) {
    // A product with inner length 0: beta = 0 overwrites the old numbers.
    int m = to.rows(tile.row());
    int j = tile.column();
    int n = to.columns(j);
    long at = address(tile, imaginary);
    blas.gemm(false, false, m, n, 0, 0, at, 1, at, n, 0, at, leading(j));
  }

  private void rotate(Tile tile) {
    int m = to.rows(tile.row());
    int j = tile.column();
    long re = address(tile, false);
    long im = address(tile, true);
    if (leading(j) == to.columns(j)) {
      blas.rotate((long) m * to.columns(j), re, im);
    } else {
      for (int i = 0; i < m; i++) {
        long at = (long) bytes * i * leading(j);
        blas.rotate(to.columns(j), re + at, im + at);
      }
    }
  }

  private void addToDestination(Tile tile) {
    int m = to.rows(tile.row());
    int j = tile.column();
    int n = to.columns(j);
    for (boolean imaginary : new boolean[] {false, true}) {
      long from = address(tile, imaginary);
      long target = destination(tile, imaginary);
      if (to.leading(j) == n) {
        blas.add((long) m * n, 1, from, target);
      } else {
        for (int i = 0; i < m; i++) {
          blas.add(n, 1, from + (long) bytes * i * n, target + (long) bytes * i * to.leading(j));
        }
      }
    }
  }
}
