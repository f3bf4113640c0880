package org.starlingqcd.memhc.access;

import org.starlingqcd.backend.HostMemory;

/**
 * Where the data of input elements come from. An input is loaded when it is needed on the device
 * and again after it was evicted, so it is never copied back.
 */
@FunctionalInterface
public interface InputSource {
  /**
   * Writes the data of {@code element} in host layout to byte {@code offset} of {@code target}.
   * Called on a thread of MemHC's own, ahead of the use, and never twice at once; a failure is
   * thrown by the call of MemHC that needs the data.
   */
  void load(int element, HostMemory target, long offset);

  /** Whether loading takes no time to speak of, so that it is done where it is asked for. */
  default boolean isImmediate() {
    return false;
  }
}
