package org.starlingqcd.simulator.reproduce;

import static org.starlingqcd.simulator.reproduce.BagCheck.BLOCK;
import static org.starlingqcd.simulator.reproduce.BagCheck.MIB;
import static org.starlingqcd.simulator.reproduce.BagCheck.key;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;
import org.starlingqcd.simulator.check.TemporaryFolder;

/**
 * What BAG measures in seconds, as ratios of rates of this machine: compaction beside copying
 * (Table 1), uses of blocks by several threads (Figure 4), and reading over the size of a batch
 * (Figure 5). What one thread does is measured in processor time. Each is the median of a fixed
 * number of measurements.
 */
final class BagRates {
  private static final int OPERATIONS = 40_000;
  private static final int ENTRIES = 4000;
  private static final int MOST_THREADS = 4;

  private BagRates() {}

  /** Processor time of this thread in seconds. */
  private static double seconds() {
    return 1e-9 * ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void put(BlockCache cache, int number, HostMemory block, long bytes) {
    cache.load(key(number), bytes, block, 0, () -> true);
  }

  /** Threads of the processes with a queue each. */
  static int threads() {
    return Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Rate of a compaction over the rate at which the same bytes are copied from file to file.
   *
   * @param page bytes copied by one call
   */
  static double compaction(int page) {
    return PaperCheck.median(() -> compactionOverCopy(page));
  }

  private static double compactionOverCopy(int page) {
    try (TemporaryFolder folder = new TemporaryFolder();
        BlockCache cache = BlockCache.open(BlockCacheOptions.of(folder.path(), 128 * MIB));
        HostMemory block = HostMemory.allocate(BLOCK)) {
      IntStream.range(0, 900).forEach(k -> put(cache, k, block, BLOCK));
      // Four tenths of each segment, in runs.
      IntStream.range(0, 900).filter(k -> k % 50 < 20).forEach(k -> cache.drop(key(k)));
      long before = cache.status().movedBytes();
      double begin = seconds();
      cache.compact();
      double seconds = seconds() - begin;
      return copySeconds(folder.path(), cache.status().movedBytes() - before, page) / seconds;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double copySeconds(Path folder, long bytes, int page) throws IOException {
    try (FileChannel source = open(folder.resolve("from"));
        FileChannel target = open(folder.resolve("to"))) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(page);
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
   * The LRU list of sections 3.3.2 and 3.3.3 behind a hash table: threads note their uses,
   * numbered, in queues; whoever fills one merges all in the order of numbers and applies them to
   * the list.
   */
  private static final class Queues {
    private static final int LENGTH = 512;

    private final Map<Integer, Integer> table = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> list = new LinkedHashMap<>(2 * ENTRIES, 0.75f, true);
    private final AtomicLong numbers = new AtomicLong();
    private final Integer[] keys = IntStream.range(0, ENTRIES).boxed().toArray(Integer[]::new);
    private final long[][] noted;
    private final int[] length;

    Queues(int count) {
      noted = new long[count][LENGTH + MOST_THREADS];
      length = new int[count];
      for (Integer key : keys) {
        table.put(key, key);
        list.put(key, key);
      }
    }

    void use(int thread, int place, int kind) {
      Integer key = keys[place];
      switch (kind) {
        case 0 -> table.get(key);
        case 1 -> table.put(key, key);
        default -> table.remove(key);
      }
      int queue = thread % noted.length;
      boolean full;
      synchronized (noted[queue]) {
        noted[queue][length[queue]++] = numbers.getAndIncrement() << 16 | place << 2 | kind;
        full = length[queue] >= LENGTH;
      }
      if (full) {
        drain();
      }
    }

    private void drain() {
      synchronized (list) {
        LongStream.Builder merged = LongStream.builder();
        for (int queue = 0; queue < noted.length; queue++) {
          synchronized (noted[queue]) {
            Arrays.stream(noted[queue], 0, length[queue]).forEach(merged::add);
            length[queue] = 0;
          }
        }
        for (long use : merged.build().sorted().toArray()) {
          Integer key = keys[(int) use >> 2 & (1 << 14) - 1];
          switch ((int) use & 3) {
            case 0 -> list.get(key);
            case 1 -> list.put(key, key);
            default -> list.remove(key);
          }
        }
      }
    }
  }

  /*
   * Figure 4: gets, puts and deletes in the paper's shares, and Starling, where a use is noted in a ring of its
   * process.
   */

  /**
   * Rate of four threads over that of one, with the paper's queues.
   *
   * @param one whether all threads share a queue
   */
  static double queues(boolean one, int... share) {
    return PaperCheck.median(() -> paperRate(MOST_THREADS, one, share) / paperRate(1, one, share));
  }

  private static double paperRate(int threads, boolean one, int[] share) {
    Queues queues = new Queues(one ? 1 : threads);
    return rate(
        threads,
        share,
        (thread, number, kind) ->
            queues.use(
                thread, place(number), kind < share[0] ? 0 : kind < share[0] + share[1] ? 1 : 2));
  }

  /** Rate of several processes with a queue each over that of one. */
  static double manyQueues(int... share) {
    return PaperCheck.median(() -> onManyQueues(share, threads()));
  }

  /** Spreads numbers over the entries. */
  private static int place(int number) {
    return (int) (((number * 2654435761L) >>> 8) % ENTRIES);
  }

  private static double onManyQueues(int[] share, int threads) {
    List<BlockCache> caches = new ArrayList<>();
    try (TemporaryFolder folder = new TemporaryFolder();
        HostMemory block = HostMemory.allocate(64)) {
      for (int k = 0; k < threads; k++) {
        caches.add(BlockCache.open(BlockCacheOptions.of(folder.path(), 256 * MIB)));
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
      double ratio = rate(threads, share, operation) / rate(1, share, operation);
      caches.forEach(BlockCache::close);
      caches.clear();
      return ratio;
    } finally {
      caches.forEach(BlockCache::close);
    }
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

  /**
   * Figure 5: rates of reading blocks of 64 KiB in batches of 4 MiB, over those of single blocks
   * and over the best of all sizes of a batch.
   */
  static double[] readBatches() {
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
    try (TemporaryFolder folder = new TemporaryFolder()) {
      Path file = SyntheticData.write(ensemble, 1, folder.path(), bytes -> {});
      try (DistillationData data = DistillationData.open(List.of(file));
          HostMemory target = HostMemory.allocate(16 * MIB)) {
        List<Input> blocks = new ArrayList<>();
        for (int sink = 0; sink < 256; sink++) {
          blocks.add(new Input.Perambulator("light", sink, 0));
        }
        int[] sizes = {1, 4, 16, 64, 256};
        double[] rates =
            Arrays.stream(sizes)
                .mapToDouble(size -> PaperCheck.median(() -> readRate(data, blocks, size, target)))
                .toArray();
        return new double[] {
          rates[3] / rates[0], rates[3] / Arrays.stream(rates).max().orElseThrow()
        };
      }
    }
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
