package org.starlingqcd.hadron.input;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

/** The inputs of a queue, of which a store keeps those that the queue loads again. */
public interface StoredInputs extends InputBlocks {
  /**
   * Writes an input, or some rows of a baryon elemental, to byte {@code offset} of {@code target}.
   *
   * @param user whoever loads it; one that equals it releases it
   * @param again whether the user loads it again before {@link #release}
   * @return whether the store had kept it for this user
   */
  boolean load(Input input, Rows rows, Object user, boolean again, HostMemory target, long offset);

  /**
   * As {@link #load}, for a device that copies out of page-locked memory: the memory in which the
   * input is, or is going to be read. It waits for nothing.
   *
   * @return null when there is none; {@link #load} then does it
   */
  default @Nullable HeldBlock hold(Input input, Rows rows, Object user, boolean again) {
    return null;
  }

  /** Says that a user does not load an input again; nothing if it never said that it would. */
  void release(Input input, Rows rows, Object user);
}
