package org.starlingqcd.elementals.vectors;

import org.starlingqcd.hadron.data.DistillationException;

/**
 * The eigenvectors of one configuration, and the links of the smearing where the data have them.
 */
public interface Eigenvectors extends AutoCloseable {
  /** What they belong to. */
  VectorHeader header();

  /**
   * Reads some vectors of one time slice.
   *
   * @param first number of the first vector
   * @param target receives {@code [vector][z][y][x][colour]}, interleaved complex
   * @throws DistillationException when they cannot be read
   */
  void read(int time, int first, int count, double[] target);

  /** Whether there are links, which derivatives need. */
  default boolean hasLinks() {
    return false;
  }

  /**
   * Reads the links of one time slice in one direction.
   *
   * @param direction 0 for x, 1 for y, 2 for z
   * @param target receives {@code [z][y][x][row][column]}, interleaved complex
   */
  default void readLinks(int time, int direction, double[] target) {
    throw new DistillationException(name() + ": has no gauge links");
  }

  /** The file, for messages. */
  String name();

  @Override
  void close();
}
