package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.schedule.Input;

/**
 * A source of the inputs of a queue: blocks in host layout and in the DeGrand-Rossi basis.
 * Implementations may be called from several threads.
 */
public interface InputBlocks {
  /**
   * Writes an input, or some rows of a baryon elemental, to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing or cannot be used
   * @throws IllegalArgumentException when {@code rows} are asked for of another kind of input
   */
  void load(Input input, Rows rows, HostMemory target, long offset);

  /** Writes a whole input to byte {@code offset} of {@code target}. */
  default void load(Input input, HostMemory target, long offset) {
    load(input, Rows.ALL, target, offset);
  }

  /** The basis that components and parities of baryons refer to. */
  GammaBasis gammaBasis();
}
