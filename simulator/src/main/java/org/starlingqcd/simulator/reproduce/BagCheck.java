package org.starlingqcd.simulator.reproduce;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.blockcache.CacheStatus;
import org.starlingqcd.simulator.check.TemporaryFolder;

/**
 * BAG (doi:10.1109/TPDS.2013.201): compaction of Table 1, evacuation of Table 3, and the hit ratios
 * of Figure 6, on a block cache in a temporary folder; {@link BagRates} has what is measured in
 * seconds.
 */
final class BagCheck extends PaperCheck {
  static final long MIB = 1 << 20;
  static final int BLOCK = 64 << 10;

  /** A record: the block and its head of 64 bytes. */
  private static final int RECORD = BLOCK + 64;

  /** Blocks that a segment holds. */
  private static final int IN_SEGMENT = (int) (4 * MIB / RECORD);

  /** Blocks that two clients use for the hit ratios. */
  private static final int USED = 600;

  @Override
  String adapted(String line) {
    int threads = BagRates.threads();
    return line.replace("{threads}", Integer.toString(threads));
  }

  @Override
  Object measure(String what, String[] arguments) {
    int[] numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    int first = numbers.length == 0 ? 0 : numbers[0];
    return switch (what) {
      case "compacted" -> compacted(first);
      case "moved" -> compacted(first, Compaction::moved);
      case "unused" -> compacted(first, Compaction::unused);
      case "sound" -> ((Compaction) measured("compacted " + first)).sound();
      case "evacuated" -> evacuated();
      case "segments" -> ((Evacuation) measured("evacuated")).segments[first];
      case "freed" -> ((Evacuation) measured("evacuated")).freed[first];
      case "recent" -> PaperRow.Statement.of(((Evacuation) measured("evacuated")).recentStays);
      case "hits" -> hitRatio((long) USED * RECORD * first / 100);
      case "exact" -> exactLru((int) ((long) USED * RECORD * first / 100 / RECORD));
      case "rises" -> rises(numbers);
      case "compaction" -> BagRates.compaction(first << 10);
      case "one-queue" -> BagRates.queues(true, numbers);
      case "queue-each" -> BagRates.queues(false, numbers);
      case "rings" -> BagRates.manyQueues(numbers);
      case "batches" -> BagRates.readBatches();
      case "batch" -> ((double[]) measured("batches"))[first];
      default -> throw unknown(what);
    };
  }

  static BlockKey key(int number) {
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

  /** Bytes moved, bytes without a block, and whether the cache is sound afterwards. */
  private record Compaction(long moved, long unused, PaperRow.Statement sound) {}

  private long compacted(int dropped, ToLongFunction<Compaction> of) {
    return of.applyAsLong((Compaction) measured("compacted " + dropped));
  }

  /** Tenths of the blocks are dropped; every other one moves once where that is worth it. */
  private static Compaction compacted(int dropped) {
    try (TemporaryFolder folder = new TemporaryFolder();
        BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder.path(), 64 * MIB));
        HostMemory target = HostMemory.allocate(BLOCK)) {
      IntStream.range(0, 400).forEach(k -> use(cache, k, target));
      IntStream.range(0, 400).filter(k -> k % 10 < dropped).forEach(k -> cache.drop(key(k)));
      cache.compact();
      CacheStatus after = cache.status();
      return new Compaction(
          after.movedBytes(),
          after.segmentBytes() - after.blocks() * RECORD,
          PaperRow.Statement.of(cache.audit().isClean()));
    }
  }

  /** What requests for 1 and 10 MiB give back, and whether the last block is still there. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Evacuation(int[] segments, long[] freed, boolean recentStays) {}

  /** Blocks of equal size are given back: segments here, each with its blocks. */
  private static Evacuation evacuated() {
    try (TemporaryFolder folder = new TemporaryFolder();
        BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder.path(), 64 * MIB));
        HostMemory target = HostMemory.allocate(BLOCK)) {
      IntStream.range(0, 10 * IN_SEGMENT).forEach(k -> use(cache, k, target));
      int[] segments = new int[2];
      long[] freed = new long[2];
      for (int k = 0; k < 2; k++) {
        int before = cache.status().segments();
        freed[k] = cache.evacuate(k == 0 ? MIB : 10 * MIB);
        segments[k] = before - cache.status().segments();
      }
      return new Evacuation(segments, freed, use(cache, 10 * IN_SEGMENT - 1, target));
    }
  }

  /** Whether the hit ratio rises with the share of the blocks that has room. */
  private PaperRow.Statement rises(int... shares) {
    double last = -1;
    boolean rises = true;
    StringBuilder ratios = new StringBuilder();
    for (int share : shares) {
      double hits = (double) measured("hits " + share);
      rises &= hits > last;
      last = hits;
      ratios.append(String.format(Locale.US, "%s%.1f", ratios.isEmpty() ? "" : " < ", last));
    }
    return new PaperRow.Statement(ratios.toString(), rises);
  }

  /** Uses of two clients in turn: near the middle of all blocks more often than at the ends. */
  private static int[] uses() {
    Random random = new Random(20);
    return IntStream.range(0, 4000)
        .map(k -> (int) (USED / 2.0 + USED / 6.0 * random.nextGaussian()))
        .map(place -> Math.max(0, Math.min(USED - 1, place)))
        .toArray();
  }

  /**
   * Hits in percent of two clients on one cache, as two sources that share most of their blocks.
   */
  private static double hitRatio(long capacity) {
    int[] uses = uses();
    try (TemporaryFolder folder = new TemporaryFolder();
        BlockCache one = BlockCache.open(BlockCacheOptions.of(folder.path(), capacity));
        BlockCache other = BlockCache.open(BlockCacheOptions.of(folder.path(), capacity));
        HostMemory target = HostMemory.allocate(BLOCK)) {
      long hits =
          IntStream.range(0, uses.length)
              .filter(k -> use(k % 2 == 0 ? one : other, uses[k], target))
              .count();
      return 100.0 * hits / uses.length;
    }
  }

  private static double exactLru(int room) {
    Set<Integer> kept = new LinkedHashSet<>();
    int hits = 0;
    int[] uses = uses();
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
