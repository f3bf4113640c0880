package org.starlingqcd.hadron.execute;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.precision.Precision;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.InputBlocks;

/**
 * Loads input blocks, which are complex doubles, in the precision of a device. Numbers in single
 * precision are rounded once. One thread at a time.
 */
final class RoundedInputs implements AutoCloseable {
  private final Precision precision;
  private final HostMemoryBudget budget;
  private @Nullable HostMemory doubles;

  RoundedInputs(Precision precision, HostMemoryBudget budget) {
    this.precision = precision;
    this.budget = budget;
  }

  /** Loads a block of complex doubles to byte {@code offset} of memory. */
  interface Source {
    /** Returns what {@link RoundedInputs#load} is to return. */
    boolean load(HostMemory target, long offset);
  }

  /**
   * Writes a block to byte {@code offset} of {@code target}.
   *
   * @param input is named in the message
   * @param bytes size of the block in the precision of the device
   * @throws DistillationException as {@link InputBlocks#load}, and when a number is too large for
   *     single precision
   */
  boolean load(Input input, long bytes, Source source, HostMemory target, long offset) {
    if (precision == Precision.DOUBLE) {
      return source.load(target, offset);
    }
    long count = bytes / precision.realBytes();
    HostMemory read = doubles(count * Double.BYTES);
    boolean answer = source.load(read, 0);
    if (!read.roundTo(target, offset, count)) {
      throw new DistillationException(
          input + " has a number that is too large for single precision; use --precision double");
    }
    return answer;
  }

  private HostMemory doubles(long bytes) {
    HostMemory held = doubles;
    if (held == null || held.bytes() < bytes) {
      close();
      budget.reserve(bytes);
      held = HostMemory.allocate(bytes);
      doubles = held;
    }
    return held;
  }

  @Override
  public void close() {
    HostMemory held = doubles;
    if (held != null) {
      budget.release(held.bytes());
      held.close();
      doubles = null;
    }
  }
}
