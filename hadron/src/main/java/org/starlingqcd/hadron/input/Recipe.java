package org.starlingqcd.hadron.input;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.hadron.data.DistillationData;

/**
 * What a block is called in the cache and where it comes from.
 *
 * @param origin null when no file has it
 */
record Recipe(BlockKey key, DistillationData.@Nullable Origin origin) {
  /**
   * A block of some origin.
   *
   * @param form what else tells blocks of one origin apart
   */
  static Recipe of(DistillationData.@Nullable Origin origin, String form) {
    return new Recipe(BlockKey.of(form + (origin == null ? "" : origin.text())), origin);
  }

  /** Whether the files are those of before, so that what was just read from them can be shared. */
  boolean isUnchanged() {
    return origin != null && origin.files().isUnchanged();
  }
}
