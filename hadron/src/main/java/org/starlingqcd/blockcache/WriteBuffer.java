package org.starlingqcd.blockcache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * Blocks on their way to the log. A thread writes them, so that whoever has read a block goes on at
 * once. Until a block is written, readers of this process get it from here. Thread-safe.
 */
final class WriteBuffer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBuffer.class);
  private static final long MOST_BYTES = 32L << 20;

  /** Writes a block to the log and publishes it. */
  interface Writer {
    void write(BlockKey key, HostMemory block, long bytes);
  }

  private static final class Waiting {
    final BlockKey key;
    final HostMemory block;
    int readers;
    boolean written;

    Waiting(BlockKey key, HostMemory block) {
      this.key = key;
      this.block = block;
    }
  }

  private final Writer writer;
  private final HostMemoryBudget budget;
  private final Map<BlockKey, Waiting> blocks = new HashMap<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "block-cache-writer");
            made.setDaemon(true);
            return made;
          });
  private long heldBytes;
  private boolean closed;

  /**
   * An empty buffer; its thread starts with the first block.
   *
   * @param budget pays for copies of blocks
   */
  WriteBuffer(HostMemoryBudget budget, Writer writer) {
    this.budget = budget;
    this.writer = writer;
  }

  /** Takes a copy of a block, to be written soon; false if there is no room for it. */
  boolean add(BlockKey key, HostMemory source, long offset, long bytes) {
    synchronized (this) {
      if (closed || heldBytes + bytes > MOST_BYTES || !budget.tryReserve(bytes)) {
        return false;
      }
      heldBytes += bytes;
    }
    Waiting waiting = new Waiting(key, HostMemory.allocate(bytes));
    source.copyTo(offset, waiting.block, 0, bytes);
    synchronized (this) {
      blocks.put(key, waiting);
      thread.execute(() -> write(waiting));
    }
    return true;
  }

  synchronized boolean holds(BlockKey key) {
    return blocks.containsKey(key);
  }

  /** Copies a block to byte {@code offset} of {@code target}; false if it is not here. */
  boolean fetch(BlockKey key, long bytes, HostMemory target, long offset) {
    Waiting found;
    synchronized (this) {
      found = blocks.get(key);
      if (found == null || found.block.bytes() != bytes) {
        return false;
      }
      found.readers++;
    }
    try {
      found.block.copyTo(0, target, offset, bytes);
    } finally {
      synchronized (this) {
        found.readers--;
        freeIfUnused(found);
      }
    }
    return true;
  }

  private void freeIfUnused(Waiting block) {
    if (block.written && block.readers == 0) {
      long bytes = block.block.bytes();
      block.block.close();
      heldBytes -= bytes;
      budget.release(bytes);
    }
  }

  private void write(Waiting next) {
    try {
      writer.write(next.key, next.block, next.block.bytes());
    } catch (RuntimeException e) {
      LOG.debug("while writing to the block cache", e);
    } finally {
      // After an Error too: somebody may wait for the block.
      synchronized (this) {
        blocks.remove(next.key, next);
        next.written = true;
        freeIfUnused(next);
        notifyAll();
      }
    }
  }

  /** Waits until all blocks that are here have been written. */
  synchronized void flush() {
    while (!blocks.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Writes what is left. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    flush();
    thread.shutdown();
  }
}
