package org.starlingqcd.hadron.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockKey;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

/**
 * The data of a configuration with the block cache of the node before them: a finished block that a
 * process of the node has read comes from the cache. Baryon elementals are kept in pages of rows.
 *
 * <p>A block is kept under the identity of the files it comes from, its place there, its form, its
 * precision and the version of the program, so that a changed file is read again.
 */
public final class CachedInputBlocks implements InputBlocks {
  /** Pages are about as large as this; a block that is smaller is one page. */
  private static final long PAGE_BYTES = 1 << 20;

  /**
   * What a block is called in the cache and where it comes from.
   *
   * @param origin null when no file has it
   */
  private record Recipe(BlockKey key, DistillationData.@Nullable Origin origin) {
    /**
     * A block of some origin.
     *
     * @param form what else tells blocks of one origin apart
     */
    static Recipe of(DistillationData.@Nullable Origin origin, String form) {
      return new Recipe(BlockKey.of(form + (origin == null ? "" : origin.text())), origin);
    }

    /**
     * Whether the files are those of before, so that what was just read from them can be shared.
     */
    boolean isUnchanged() {
      return origin != null && origin.files().isUnchanged();
    }
  }

  private final @Nullable BlockCache cache;
  private final DistillationData data;
  private final InputBlocks blocks;
  private final HostMemoryBudget budget;
  private final String version;
  private final BlockCounts counts;
  private final int eigenvectors;
  private final Map<Input, Recipe> known = new ConcurrentHashMap<>();

  /**
   * Data with a cache before them.
   *
   * @param cache the cache, or null when it cannot be used; blocks are counted all the same
   * @param data where blocks come from
   * @param blocks the data in the precision in which they are kept
   * @param budget pays for pages of which only a part is asked for
   * @param version of the program that finishes the blocks
   */
  public CachedInputBlocks(
      @Nullable BlockCache cache,
      DistillationData data,
      InputBlocks blocks,
      HostMemoryBudget budget,
      String version,
      BlockCounts counts) {
    this.cache = cache;
    this.data = data;
    this.blocks = blocks;
    this.budget = budget;
    this.version = version + (blocks.precision() == Precision.SINGLE ? "\nsingle" : "");
    this.counts = counts;
    this.eigenvectors = data.header().eigenvectors();
  }

  private Recipe known(Input input) {
    return known.computeIfAbsent(
        input, asked -> Recipe.of(data.origin(asked), version + "\n" + eigenvectors + "\n"));
  }

  @Override
  public void load(Input input, Rows rows, HostMemory target, long offset) {
    Recipe block = known(input);
    BlockCache shared = cache;
    if (shared == null || block.origin() == null) {
      // The data say what is missing.
      blocks.load(input, rows, target, offset);
      if (rows.isAll() || rows.first() == 0) {
        counts.add(false);
      }
    } else if (Rows.areIn(input)) {
      new PagedLoad(shared, input, block, rows, target, offset).run();
    } else {
      boolean cached =
          shared.load(
              block.key(),
              rows.bytes(input, eigenvectors, precision()),
              target,
              offset,
              () -> {
                blocks.load(input, rows, target, offset);
                return block.isUnchanged();
              });
      counts.add(cached);
    }
  }

  @Override
  public boolean isAtHand(Input input) {
    BlockCache shared = cache;
    Recipe block = known(input);
    if (shared == null || block.origin() == null) {
      return false;
    }
    if (!Rows.areIn(input)) {
      return shared.isAtHand(block.key());
    }
    int pages = (Rows.of(input, eigenvectors) - 1) / pageRows(input) + 1;
    return IntStream.range(0, pages).allMatch(page -> shared.isAtHand(block.key().part(page)));
  }

  /** Rows of an input in one page. */
  private int pageRows(Input input) {
    return (int) Math.max(1, Math.min(Rows.of(input, eigenvectors), PAGE_BYTES / rowBytes(input)));
  }

  private long rowBytes(Input input) {
    return new Rows(0, 1).bytes(input, eigenvectors, precision());
  }

  /** Whether blocks can be used where they lie in the cache. */
  public boolean lends() {
    return cache != null && cache.lends();
  }

  @Override
  public @Nullable HostMemory lend(Input input, Rows rows, Form form) {
    BlockCache shared = cache;
    Recipe block = known(input);
    if (shared == null || block.origin() == null) {
      return null;
    }
    long bytes = rows.bytes(input, eigenvectors, precision());
    BlockKey key = block.key().in(form.name() + "\n" + (rows.isAll() ? "all" : rows.toString()));
    boolean[] read = new boolean[1];
    budget.reserve(bytes + form.bytes());
    try {
      HostMemory lent =
          shared.lend(
              key,
              form.bytes(),
              target -> {
                read[0] = true;
                try (HostMemory plain = HostMemory.allocate(bytes)) {
                  blocks.load(input, rows, plain, 0);
                  form.arrange(plain, target);
                }
                return block.isUnchanged();
              });
      if (lent != null && (rows.isAll() || rows.first() == 0)) {
        counts.add(!read[0]);
      }
      return lent;
    } finally {
      budget.release(bytes + form.bytes());
    }
  }

  @Override
  public InputBlocks behind() {
    return blocks;
  }

  @Override
  public void loadRun(List<Input> run, long bytes, HostMemory target, long offset) {
    BlockCache shared = cache;
    if (shared == null || run.size() == 1) {
      InputBlocks.super.loadRun(run, bytes, target, offset);
    } else {
      new RunLoad(shared, run, bytes, target, offset).run();
    }
  }

  /** One load of blocks that lie behind each other: runs of missing ones are read at once. */
  private final class RunLoad {
    private final BlockCache shared;
    private final List<Input> run;
    private final long bytes;
    private final HostMemory target;
    private final long offset;
    private final List<BlockCache.Fetched> fetched = new ArrayList<>();

    RunLoad(BlockCache shared, List<Input> run, long bytes, HostMemory target, long offset) {
      this.shared = shared;
      this.run = run;
      this.bytes = bytes;
      this.target = target;
      this.offset = offset;
    }

    private BlockKey key(int number) {
      return known(run.get(number)).key();
    }

    private long at(int number) {
      return offset + number * bytes;
    }

    void run() {
      try {
        for (int k = 0; k < run.size(); k++) {
          // Others may wait for what is noted here, so this waits for nobody.
          fetched.add(shared.fetch(key(k), bytes, target, at(k), false));
        }
        int begin = 0;
        while (begin < run.size()) {
          int end = begin + 1;
          while (end < run.size() && fetched.get(end) == fetched.get(begin)) {
            end++;
          }
          if (fetched.get(begin) == BlockCache.Fetched.OURS) {
            read(begin, end);
          }
          begin = end;
        }
      } finally {
        for (int k = 0; k < fetched.size(); k++) {
          if (fetched.get(k) == BlockCache.Fetched.OURS) {
            shared.abandon(key(k));
          }
        }
      }
      for (int k = 0; k < run.size(); k++) {
        if (fetched.get(k) == BlockCache.Fetched.FOUND) {
          counts.add(true);
        } else if (fetched.get(k) == BlockCache.Fetched.MISSED) {
          load(run.get(k), target, at(k));
        }
      }
    }

    private void read(int begin, int end) {
      blocks.loadRun(run.subList(begin, end), bytes, target, at(begin));
      boolean unchanged = known(run.get(begin)).isUnchanged();
      for (int k = begin; k < end; k++) {
        counts.add(false);
        if (unchanged) {
          shared.publish(key(k), target, at(k), bytes);
        }
      }
    }
  }

  /** Says that inputs will be used soon, so that those that are there stay. */
  public void announce(Iterable<Input> inputs) {
    BlockCache shared = cache;
    if (shared != null) {
      inputs.forEach(input -> shared.announce(known(input).key()));
    }
  }

  /** What is encrypted in the cache is kept by whoever has decrypted it. */
  @Override
  public boolean keeps() {
    return cache != null && cache.isUsable() && !cache.isEncrypted();
  }

  @Override
  public Precision precision() {
    return blocks.precision();
  }

  @Override
  public GammaBasis gammaBasis() {
    return data.gammaBasis();
  }

  /**
   * One load of rows of an input: pages that are there are copied, runs of missing ones are read at
   * once.
   */
  private final class PagedLoad {
    private final BlockCache shared;
    private final Input input;
    private final Recipe block;
    private final HostMemory target;
    private final long offset;
    private final long rowBytes;
    private final int pageRows;
    private final int allRows;
    private final int first;
    private final int end;

    PagedLoad(
        BlockCache shared, Input input, Recipe block, Rows rows, HostMemory target, long offset) {
      this.shared = shared;
      this.input = input;
      this.block = block;
      this.target = target;
      this.offset = offset;
      rowBytes = rowBytes(input);
      pageRows = pageRows(input);
      allRows = Rows.of(input, eigenvectors);
      first = rows.isAll() ? 0 : rows.first();
      end = rows.isAll() ? allRows : rows.first() + rows.count();
    }

    void run() {
      int pages = (end + pageRows - 1) / pageRows;
      int page = first / pageRows;
      while (page < pages) {
        BlockCache.Fetched fetched = fetch(page, true);
        if (fetched != BlockCache.Fetched.OURS) {
          if (fetched == BlockCache.Fetched.FOUND) {
            count(page, true);
          } else {
            read(page, page + 1, false);
          }
          page++;
          continue;
        }
        int run = page + 1;
        // Others may wait for these pages, so they are read before this thread waits for more.
        while (run < pages && fetched == BlockCache.Fetched.OURS) {
          fetched = fetch(run, false);
          run += fetched == BlockCache.Fetched.OURS ? 1 : 0;
        }
        read(page, run, true);
        page = run;
      }
    }

    private void count(int page, boolean cached) {
      if (page == 0) {
        counts.add(cached);
      }
    }

    private int pageEnd(int page) {
      return Math.min(allRows, (page + 1) * pageRows);
    }

    private long bytes(int fromPage, int toPage) {
      return (pageEnd(toPage) - fromPage * pageRows) * rowBytes;
    }

    private BlockCache.Fetched fetch(int page, boolean waiting) {
      int begin = page * pageRows;
      BlockKey key = block.key().part(page);
      long bytes = bytes(page, page);
      if (begin >= first && pageEnd(page) <= end) {
        return shared.fetch(key, bytes, target, offset + (begin - first) * rowBytes, waiting);
      }
      budget.reserve(bytes);
      try (HostMemory whole = HostMemory.allocate(bytes)) {
        BlockCache.Fetched fetched = shared.fetch(key, bytes, whole, 0, waiting);
        if (fetched == BlockCache.Fetched.FOUND) {
          copyAsked(whole, begin, pageEnd(page));
        }
        return fetched;
      } finally {
        budget.release(bytes);
      }
    }

    /** Copies those of the rows {@code begin … until - 1} that are asked for. */
    private void copyAsked(HostMemory rows, int begin, int until) {
      int from = Math.max(first, begin);
      int to = Math.min(end, until);
      rows.copyTo(
          (from - begin) * rowBytes,
          target,
          offset + (from - first) * rowBytes,
          (to - from) * rowBytes);
    }

    /** Reads pages {@code page … run - 1} at once. */
    private void read(int page, int run, boolean ours) {
      try {
        int begin = page * pageRows;
        int until = pageEnd(run - 1);
        if (begin >= first && until <= end) {
          read(begin, until, page, run, ours, target, offset + (begin - first) * rowBytes);
          return;
        }
        long bytes = bytes(page, run - 1);
        budget.use(
            bytes,
            whole -> {
              read(begin, until, page, run, ours, whole, 0);
              copyAsked(whole, begin, until);
            });
      } finally {
        for (int k = page; ours && k < run; k++) {
          shared.abandon(block.key().part(k));
        }
      }
    }

    private void read(
        int begin, int until, int page, int run, boolean ours, HostMemory to, long at) {
      boolean all = begin == 0 && until == allRows;
      blocks.load(input, all ? Rows.ALL : new Rows(begin, until - begin), to, at);
      count(page, false);
      if (ours && block.isUnchanged()) {
        for (int k = page; k < run; k++) {
          shared.publish(
              block.key().part(k), to, at + (k * pageRows - begin) * rowBytes, bytes(k, k));
        }
      }
    }
  }
}
