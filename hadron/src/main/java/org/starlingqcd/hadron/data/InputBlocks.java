package org.starlingqcd.hadron.data;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
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
   * The blocks that these are made of one by one. What these blocks do not say about an input is
   * what those say.
   *
   * @return null where there are none
   */
  default @Nullable InputBlocks behind() {
    return null;
  }

  /**
   * A number for the data of an input: equal where the same block of the same files is read in the
   * same form, also by another run; 0 if it is not known.
   */
  default long key(Input input, Rows rows) {
    InputBlocks behind = behind();
    return behind == null ? 0 : behind.key(input, rows);
  }

  /**
   * The weights of an input's profiles, by index of its block and eigenvector. Whoever has the
   * block of {@link Input#plain} multiplies it by them.
   *
   * @return null when it has no profiles
   * @throws DistillationException when a profile does not fit the data
   */
  default double @Nullable [][] weights(Input input) {
    InputBlocks behind = behind();
    if (behind == null && !input.profiles().isEmpty()) {
      throw new IllegalArgumentException("no weights are known here: " + input);
    }
    return behind == null ? null : behind.weights(input);
  }

  /**
   * The input whose block lies behind that of another in the same file, so that both can be read at
   * once; null when there is none, or that is not known.
   */
  default @Nullable Input next(Input input) {
    InputBlocks behind = behind();
    return behind == null ? null : behind.next(input);
  }

  /**
   * Writes inputs one behind the other from byte {@code offset} of {@code target} on, each of which
   * is the {@link #next} of the one before it.
   *
   * @param bytes size of each
   */
  default void loadRun(List<Input> run, long bytes, HostMemory target, long offset) {
    for (int k = 0; k < run.size(); k++) {
      load(run.get(k), target, offset + k * bytes);
    }
  }

  /** Whether {@link #load} of a whole input is a copy in memory, so that nobody reads it ahead. */
  default boolean isAtHand(Input input) {
    InputBlocks behind = behind();
    return behind != null && behind.isAtHand(input);
  }

  /** A form of a block other than the host layout. */
  interface Form {
    /** A name: forms of one name and size are equal byte for byte. */
    String name();

    /** Size of a block in this form. */
    long bytes();

    /** Brings a block into this form. */
    void arrange(HostMemory block, HostMemory target);
  }

  /**
   * Memory that holds an input, or some rows of a baryon elemental, in some form, and that stays
   * until it is closed. So nobody needs a copy of it.
   *
   * @return null when there is none; {@link #load} then does it
   * @throws DistillationException as {@link #load}
   */
  default @Nullable HostMemory lend(Input input, Rows rows, Form form) {
    return null;
  }

  /** Whether a queue that runs later needs an input of this one too. */
  default boolean isNeededLater(Input input) {
    InputBlocks behind = behind();
    return behind != null && behind.isNeededLater(input);
  }

  /** Whether inputs that were loaded are kept, so that nobody else has to. */
  default boolean keeps() {
    InputBlocks behind = behind();
    return behind != null && behind.keeps();
  }

  /** Of what precision the numbers are that {@link #load} and {@link #loadRun} write. */
  default Precision precision() {
    return Precision.DOUBLE;
  }

  /** The basis that components and parities of baryons refer to. */
  GammaBasis gammaBasis();
}
