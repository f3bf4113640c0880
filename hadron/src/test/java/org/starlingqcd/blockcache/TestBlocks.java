package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.starlingqcd.backend.HostMemory;

/** Blocks whose numbers say which block they are. */
final class TestBlocks {
  private TestBlocks() {}

  static BlockKey key(int number) {
    return BlockKey.of("block " + number);
  }

  /** Sizes differ, so that records of different blocks cannot be taken for each other. */
  static long bytes(int number, int doubles) {
    return 8L * (doubles + number % 7);
  }

  static void fill(int number, HostMemory target, long bytes) {
    double[] values = new double[(int) (bytes / 8)];
    for (int k = 0; k < values.length; k++) {
      values[k] = number + k / 1024.0;
    }
    target.put(0, values, 0, values.length);
  }

  static void check(int number, HostMemory memory, long bytes) {
    double[] values = new double[(int) (bytes / 8)];
    memory.get(0, values, 0, values.length);
    for (int k = 0; k < values.length; k++) {
      assertEquals(number + k / 1024.0, values[k], "block " + number + ", double " + k);
    }
  }

  /** Loads a block and checks it; returns whether it came from the cache. */
  static boolean load(BlockCache cache, int number, int doubles) {
    return load(cache, number, doubles, () -> {});
  }

  /** The same; {@code reading} runs before a block that the cache has not is read. */
  static boolean load(BlockCache cache, int number, int doubles, Runnable reading) {
    long bytes = bytes(number, doubles);
    try (HostMemory target = HostMemory.allocate(bytes)) {
      boolean cached =
          cache.load(
              key(number),
              bytes,
              target,
              0,
              () -> {
                reading.run();
                fill(number, target, bytes);
                return true;
              });
      check(number, target, bytes);
      return cached;
    }
  }
}
