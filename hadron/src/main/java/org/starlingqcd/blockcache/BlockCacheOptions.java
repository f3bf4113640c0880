package org.starlingqcd.blockcache;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a cache is opened.
 *
 * @param directory where it lies; made if it is not there
 * @param capacity most bytes of blocks
 * @param encrypt whether blocks are encrypted
 * @param key file with the key of 32 bytes, or null for one that the cache makes in RAM
 */
public record BlockCacheOptions(
    Path directory, long capacity, boolean encrypt, @Nullable Path key) {
  private static final Path RAM_DISK = Path.of("/dev/shm");

  /** Checks the capacity. */
  public BlockCacheOptions {
    if (capacity < 1) {
      throw new IllegalArgumentException("must be >= 1: capacity=" + capacity);
    }
  }

  /** A cache without encryption. */
  public static BlockCacheOptions of(Path directory, long capacity) {
    return new BlockCacheOptions(directory, capacity, false, null);
  }

  /** The key file that the environment names in {@code STARLING_BLOCK_CACHE_KEY}, or null. */
  public static @Nullable Path givenKey(Map<String, String> environment) {
    String file = environment.get("STARLING_BLOCK_CACHE_KEY");
    return file == null || file.isEmpty() ? null : Path.of(file);
  }

  /** A folder of this user on the RAM disk; where there is none, among the temporary files. */
  public static Path defaultDirectory() {
    return inRam("starling-" + System.getProperty("user.name", "user"));
  }

  /** A path on the RAM disk; where there is none, among the temporary files. */
  static Path inRam(String name) {
    Path base =
        Files.isDirectory(RAM_DISK)
            ? RAM_DISK
            : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    return base.resolve(name);
  }
}
