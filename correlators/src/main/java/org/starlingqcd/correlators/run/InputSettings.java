package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;

/**
 * How input data are read and kept in RAM.
 *
 * @param readAhead host memory for data read ahead, or null for the program's choice
 * @param readBatch neighbouring blocks are read from a file at once up to this size
 * @param cache size of the block cache that the processes of a node share, or null for none
 * @param cacheDirectory where it lies, or null for the user's folder on the RAM disk
 * @param encrypt whether its blocks are encrypted
 */
public record InputSettings(
    @Nullable MemorySize readAhead,
    MemorySize readBatch,
    @Nullable MemorySize cache,
    @Nullable Path cacheDirectory,
    boolean encrypt) {
  /** The default of {@code --read-batch}. */
  public static final String READ_BATCH = "4MiB";

  /**
   * Checks that settings of the cache come with a cache.
   *
   * @throws InputException when they do not
   */
  public InputSettings {
    if (cache == null && (cacheDirectory != null || encrypt)) {
      throw new InputException(
          (encrypt ? "--block-cache-encrypt" : "--block-cache-directory")
              + " needs --block-cache SIZE, such as --block-cache 64GiB");
    }
  }

  /** The program's choice, without a block cache. */
  public static InputSettings defaults() {
    return new InputSettings(null, MemorySize.parse(READ_BATCH), null, null, false);
  }

  /** What was set, under the names in a settings file. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (readAhead != null) {
      map.put("read_ahead", readAhead.toString());
    }
    if (!readBatch.equals(MemorySize.parse(READ_BATCH))) {
      map.put("read_batch", readBatch.toString());
    }
    if (cache != null) {
      map.put("block_cache", cache.toString());
    }
    if (cacheDirectory != null) {
      map.put("block_cache_directory", cacheDirectory.toString());
    }
    if (encrypt) {
      map.put("block_cache_encrypt", true);
    }
    return map;
  }
}
