package org.starlingqcd.hadron.input;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.memhc.access.HeldInput;

/** The inputs of a queue, of which a store keeps those that the queue loads again. */
public interface StoredInputs extends InputBlocks {
  /**
   * Writes an input, or some rows of a baryon elemental, to byte {@code offset} of {@code target}.
   *
   * @return whether the store had kept it for this user
   */
  boolean load(BlockRequest request, HostMemory target, long offset);

  /**
   * As {@link #load}, for a device that copies out of page-locked memory: the memory in which the
   * input is, or is going to be read. It waits for nothing.
   *
   * @param notKept runs when the input was read that the store had not kept for this user
   * @return null when there is none; {@link #load} then does it
   */
  @Nullable HeldInput hold(BlockRequest request, Runnable notKept);

  /** Says that a user does not load an input again; nothing if it never said that it would. */
  void release(BlockRequest request);
}
