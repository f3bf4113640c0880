package org.starlingqcd.backend.gpu.launch;

import org.starlingqcd.backend.gpu.library.MatrixProduct;

/**
 * How a product is launched, by its shape alone: as a plain product where its result has enough
 * tiles to occupy a large GPU, otherwise by a batch through pointers of a fixed number of products.
 * The number fills some 128 processors twice with tiles of 64 × 64 complex numbers.
 */
final class EntryPoint {
  /** Most products of a chunk. */
  static final int MOST = 64;

  /** Numbers of the results of a chunk that occupy the device. */
  private static final long ENOUGH = 1L << 20;

  private EntryPoint() {}

  /** Products that are launched together; 1 means a plain product. */
  static int chunk(MatrixProduct product) {
    long numbers = (long) product.m() * product.n();
    int chunk = 1;
    while (chunk < MOST && chunk * numbers < ENOUGH) {
      chunk *= 2;
    }
    return chunk;
  }

  /** Bytes from the first to the last number of the result, gaps included. */
  static long resultBytes(MatrixProduct product) {
    return ((product.n() - 1L) * product.ldc() + product.m()) * product.precision().complexBytes();
  }
}
