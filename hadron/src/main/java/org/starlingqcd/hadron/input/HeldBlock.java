package org.starlingqcd.hadron.input;

import org.starlingqcd.backend.HostMemory;

/**
 * A block of a store, or rows of it, in page-locked memory that stays as it is while a device
 * copies out of it.
 */
public interface HeldBlock extends AutoCloseable {
  /** Whether {@link #read} returns at once. */
  boolean isRead();

  /**
   * Reads the data, or waits for whoever reads them; called once at most.
   *
   * @return whether the store had kept them for the user
   * @throws org.starlingqcd.hadron.data.DistillationException when they are missing or cannot be
   *     used
   */
  boolean read();

  /** The memory, once the data were read. */
  HostMemory memory();

  /** Where in the memory the data begin, in bytes. */
  long offset();

  /** Gives the memory back to the store. */
  @Override
  void close();
}
