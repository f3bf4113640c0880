package org.starlingqcd.simulator.reproduce;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * What BAG measures in seconds, as ratios of rates of this machine: compaction beside copying
 * (Table 1), uses of blocks by several threads (Figure 4), and reading over the size of a batch
 * (Figure 5). What one thread does is measured in processor time. Other programs disturb a
 * measurement nevertheless, so each is repeated until it meets its condition, a few times at most,
 * and the best one counts.
 */
final class BagRates {
  private static final long MIB = 1 << 20;
  private static final int ROUNDS = 8;
  private static final int BLOCK = 64 << 10;
  private static final int OPERATIONS = 40_000;
  private static final int ENTRIES = 4000;
  private static final int MOST_THREADS = 4;

  private BagRates() {}

  private static double best(DoubleSupplier measured, DoublePredicate enough) {
    double best = 0;
    for (int round = 0; round < ROUNDS && (round < 2 || !enough.test(best)); round++) {
      best = Math.max(best, measured.getAsDouble());
    }
    return best;
  }

  /** Processor time of this thread in seconds. */
  private static double seconds() {
    return 1e-9 * ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static BlockKey key(int number) {
    return BlockKey.of("bag " + number);
  }

  private static void put(BlockCache cache, int number, HostMemory block, long bytes) {
    cache.load(key(number), bytes, block, 0, () -> true);
  }

  /** Rate of a compaction over the rate at which the same bytes are copied from file to file. */
  static PaperRow compaction() {
    double least = 0.5;
    double ratio = best(BagRates::compactionOverCopy, found -> found >= least);
    return PaperRow.atLeast(
        "Table 1, rate of compaction over copying from file to file",
        "one copy in place of a call a page",
        ratio,
        least);
  }

  private static double compactionOverCopy() {
    double[] ratio = new double[1];
    BagCheck.inFolder(
        folder -> {
          int blocks = 900;
          try (BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder, 128 * MIB));
              HostMemory block = HostMemory.allocate(BLOCK)) {
            for (int k = 0; k < blocks; k++) {
              put(cache, k, block, BLOCK);
            }
            for (int k = 0; k < blocks; k++) {
              // Four tenths of each segment, in runs.
              if (k % 50 < 20) {
                cache.drop(key(k));
              }
            }
            long before = cache.status().movedBytes();
            double begin = seconds();
            cache.compact();
            double seconds = seconds() - begin;
            long moved = cache.status().movedBytes() - before;
            ratio[0] = copySeconds(folder, moved) / seconds;
          }
        });
    return ratio[0];
  }

  private static double copySeconds(Path folder, long bytes) throws IOException {
    Path from = folder.resolve("from");
    Path to = folder.resolve("to");
    try (FileChannel source = open(from);
        FileChannel target = open(to)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect((int) (4 * MIB));
      for (long done = 0; done < bytes; done += buffer.capacity()) {
        source.write(buffer.clear());
      }
      source.position(0);
      double begin = seconds();
      for (long done = 0; done < bytes; done += buffer.capacity()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - done));
        source.read(buffer);
        target.write(buffer.flip());
      }
      return seconds() - begin;
    } finally {
      Files.deleteIfExists(from);
      Files.deleteIfExists(to);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** One operation of a thread, of a kind that the shares decide. */
  private interface Operation {
    void run(int thread, int number, int kind);
  }

  /**
   * Figure 4: gets, puts and deletes in the paper's shares. With one queue, every use moves an
   * entry of a list under one lock. With a queue for each process, it is noted in a ring.
   */
  static List<PaperRow> uses() {
    int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    List<PaperRow> rows = new ArrayList<>();
    for (int[] share : new int[][] {{12, 6, 2}, {18, 1, 1}}) {
      String mix = String.format(Locale.ROOT, "%d/%d/%d", 5 * share[0], 5 * share[1], 5 * share[2]);
      double one = 1 / best(() -> 1 / oneQueue(share), found -> found > 1);
      rows.add(
          PaperRow.atMost(
              "Figure 4, " + mix + ", one queue: rate of 4 threads over that of 1",
              share[0] == 12 ? "0.15" : "falls",
              one,
              1));
      double least = threads / 2.0;
      double many = best(() -> manyQueues(share, threads), found -> found >= least);
      rows.add(
          PaperRow.atLeast(
              String.format(
                  Locale.ROOT,
                  "Figure 4, %s, a queue each: rate of %d processes over that of 1",
                  mix,
                  threads),
              "scales",
              many,
              least));
    }
    return rows;
  }

  /** Spreads numbers over the entries. */
  private static int place(int number) {
    return (int) (((number * 2654435761L) >>> 8) % ENTRIES);
  }

  private static double oneQueue(int[] share) {
    Map<Integer, Integer> queue = new LinkedHashMap<>(2 * ENTRIES, 0.75f, true);
    for (int k = 0; k < ENTRIES; k++) {
      queue.put(k, k);
    }
    Operation operation =
        (thread, number, kind) -> {
          int key = place(number);
          synchronized (queue) {
            if (kind < share[0]) {
              queue.get(key);
            } else if (kind < share[0] + share[1]) {
              queue.put(key, number);
            } else {
              queue.remove(key);
            }
          }
        };
    return rate(MOST_THREADS, share, operation) / rate(1, share, operation);
  }

  private static double manyQueues(int[] share, int threads) {
    double[] ratio = new double[1];
    BagCheck.inFolder(
        folder -> {
          List<BlockCache> caches = new ArrayList<>();
          try (HostMemory block = HostMemory.allocate(64)) {
            for (int k = 0; k < threads; k++) {
              caches.add(BlockCache.open(BlockCacheOptions.of(folder, 256 * MIB)));
            }
            BlockKey[] there = new BlockKey[ENTRIES];
            BlockKey[] others = new BlockKey[threads * ENTRIES];
            for (int k = 0; k < ENTRIES; k++) {
              put(caches.get(0), k, block, 64);
              there[k] = key(k);
            }
            Arrays.setAll(others, k -> key(ENTRIES + k));
            // A put enters a block into the index, which the next delete takes out.
            Operation operation =
                (thread, number, kind) -> {
                  BlockCache cache = caches.get(thread);
                  int at = place(number);
                  if (kind < share[0]) {
                    cache.announce(there[at]);
                  } else if (kind < share[0] + share[1]) {
                    cache.fetch(others[thread * ENTRIES + at], 64, block, 0, false);
                  } else {
                    cache.abandon(others[thread * ENTRIES + at]);
                  }
                };
            ratio[0] = rate(threads, share, operation) / rate(1, share, operation);
          } finally {
            caches.forEach(BlockCache::close);
          }
        });
    return ratio[0];
  }

  /** Operations a second of all threads. */
  private static double rate(int threads, int[] share, Operation operation) {
    int kinds = Arrays.stream(share).sum();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CyclicBarrier start = new CyclicBarrier(threads);
    try {
      List<Future<Double>> done = new ArrayList<>();
      for (int k = 0; k < threads; k++) {
        int thread = k;
        done.add(
            pool.submit(
                () -> {
                  Random random = new Random(thread);
                  int[] kind = random.ints(1024, 0, kinds).toArray();
                  start.await();
                  long begin = System.nanoTime();
                  for (int number = 0; number < OPERATIONS; number++) {
                    operation.run(thread, number + thread * OPERATIONS, kind[number & 1023]);
                  }
                  return 1e-9 * (System.nanoTime() - begin);
                }));
      }
      double longest = 0;
      for (Future<Double> one : done) {
        longest = Math.max(longest, one.get());
      }
      return threads * OPERATIONS / longest;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      pool.shutdown();
    }
  }

  /** Figure 5: rate of reading blocks of 64 KiB over the size of a batch. */
  static List<PaperRow> readBatches() {
    List<PaperRow> rows = new ArrayList<>();
    BagCheck.inFolder(
        folder -> {
          SyntheticEnsemble ensemble =
              new SyntheticEnsemble(
                  "bag",
                  4,
                  256,
                  16,
                  List.of("light"),
                  List.of(0),
                  List.of(Momentum.ZERO),
                  List.of(),
                  false,
                  0,
                  1);
          Path file = SyntheticData.write(ensemble, 1, folder, bytes -> {});
          try (DistillationData data = DistillationData.open(List.of(file));
              HostMemory target = HostMemory.allocate(16 * MIB)) {
            List<Input> blocks = new ArrayList<>();
            for (int sink = 0; sink < 256; sink++) {
              blocks.add(new Input.Perambulator("light", sink, 0));
            }
            int[] sizes = {1, 4, 16, 64, 256};
            double[] rates = new double[sizes.length];
            double[] shown = new double[2];
            for (int round = 0; round < ROUNDS; round++) {
              for (int k = 0; k < sizes.length; k++) {
                rates[k] = Math.max(rates[k], readRate(data, blocks, sizes[k], target));
              }
              shown[0] = rates[3] / rates[0];
              shown[1] = rates[3] / Arrays.stream(rates).max().orElseThrow();
              if (round > 1 && shown[0] >= 0.8 && shown[1] >= 0.8) {
                break;
              }
            }
            rows.add(
                PaperRow.atLeast(
                    "Figure 5, 64 KiB blocks in the page cache: rate at --read-batch 4MiB over 64KiB",
                    "rises with the buffer, from a disk",
                    shown[0],
                    0.8));
            rows.add(
                PaperRow.atLeast(
                    "Figure 5, rate at the default of 4 MiB over the best up to 16 MiB",
                    "flat from 2 MB on",
                    shown[1],
                    0.8));
          }
          Files.delete(file);
        });
    return rows;
  }

  private static double readRate(
      DistillationData data, List<Input> blocks, int together, HostMemory target) {
    double begin = seconds();
    for (int first = 0; first < blocks.size(); ) {
      int end = first + 1;
      while (end < blocks.size()
          && end - first < together
          && blocks.get(end).equals(data.next(blocks.get(end - 1)))) {
        end++;
      }
      data.loadRun(blocks.subList(first, end), BLOCK, target, 0);
      first = end;
    }
    return blocks.size() * (double) BLOCK / (seconds() - begin);
  }
}
