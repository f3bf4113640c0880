package org.starlingqcd.hadron.data;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;

/**
 * Host memory for unpacked chunks, shared by the datasets of one configuration and reserved from
 * the budget of the run.
 *
 * <p>A chunk within one block is read once with the block; it needs a cache only if several reads
 * share it, and a small one is enough. A chunk that holds parts of several blocks is unpacked for
 * each of them unless it is kept. Such a dataset gets room for all chunks that one row of blocks
 * (all times of the first axis) touches, as long as the budget lasts.
 */
public final class ChunkCaches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkCaches.class);

  /** The largest size for one configuration, in bytes. */
  private static final long MOST = 2L << 30;

  /** Two configurations are open at a time, and half of the budget is for blocks. */
  private static final int SHARE = 4;

  /** Cache of a dataset whose chunks lie within blocks, in bytes. */
  private static final long SMALL = 1 << 20;

  private final HostMemoryBudget budget;
  private final long bound;
  private long claimed;

  /** Caches that are paid from a budget. */
  public ChunkCaches(HostMemoryBudget budget) {
    this.budget = budget;
    this.bound = Math.min(MOST, budget.otherBytes() / SHARE);
  }

  /** The budget that the caches are part of. */
  public HostMemoryBudget budget() {
    return budget;
  }

  /** Bytes of chunk cache for a dataset whose blocks are named by the first axes. */
  public synchronized long claim(Hdf5Dataset dataset, int leadingAxes) {
    long[] chunks = dataset.chunks();
    long[] extents = dataset.extents();
    if (chunks.length == 0) {
      return 0;
    }
    long blocksPerChunk = 1;
    long chunkBytes = TensorShape.COMPLEX_BYTES;
    long rowBytes = TensorShape.COMPLEX_BYTES;
    for (int k = 0; k < extents.length; k++) {
      boolean partOfRow = k == 0 || k >= leadingAxes;
      long covered = (extents[k] + chunks[k] - 1) / chunks[k] * chunks[k];
      blocksPerChunk *= k < leadingAxes ? chunks[k] : 1;
      chunkBytes *= chunks[k];
      rowBytes *= partOfRow ? covered : chunks[k];
    }
    if (blocksPerChunk == 1) {
      long small = Math.min(SMALL, rowBytes);
      return chunkBytes <= small && reserve(small) ? small : 0;
    }
    if (reserve(rowBytes)) {
      return rowBytes;
    }
    if (dataset.isFiltered()) {
      LOG.warn(
          "'{}' is stored in chunks that hold parts of {} blocks; unpacking them once needs {} MiB, {} MiB are left, so"
              + " they are unpacked repeatedly. Chunks of one block each read fastest.",
          dataset.name(),
          blocksPerChunk,
          rowBytes >> 20,
          (bound - claimed) >> 20);
    }
    return 0;
  }

  private boolean reserve(long bytes) {
    if (bytes > bound - claimed || !budget.reclaim(bytes)) {
      return false;
    }
    claimed += bytes;
    return true;
  }

  @Override
  public synchronized void close() {
    budget.release(claimed);
    claimed = 0;
  }
}
