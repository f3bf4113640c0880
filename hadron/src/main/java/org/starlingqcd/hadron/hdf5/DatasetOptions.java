package org.starlingqcd.hadron.hdf5;

import java.util.Arrays;
import java.util.List;

/**
 * How a new dataset is stored.
 *
 * @param chunks extents of a chunk; none for contiguous storage
 * @param deflate compression level, 0 … 9; 0 is none; needs chunks
 * @param shuffle whether bytes are shuffled before compression; needs chunks
 */
public record DatasetOptions(List<Long> chunks, int deflate, boolean shuffle) {
  /** Complex numbers of a chunk that readers take. */
  private static final int MOST_NUMBERS = StoredElements.MOST_BYTES / 16;

  /** Contiguous storage. */
  public static final DatasetOptions CONTIGUOUS = new DatasetOptions(List.of(), 0, false);

  /** Checks the ranges and copies the list. */
  public DatasetOptions {
    chunks = List.copyOf(chunks);
    if (deflate < 0 || deflate > 9) {
      throw new IllegalArgumentException("must be >= 0 && <= 9: deflate=" + deflate);
    }
    if (chunks.isEmpty() && (deflate > 0 || shuffle)) {
      throw new IllegalArgumentException(
          "compression needs chunks: deflate=" + deflate + " shuffle=" + shuffle);
    }
  }

  /**
   * Chunks of these extents; those of more than {@value #MOST_NUMBERS} complex numbers, which no
   * reader takes at once, are halved along their first axes.
   */
  public static DatasetOptions chunked(int deflate, boolean shuffle, long... chunks) {
    long[] halved = chunks.clone();
    for (int k = 0; k < halved.length; k++) {
      while (halved[k] > 1 && product(halved) > MOST_NUMBERS) {
        halved[k] = (halved[k] + 1) / 2;
      }
    }
    return new DatasetOptions(Arrays.stream(halved).boxed().toList(), deflate, shuffle);
  }

  private static long product(long[] extents) {
    return Arrays.stream(extents).reduce(1, (a, b) -> a * b);
  }
}
