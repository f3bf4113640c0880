package org.starlingqcd.memhc.access;

import org.starlingqcd.backend.HostMemory;

/**
 * Supplies the data of input elements. An input is loaded when the device needs it, and again after
 * an eviction, so it is never copied back.
 */
@FunctionalInterface
public interface InputSource {
  /**
   * Writes the data of {@code element} in host layout to byte {@code offset} of {@code target}.
   * MemHC calls this on a thread of its own ahead of the use, never twice at once. The call of
   * MemHC that needs the data throws a failure.
   */
  void load(int element, HostMemory target, long offset);

  /** Whether loading is so fast that the calling thread does it. */
  default boolean isImmediate() {
    return false;
  }
}
