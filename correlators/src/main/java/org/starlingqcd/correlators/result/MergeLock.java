package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * The right to rewrite a result file, given back on close.
 *
 * @param channel the file of claims
 * @param lock the lock in it
 */
record MergeLock(FileChannel channel, FileLock lock) implements AutoCloseable {
  boolean isValid() {
    return lock.isValid();
  }

  @Override
  public void close() throws IOException {
    if (lock.isValid()) {
      LockWait.unsign(channel);
      lock.release();
    }
  }
}
