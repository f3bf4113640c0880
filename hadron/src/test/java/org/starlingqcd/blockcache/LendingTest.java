package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;

/** Blocks that are used where they lie in the cache. */
final class LendingTest {
  private static final int NUMBERS = 5000;
  private static final long BYTES = 8L * NUMBERS;

  @TempDir private Path directory = Path.of("");

  private int fills;

  private BlockCache open(@Nullable Path key) {
    return BlockCache.open(
        new BlockCacheOptions(directory.resolve("cache"), 32L << 20, key != null, key));
  }

  private @Nullable HostMemory lend(BlockCache cache, int block, boolean keep) {
    return cache.lend(
        BlockKey.of("block " + block),
        BYTES,
        target -> {
          fills++;
          double[] numbers = new double[NUMBERS];
          Arrays.setAll(numbers, k -> block + k);
          target.put(0, numbers, 0, NUMBERS);
          return keep;
        });
  }

  private static void expect(int block, @Nullable HostMemory lent) {
    double[] numbers = new double[NUMBERS];
    Objects.requireNonNull(lent).get(0, numbers, 0, NUMBERS);
    for (int k = 0; k < NUMBERS; k++) {
      assertEquals(block + k, numbers[k], 0);
    }
  }

  @Test
  void block_isFilledOnceForAll() {
    try (BlockCache cache = open(null);
        BlockCache other = open(null)) {
      for (int round = 0; round < 3; round++) {
        for (int block = 0; block < 20; block++) {
          try (HostMemory lent = lend(round == 1 ? other : cache, block, true)) {
            expect(block, lent);
            assertEquals(0, Objects.requireNonNull(lent).address() % 64, "aligned as other memory");
          }
        }
      }
      assertEquals(20, fills);
    }
  }

  @Test
  void lentBlock_outlivesItsSegment() {
    try (BlockCache cache = open(null)) {
      HostMemory lent = lend(cache, 1, true);
      try (HostMemory again = lend(cache, 1, true)) {
        expect(1, again);
      }
      assertEquals(0, cache.evacuate(BYTES), "what is in use gives nothing back");
      cache.compact();
      expect(1, lent);
      cache.drop(BlockKey.of("block 1"));
      cache.compact();
      expect(1, lent);
      Objects.requireNonNull(lent).close();
      assertTrue(cache.evacuate(BYTES) >= BYTES, "given back after its use");
      try (HostMemory read = lend(cache, 1, true)) {
        expect(1, read);
      }
      assertEquals(2, fills);
      assertTrue(cache.audit().isClean());
    }
  }

  @Test
  void lentBlock_outlivesItsCache() {
    try (BlockCache cache = open(null)) {
      try (HostMemory lent = lend(cache, 1, true)) {
        assertTrue(BlockCache.clear(directory.resolve("cache")) >= BYTES);
        expect(1, lent);
      }
      assertNull(lend(cache, 1, true));
    }
  }

  @Test
  void whatCannotBeLent_isNull() {
    try (BlockCache cache = open(null)) {
      assertNull(lend(cache, 1, false), "its file has changed");
      Objects.requireNonNull(lend(cache, 1, true)).close();
    }
  }

  @Test
  void encryptedBlocks_areNotLent() throws IOException {
    Path key = Files.write(directory.resolve("key"), new byte[32]);
    try (BlockCache cache = open(key)) {
      assertNull(lend(cache, 1, true));
      assertEquals(0, fills);
    }
  }
}
