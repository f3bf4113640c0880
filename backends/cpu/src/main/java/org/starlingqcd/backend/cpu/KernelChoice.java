package org.starlingqcd.backend.cpu;

/**
 * How contractions of one extent run.
 *
 * @param largestTile most rows and columns of a tile; 0 leaves every matrix whole
 * @param threeProducts whether a complex product takes three real ones instead of four
 */
record KernelChoice(int largestTile, boolean threeProducts) {
  /** Checks the tile. */
  KernelChoice {
    if (largestTile < 0) {
      throw new IllegalArgumentException("must be >= 0: largestTile=" + largestTile);
    }
  }

  /** Layout of matrices of this extent: tiles of about equal size. */
  Tiling tiling(int extent) {
    if (largestTile == 0) {
      return new Tiling(extent, extent);
    }
    int tiles = (extent + largestTile - 1) / largestTile;
    return new Tiling(extent, (extent + tiles - 1) / tiles);
  }

  /** As it is written to files and in the environment: {@code tile=100,products=3}. */
  String format() {
    return "tile=" + largestTile + ",products=" + (threeProducts ? 3 : 4);
  }

  /**
   * Reads what {@link #format} writes.
   *
   * @throws IllegalArgumentException when it is something else, naming it
   */
  static KernelChoice parse(String text) {
    String[] parts = text.trim().split(",", -1);
    if (parts.length != 2
        || !parts[0].matches("tile=[0-9]{1,6}")
        || !parts[1].matches("products=[34]")) {
      throw new IllegalArgumentException("expected tile=NUMBER,products=3|4: " + text);
    }
    return new KernelChoice(
        Integer.parseInt(parts[0].substring("tile=".length())), parts[1].endsWith("3"));
  }
}
