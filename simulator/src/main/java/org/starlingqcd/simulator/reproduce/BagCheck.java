package org.starlingqcd.simulator.reproduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.blockcache.CacheStatus;

/**
 * BAG (doi:10.1109/TPDS.2013.201): compaction of Table 1, evacuation of Table 3, and the hit ratios
 * of Figure 6, on a block cache in a temporary folder; {@link BagRates} has what is measured in
 * seconds.
 */
public final class BagCheck implements PaperCheck {
  private static final long MIB = 1 << 20;
  private static final int BLOCK = 64 << 10;

  /** A record: the block and its head of 64 bytes. */
  private static final int RECORD = BLOCK + 64;

  @Override
  public String name() {
    return "bag";
  }

  @Override
  public String title() {
    return "Chen, Sun, He, Li & Tan, BAG, doi:10.1109/TPDS.2013.201";
  }

  @Override
  public List<PaperRow> rows() {
    List<PaperRow> rows = new ArrayList<>();
    addCompaction(rows);
    addEvacuation(rows);
    addHitRatios(rows);
    rows.add(BagRates.compaction());
    rows.addAll(BagRates.uses());
    rows.addAll(BagRates.readBatches());
    rows.add(
        PaperRow.notPossible(
            "Table 1, speed-up over moving page by page",
            "60.4, 49.1",
            "the paper saves a kernel launch for each page; a copy in RAM has none"));
    rows.add(
        PaperRow.notPossible(
            "Table 2, Figure 5d, share of copying in compaction, its cost (%)",
            "97.6, 2.1", "times of a GPU"));
    rows.add(
        PaperRow.notPossible(
            "Table 3, time of the interception (ms)",
            "0.04 to 0.05",
            "allocations of other programs are not intercepted"));
    rows.add(
        PaperRow.notPossible(
            "Figure 5, rates of a disk over the buffer (MB/s)",
            "582 at 256 KB and 2 MB",
            "needs that disk; the form of the curve is above"));
    rows.add(
        PaperRow.notPossible(
            "Section 3.5, keys that never leave the GPU",
            "yes",
            "the cache lies in host memory; its key is in a file that only its user can read"));
    return rows;
  }

  /** Work on a cache in a folder that is removed afterwards. */
  interface Work {
    void run(Path directory) throws IOException;
  }

  static void inFolder(Work work) {
    try {
      Path folder = Files.createTempDirectory("starling-bag-");
      try {
        work.run(folder);
      } finally {
        BlockCache.clear(folder);
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BlockKey key(int number) {
    return BlockKey.of("bag " + number);
  }

  /** Uses a block; returns whether it was there. */
  private static boolean use(BlockCache cache, int number, HostMemory target) {
    return cache.load(
        key(number),
        BLOCK,
        target,
        0,
        () -> {
          target.put(0, new double[] {number}, 0, 1);
          return true;
        });
  }

  /** A share of the blocks is dropped; every other one moves once where that is worth it. */
  private static void addCompaction(List<PaperRow> rows) {
    for (int dropped : new int[] {1, 2, 4}) {
      inFolder(
          folder -> {
            try (BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder, 64 * MIB));
                HostMemory target = HostMemory.allocate(BLOCK)) {
              int blocks = 400;
              for (int k = 0; k < blocks; k++) {
                use(cache, k, target);
              }
              for (int k = 0; k < blocks; k++) {
                if (k % 10 < dropped) {
                  cache.drop(key(k));
                }
              }
              cache.compact();
              CacheStatus after = cache.status();
              long live = after.blocks() * RECORD;
              String load = String.format(Locale.ROOT, "Table 1, load .%d: ", 10 - dropped);
              boolean worthIt = dropped > 3;
              rows.add(
                  PaperRow.exact(
                      load
                          + "bytes moved"
                          + (worthIt ? ", each live one once" : "; gaps stay below .3"),
                      worthIt ? live : 0,
                      after.movedBytes()));
              if (worthIt) {
                rows.add(
                    PaperRow.exact(load + "bytes without a block", 0, after.segmentBytes() - live));
              }
              rows.add(
                  PaperRow.holds(
                      load + "the cache is sound afterwards",
                      "yes",
                      cache.audit().isClean() ? "yes" : "no",
                      cache.audit().isClean()));
            }
          });
    }
  }

  /** Blocks of equal size are given back: segments here, each with its blocks. */
  private static void addEvacuation(List<PaperRow> rows) {
    inFolder(
        folder -> {
          try (BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder, 64 * MIB));
              HostMemory target = HostMemory.allocate(BLOCK)) {
            long segment = 4 * MIB / RECORD * RECORD;
            int blocks = (int) (10 * (segment / RECORD));
            for (int k = 0; k < blocks; k++) {
              use(cache, k, target);
            }
            for (long request : new long[] {MIB, 10 * MIB}) {
              int before = cache.status().segments();
              long freed = cache.evacuate(request);
              rows.add(
                  PaperRow.exact(
                      "Table 3, blocks given back for " + request / MIB + " MiB",
                      (request + segment - 1) / segment,
                      before - cache.status().segments()));
              rows.add(
                  PaperRow.atLeast(
                      "Table 3, bytes given back for " + request / MIB + " MiB",
                      "the request",
                      (double) freed,
                      (double) request));
            }
            boolean there = use(cache, blocks - 1, target);
            rows.add(
                PaperRow.holds(
                    "Table 3, the least recently used leave", "yes", there ? "yes" : "no", there));
          }
        });
  }

  /** Two clients on one cache, as two sources that share most of their blocks. */
  private static void addHitRatios(List<PaperRow> rows) {
    int blocks = 600;
    double last = -1;
    boolean rises = true;
    StringBuilder ratios = new StringBuilder();
    for (int share : new int[] {12, 25, 37, 50, 62, 75, 87, 100}) {
      long capacity = (long) blocks * RECORD * share / 100;
      double exact = exactLru((int) (capacity / RECORD), blocks);
      double[] ours = new double[1];
      inFolder(folder -> ours[0] = hitRatio(folder, capacity, blocks));
      rows.add(
          PaperRow.near(
              "Figure 6, hit ratio with room for " + share + " % (%), beside exact LRU",
              exact,
              ours[0],
              10));
      rises &= ours[0] > last;
      last = ours[0];
      ratios.append(String.format(Locale.ROOT, "%s%.1f", ratios.isEmpty() ? "" : " < ", last));
    }
    rows.add(
        PaperRow.holds("Figure 6, the hit ratio rises with the size", "yes", "" + ratios, rises));
  }

  /** Uses of two clients in turn: near the middle of all blocks more often than at the ends. */
  private static int[] uses(int blocks) {
    Random random = new Random(20);
    int[] uses = new int[4000];
    for (int k = 0; k < uses.length; k++) {
      double place = blocks / 2.0 + blocks / 6.0 * random.nextGaussian();
      uses[k] = (int) Math.max(0, Math.min(blocks - 1, place));
    }
    return uses;
  }

  private static double hitRatio(Path folder, long capacity, int blocks) {
    BlockCacheOptions options = BlockCacheOptions.of(folder, capacity);
    int hits = 0;
    int[] uses = uses(blocks);
    try (BlockCache one = BlockCache.open(options);
        BlockCache other = BlockCache.open(options);
        HostMemory target = HostMemory.allocate(BLOCK)) {
      for (int k = 0; k < uses.length; k++) {
        hits += use(k % 2 == 0 ? one : other, uses[k], target) ? 1 : 0;
      }
    }
    return 100.0 * hits / uses.length;
  }

  private static double exactLru(int room, int blocks) {
    LinkedHashSet<Integer> kept = new LinkedHashSet<>();
    int hits = 0;
    int[] uses = uses(blocks);
    for (int use : uses) {
      hits += kept.remove(use) ? 1 : 0;
      kept.add(use);
      if (kept.size() > room) {
        kept.remove(kept.iterator().next());
      }
    }
    return 100.0 * hits / uses.length;
  }
}
