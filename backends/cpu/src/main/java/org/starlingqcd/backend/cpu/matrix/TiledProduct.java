package org.starlingqcd.backend.cpu.matrix;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.cpu.blas.MatrixBlas;
import org.starlingqcd.backend.cpu.blas.Team;

/**
 * A product cut into tiles of its result. If these are fewer than threads and the summed index is
 * long, it is cut too: each part has a result of its own, and these are added in order, so that
 * equal inputs give equal results on equal numbers of threads.
 */
final class TiledProduct {
  private final ProductShape product;
  private final int rowParts;
  private final int columnParts;
  private final int innerParts;

  TiledProduct(ProductShape product, int threads, int tile, int leastInner) {
    this.product = product;
    int rows = Math.max(1, product.m() / tile);
    int columns = Math.max(1, product.n() / tile);
    // Tall tiles: BLAS packs B once for all rows of a tile.
    int wanted = threads == 1 ? 1 : 4 * threads;
    int across = 1;
    int down = 1;
    while (across * down < wanted && (across < columns || down < rows)) {
      boolean wide = (double) product.n() / across > (double) product.m() / down;
      if (across < columns && (wide || down == rows)) {
        across++;
      } else {
        down++;
      }
    }
    rowParts = down;
    columnParts = across;
    innerParts =
        down * across >= threads
            ? 1
            : Math.max(1, Math.min(threads / (down * across), product.k() / leastInner));
  }

  void run(Team team, long a, long b, long c) {
    int tiles = rowParts * columnParts;
    if (innerParts == 1) {
      team.run(tiles, (part, own) -> tile(own.matrices(), part, 0, a, b, c, null));
      return;
    }
    long part = product.c().bytes();
    try (HostMemory sums = HostMemory.allocateForDevice(part * innerParts)) {
      team.run(
          tiles * innerParts,
          (k, own) -> tile(own.matrices(), k % tiles, k / tiles, a, b, c, sums));
      team.run(tiles, (k, own) -> addUp(own.matrices(), k, c, sums));
    }
  }

  private static int bound(int length, int part, int parts) {
    return (int) ((long) length * part / parts);
  }

  private void tile(
      MatrixBlas blas, int tile, int inner, long a, long b, long c, @Nullable HostMemory sums) {
    ProductShape p = product;
    int i0 = bound(p.m(), tile / columnParts, rowParts);
    int i1 = bound(p.m(), tile / columnParts + 1, rowParts);
    int j0 = bound(p.n(), tile % columnParts, columnParts);
    int j1 = bound(p.n(), tile % columnParts + 1, columnParts);
    int k0 = bound(p.k(), inner, innerParts);
    int k1 = bound(p.k(), inner + 1, innerParts);
    long bytes = p.kind().bytes();
    ProductShape part =
        new ProductShape(
            p.kind(),
            p.formA(),
            p.formB(),
            i1 - i0,
            j1 - j0,
            k1 - k0,
            p.lda(),
            p.ldb(),
            p.ldc(),
            p.alpha(),
            sums == null ? p.beta() : Scalar.ZERO);
    long target = sums == null ? c : sums.address() + inner * p.c().bytes();
    blas.multiply(
        part,
        a + bytes * (p.formA().exchanges() ? (long) k0 * p.lda() + i0 : (long) i0 * p.lda() + k0),
        b + bytes * (p.formB().exchanges() ? (long) j0 * p.ldb() + k0 : (long) k0 * p.ldb() + j0),
        target + bytes * ((long) i0 * p.ldc() + j0));
  }

  private void addUp(MatrixBlas blas, int tile, long c, HostMemory sums) {
    ProductShape p = product;
    NumberKind kind = p.kind();
    int j0 = bound(p.n(), tile % columnParts, columnParts);
    int columns = bound(p.n(), tile % columnParts + 1, columnParts) - j0;
    int i1 = bound(p.m(), tile / columnParts + 1, rowParts);
    for (int i = bound(p.m(), tile / columnParts, rowParts); i < i1; i++) {
      long row = (long) kind.bytes() * ((long) i * p.ldc() + j0);
      if (p.beta().isZero()) {
        blas.copy(kind, columns, sums.address() + row, 1, c + row, 1);
      } else {
        blas.scale(kind, columns, p.beta(), c + row, 1);
        blas.add(kind, columns, Scalar.ONE, sums.address() + row, 1, c + row, 1);
      }
      for (int part = 1; part < innerParts; part++) {
        long from = sums.address() + part * p.c().bytes() + row;
        blas.add(kind, columns, Scalar.ONE, from, 1, c + row, 1);
      }
    }
  }
}
