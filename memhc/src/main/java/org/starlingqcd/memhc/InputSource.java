package org.starlingqcd.memhc;

import org.starlingqcd.backend.HostMemory;

/**
 * Where the data of input elements come from. An input is loaded when it is needed on the device
 * and again after it was evicted, so it is never copied back.
 */
@FunctionalInterface
public interface InputSource {
  /**
   * Writes the data of {@code element} in host layout to byte {@code offset} of {@code target}.
   * Called on the thread that uses MemHC.
   */
  void load(int element, HostMemory target, long offset);
}
