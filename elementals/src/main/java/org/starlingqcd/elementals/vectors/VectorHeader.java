package org.starlingqcd.elementals.vectors;

import org.starlingqcd.hadron.data.DistillationException;

/**
 * What eigenvectors belong to.
 *
 * @param spatialExtent L
 * @param temporalExtent T
 * @param eigenvectors N
 */
public record VectorHeader(
    String ensemble, long configuration, int spatialExtent, int temporalExtent, int eigenvectors) {
  private static final int MOST_SITES_DOUBLES = Integer.MAX_VALUE - 8;

  /** Sites of a time slice. */
  public int volume() {
    return spatialExtent * spatialExtent * spatialExtent;
  }

  /** Checks that a vector fits into an array of Java. */
  void check(String file) {
    double doubles = 18.0 * spatialExtent * spatialExtent * spatialExtent;
    if (spatialExtent < 1 || temporalExtent < 1 || eigenvectors < 1) {
      throw new DistillationException(
          file
              + ": L, T and N must be >= 1: L="
              + spatialExtent
              + " T="
              + temporalExtent
              + " N="
              + eigenvectors);
    }
    if (doubles > MOST_SITES_DOUBLES) {
      throw new DistillationException(
          file + ": L=" + spatialExtent + " is too large: L must be <= 492");
    }
  }
}
