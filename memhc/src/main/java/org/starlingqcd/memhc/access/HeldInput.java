package org.starlingqcd.memhc.access;

import org.starlingqcd.backend.HostMemory;

/**
 * The data of an input in page-locked memory of their source, out of which the device copies. The
 * memory stays as it is from {@link #read} until {@link #close}.
 */
public interface HeldInput extends AutoCloseable {
  /** Whether {@link #read} returns at once. */
  boolean isRead();

  /**
   * Waits for the data, or reads them. MemHC calls this once, on a thread of its own unless {@link
   * #isRead}, or not at all when nobody needs the data any more.
   */
  void read();

  /** The memory, once the data were read. */
  HostMemory memory();

  /** Where in the memory the data begin, in bytes, in host layout. */
  long offset();

  /** Gives the memory back: nothing copies out of it any more. */
  @Override
  void close();
}
