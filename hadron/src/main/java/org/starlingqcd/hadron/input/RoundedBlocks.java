package org.starlingqcd.hadron.input;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

/**
 * Inputs in single precision: complex doubles that are rounded once, as they are read. Whoever
 * holds these blocks holds half of the bytes.
 *
 * <p>A block is read in double precision first. The memory for that comes from the budget; one
 * piece of it stays for the next block.
 */
public final class RoundedBlocks implements InputBlocks, AutoCloseable {
  private final InputBlocks data;
  private final int eigenvectors;
  private final HostMemoryBudget budget;
  private final AtomicReference<@Nullable HostMemory> spare = new AtomicReference<>();

  /**
   * Data whose numbers are rounded.
   *
   * @param data in double precision
   * @param eigenvectors N
   * @param budget pays for blocks in double precision
   */
  public RoundedBlocks(InputBlocks data, int eigenvectors, HostMemoryBudget budget) {
    if (data.precision() != Precision.DOUBLE) {
      throw new IllegalArgumentException("must be double: precision=" + data.precision());
    }
    this.data = data;
    this.eigenvectors = eigenvectors;
    this.budget = budget;
  }

  @Override
  public Precision precision() {
    return Precision.SINGLE;
  }

  @Override
  public void load(Input input, Rows rows, HostMemory target, long offset) {
    long bytes = rows.bytes(input, eigenvectors);
    HostMemory doubles = takeSpare(bytes);
    if (doubles == null) {
      budget.reserve(bytes);
      doubles = HostMemory.allocate(bytes);
    }
    try {
      data.load(input, rows, doubles, 0);
      round(input, doubles, 0, bytes, target, offset);
    } finally {
      free(spare.getAndSet(doubles));
    }
  }

  @Override
  public void loadRun(List<Input> run, long bytes, HostMemory target, long offset) {
    long read = bytes / Float.BYTES * Double.BYTES;
    long all = run.size() * read;
    HostMemory doubles = takeSpare(all);
    if (doubles == null) {
      if (!budget.tryReserve(all)) {
        InputBlocks.super.loadRun(run, bytes, target, offset);
        return;
      }
      doubles = HostMemory.allocate(all);
    }
    try {
      data.loadRun(run, read, doubles, 0);
      for (int k = 0; k < run.size(); k++) {
        round(run.get(k), doubles, k * read, read, target, offset + k * bytes);
      }
    } finally {
      free(spare.getAndSet(doubles));
    }
  }

  /** What stayed of the block before; null when nothing did or when it is too small. */
  private @Nullable HostMemory takeSpare(long bytes) {
    HostMemory held = spare.getAndSet(null);
    if (held == null || held.bytes() >= bytes) {
      return held;
    }
    free(held);
    return null;
  }

  private static void round(
      Input input, HostMemory doubles, long from, long bytes, HostMemory target, long offset) {
    try (HostMemory block = doubles.part(from, bytes)) {
      if (!block.roundTo(target, offset, bytes / Double.BYTES)) {
        throw new DistillationException(
            input + " has a number that is too large for single precision; use --precision double");
      }
    }
  }

  private void free(@Nullable HostMemory held) {
    if (held != null) {
      budget.release(held.bytes());
      held.close();
    }
  }

  @Override
  public InputBlocks behind() {
    return data;
  }

  @Override
  public GammaBasis gammaBasis() {
    return data.gammaBasis();
  }

  /** Frees what stays for the next block; nobody reads any more. */
  @Override
  public void close() {
    free(spare.getAndSet(null));
  }
}
