package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;

/**
 * Distillation data of one configuration in one format, opened: it lists its blocks and reads one
 * at a time. Signs, index orders and phases are those of Starling (docs/formats.md), whatever the
 * file has; only the spin basis is that of the data. Implementations may be called from several
 * threads.
 */
public interface BlockSource extends AutoCloseable {
  /** The file, or the one that stands for several, for messages. */
  Path path();

  /** What the source says about the data; N and T must be known now if they are known at all. */
  PartialHeader header();

  /** What is there. Labels are those of the source; "" where it has none. */
  BlockCatalog blocks();

  /**
   * The gamma matrices of perambulators in another basis than DeGrand-Rossi; null when the source
   * has none to tell.
   *
   * @throws DistillationException when they cannot be read or are no gamma matrices
   */
  default @Nullable GammaBasis explicitBasis() {
    return null;
  }

  /**
   * Eigenvalues of -Δ in lattice units, [T][N]; null when the source has none.
   *
   * @throws DistillationException when they cannot be read
   */
  default double @Nullable [] laplacianEigenvalues() {
    return null;
  }

  /**
   * Coordinates x, y, z of the sites of a side at all times, [T][n][3].
   *
   * @throws DistillationException when they cannot be read, or do not fit the vectors
   */
  default long[] sampledSites(DataBlock.Sites block) {
    throw new UnsupportedOperationException("the source has no sampled positions");
  }

  /**
   * Writes a block of the catalog to byte {@code offset} of {@code target}: interleaved complex
   * doubles, row-major, as {@link DataBlock#shape} says. The caller looks for NaN, infinities and
   * blocks of zeros.
   *
   * @throws DistillationException when it cannot be read; the message names the file and the block
   */
  void read(DataBlock block, HostMemory target, long offset);

  /**
   * The same, for sources that can look at the numbers while they are in cache.
   *
   * @return whether all numbers are finite and one is not zero; false also when the source has not
   *     looked, so that the caller looks itself
   */
  default boolean readAndLook(DataBlock block, HostMemory target, long offset) {
    read(block, target, offset);
    return false;
  }

  /**
   * Writes some rows, not {@link Rows#ALL}, of the first axis of a baryon elemental, [rows][N][N],
   * or of a tetraquark, [rows][P].
   *
   * @param budget pays for memory beside {@code target}
   */
  default void readRows(
      DataBlock block, Rows rows, HostMemory target, long offset, HostMemoryBudget budget) {
    Integer n = header().eigenvectors();
    TensorShape shape = block.shape(n == null ? 1 : n);
    long whole = shape.bytes();
    long row = whole / shape.extent();
    budget.use(
        whole,
        memory -> {
          read(block, memory, 0);
          memory.copyTo(rows.first() * row, target, offset, rows.count() * row);
        });
  }

  /** Whether a block lies behind another, so that {@link #readRun} can read both at once. */
  default boolean follows(DataBlock block, DataBlock next) {
    return false;
  }

  /**
   * Writes {@code count} blocks, each of which follows the one before it, from {@code first} on.
   *
   * @param bytes size of each
   */
  default void readRun(DataBlock first, int count, long bytes, HostMemory target, long offset) {
    if (count != 1) {
      throw new IllegalArgumentException("must be 1 where no block follows another: " + count);
    }
    read(first, target, offset);
  }

  /** File and place of a block, to begin a message with. */
  default String describe(DataBlock block) {
    return path() + ": " + block;
  }

  @Override
  void close();
}
