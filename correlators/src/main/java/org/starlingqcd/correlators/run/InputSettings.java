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
 * @param cache size of the block cache that the processes of a node share, or null for none
 * @param cacheDirectory where it lies, or null for the user's folder on the RAM disk
 * @param encrypt whether its blocks are encrypted
 */
public record InputSettings(
    @Nullable MemorySize readAhead,
    @Nullable MemorySize cache,
    @Nullable Path cacheDirectory,
    boolean encrypt) {
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
    return new InputSettings(null, null, null, false);
  }

  /** What was set, under the names in a settings file. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (readAhead != null) {
      map.put("read_ahead", readAhead.toString());
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
