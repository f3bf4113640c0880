package org.starlingqcd.elementals.vectors;

import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;

/**
 * What eigenvectors belong to.
 *
 * @param spatialExtent L
 * @param temporalExtent T
 * @param eigenvectors N
 */
public record VectorHeader(
    String ensemble, long configuration, int spatialExtent, int temporalExtent, int eigenvectors) {
  /** The largest L: the links of a direction fit into an array of Java, 18 numbers a site. */
  private static final int MOST_SPATIAL = 492;

  /**
   * A header of numbers that a file or an option gave.
   *
   * @param file its name, for messages
   * @throws DistillationException when one is out of range
   */
  static VectorHeader of(
      String file,
      String ensemble,
      long configuration,
      long spatialExtent,
      long temporalExtent,
      long eigenvectors) {
    check(file, "configuration", configuration, 0, Integer.MAX_VALUE);
    check(file, "L", spatialExtent, 1, MOST_SPATIAL);
    check(file, "T", temporalExtent, 1, DistillationHeader.MAX_EXTENT);
    check(file, "N", eigenvectors, 1, DistillationHeader.MAX_EIGENVECTORS);
    return new VectorHeader(
        ensemble, configuration, (int) spatialExtent, (int) temporalExtent, (int) eigenvectors);
  }

  private static void check(String file, String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new DistillationException(
          "%s: %s must be >= %s && <= %s: %s=%s".formatted(file, name, least, most, name, value));
    }
  }

  /** Sites of a time slice. */
  public int volume() {
    return spatialExtent * spatialExtent * spatialExtent;
  }
}
