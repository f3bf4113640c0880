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

  /**
   * A number for the data of an input: equal where the same block of the same files is read in the
   * same form, also by another run; 0 if it is not known.
   */
  default long key(Input input, Rows rows) {
    return 0;
  }

  /** Whether inputs that were loaded are kept, so that nobody else has to. */
  default boolean keeps() {
    return false;
  }

  /** The basis that components and parities of baryons refer to. */
  GammaBasis gammaBasis();
}
