package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes on one cache. {@code -Dstarling.kills=50} kills that many processes of each
 * kind, {@code -Dstarling.processes=8} has that many read the same blocks.
 */
@Tag("slow")
final class SharingTest {
  private static final int KILLS = Integer.getInteger("starling.kills", 4);
  private static final int PROCESSES = Integer.getInteger("starling.processes", 3);
  private static final int BLOCKS = 2000;

  @TempDir Path temporary;

  @Test
  void processes_readEachBlockOnceInAll() throws Exception {
    Path reads = temporary.resolve("reads");
    List<Process> processes = new ArrayList<>();
    for (int k = 0; k < PROCESSES; k++) {
      processes.add(
          CacheProcess.start(temporary.resolve("cache"), 64 << 20, "each", BLOCKS, k, reads));
    }
    for (Process process : processes) {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
    }
    List<String> numbers = Files.readAllLines(reads);
    assertEquals(BLOCKS, numbers.size());
    assertEquals(BLOCKS, numbers.stream().distinct().count());
    audit();
  }

  private void audit() {
    try (BlockCache cache = BlockCache.openExisting(temporary.resolve("cache"))) {
      assertEquals(List.of(), cache.audit().faults());
    }
  }

  @Test
  void kill_filling_theOthersGoOn() throws Exception {
    // Fits: what has been read is not read again, so a block is read again only after a kill.
    kill("fill", 64 << 20);
  }

  @Test
  void kill_compacting_nothingIsLost() throws Exception {
    kill("compact", 8 << 20);
  }

  @Test
  void kill_evacuating_nothingIsLost() throws Exception {
    kill("evacuate", 64 << 20);
  }

  private void kill(String what, long capacity) throws Exception {
    Path directory = temporary.resolve("cache");
    Path reads = temporary.resolve("reads");
    Random random = new Random(what.hashCode());
    for (int k = 0; k < KILLS; k++) {
      Process killed = CacheProcess.start(directory, capacity, what, BLOCKS, k, reads);
      CacheProcess.awaitReady(killed);
      Thread.sleep(random.nextInt(60));
      Process other = CacheProcess.start(directory, capacity, "each", BLOCKS / 4, k, reads);
      Thread.sleep(random.nextInt(400));
      killed.destroyForcibly().waitFor();
      // Every block is compared there: nothing is lost, and nothing waits for the dead.
      assertTrue(other.waitFor(60, TimeUnit.SECONDS), "the other process hangs");
      assertEquals(0, other.exitValue());
      audit();
    }
    if (what.equals("fill")) {
      int cached = 0;
      try (BlockCache cache =
          BlockCache.open(BlockCacheOptions.of(temporary.resolve("cache"), capacity))) {
        for (int k = 0; k < BLOCKS / 4; k++) {
          cached += TestBlocks.load(cache, k, CacheProcess.DOUBLES) ? 1 : 0;
        }
      }
      assertEquals(BLOCKS / 4, cached);
    }
  }
}
