package org.starlingqcd.hadron.data;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;

/**
 * Host memory for unpacked chunks, shared by the datasets of one configuration.
 *
 * <p>A chunk that lies within one block is read once with it and needs no cache. A chunk that holds
 * parts of several blocks is unpacked again for each of them unless it is kept, so such a dataset
 * is given room for all chunks that one row of blocks (all times of the first axis) touches, as
 * long as there is some left.
 */
final class ChunkCacheBudget {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkCacheBudget.class);
  private static final int COMPLEX_BYTES = 16;

  private long left;

  ChunkCacheBudget(long bytes) {
    this.left = bytes;
  }

  /**
   * Bytes of chunk cache for a dataset whose blocks are named by the first {@code leadingAxes}
   * axes; 0 for the library's default.
   */
  synchronized long claim(Hdf5Dataset dataset, int leadingAxes) {
    long[] chunks = dataset.chunks();
    long blocksPerChunk = 1;
    for (int k = 0; k < leadingAxes && chunks.length > 0; k++) {
      blocksPerChunk *= chunks[k];
    }
    if (blocksPerChunk == 1) {
      return 0;
    }
    long[] extents = dataset.extents();
    long wanted = COMPLEX_BYTES;
    for (int k = 0; k < extents.length; k++) {
      boolean partOfRow = k == 0 || k >= leadingAxes;
      long covered = (extents[k] + chunks[k] - 1) / chunks[k] * chunks[k];
      wanted *= partOfRow ? covered : chunks[k];
    }
    if (wanted > left) {
      if (dataset.isFiltered()) {
        LOG.warn(
            "'{}' is stored in chunks that hold parts of {} blocks; unpacking them once needs {} MiB, {} MiB are left, so"
                + " they are unpacked repeatedly. Chunks of one block each read fastest.",
            dataset.name(),
            blocksPerChunk,
            wanted >> 20,
            left >> 20);
      }
      return 0;
    }
    left -= wanted;
    return wanted;
  }
}
