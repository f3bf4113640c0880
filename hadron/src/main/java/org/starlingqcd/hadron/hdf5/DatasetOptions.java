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

  /** Chunks of these extents. */
  public static DatasetOptions chunked(int deflate, boolean shuffle, long... chunks) {
    return new DatasetOptions(Arrays.stream(chunks).boxed().toList(), deflate, shuffle);
  }
}
