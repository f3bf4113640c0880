package org.starlingqcd.backend.gpu.launch;

import org.starlingqcd.backend.gpu.library.MatrixProduct;

/**
 * How a product is launched, by its shape alone: as a plain product where its result has enough
 * tiles to occupy a large GPU, otherwise by a batch through pointers of a fixed number of products,
 * a power of two. What is missing is filled up, so a larger number is not always better.
 *
 * <ul>
 *   <li>128 processors with two tiles of 64 × 64 complex numbers each are busy: no more products.
 *   <li>One tile each is enough for four products or more with 2³⁰ flops: these take a GPU 50 µs
 *       and more, of which launching them is little, and filling up the second tiles costs as much
 *       again.
 *   <li>Products of a single tile or so go 128 at a time. A chunk of them takes no longer than one.
 * </ul>
 */
final class EntryPoint {
  /** Most products of a chunk. */
  static final int MOST = 128;

  /** Numbers of the results of a chunk that occupy the device. */
  private static final long ENOUGH = 1L << 20;

  private static final double FLOPS_THAT_HIDE_LAUNCHING = 1L << 30;

  private EntryPoint() {}

  /** Products that are launched together; 1 means a plain product. */
  static int chunk(MatrixProduct product) {
    long numbers = (long) product.m() * product.n();
    int chunk = 1;
    double flops = 8.0 * numbers * product.k();
    while (chunk < MOST
        && chunk * numbers < ENOUGH
        && (chunk < 4
            || chunk * numbers < ENOUGH / 2
            || chunk * flops < FLOPS_THAT_HIDE_LAUNCHING)) {
      chunk *= 2;
    }
    return chunk;
  }

  /** Bytes from the first to the last number of the result, gaps included. */
  static long resultBytes(MatrixProduct product) {
    return ((product.n() - 1L) * product.ldc() + product.m()) * product.precision().complexBytes();
  }
}
