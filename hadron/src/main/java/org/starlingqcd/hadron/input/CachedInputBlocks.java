package org.starlingqcd.hadron.input;

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
    BlockCache shared = cache;
    if (shared == null || known(input).origin() == null) {
      // The data say what is missing.
      blocks.load(input, rows, target, offset);
      if (rows.isAll() || rows.first() == 0) {
        counts.add(false);
      }
    } else {
      long bytes = rows.bytes(input, eigenvectors, precision());
      new Load(shared, List.of(input), rows, bytes, target, offset).run();
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
      new Load(shared, run, Rows.ALL, bytes, target, offset).run();
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
   * One load: rows of an input that is kept in pages, or inputs that lie behind each other, which
   * are a page of one row each. Pages that are there are copied, runs of missing ones are read at
   * once.
   */
  private final class Load {
    private final BlockCache shared;
    private final List<Input> inputs;
    private final HostMemory target;
    private final long offset;
    private final boolean inPages;
    private final long rowBytes;
    private final int pageRows;
    private final int allRows;
    private final int first;
    private final int end;

    /**
     * A load of one input or of several whole ones.
     *
     * @param bytes size of each of several
     */
    Load(
        BlockCache shared,
        List<Input> inputs,
        Rows rows,
        long bytes,
        HostMemory target,
        long offset) {
      this.shared = shared;
      this.inputs = inputs;
      this.target = target;
      this.offset = offset;
      Input input = inputs.get(0);
      inPages = Rows.areIn(input);
      rowBytes = inPages ? rowBytes(input) : bytes;
      pageRows = inPages ? pageRows(input) : 1;
      allRows = inPages ? Rows.of(input, eigenvectors) : inputs.size();
      first = rows.isAll() ? 0 : rows.first();
      end = rows.isAll() ? allRows : rows.first() + rows.count();
    }

    void run() {
      int pages = (end + pageRows - 1) / pageRows;
      int page = first / pageRows;
      while (page < pages) {
        BlockCache.Fetched fetched = fetch(page, true);
        if (fetched == BlockCache.Fetched.OURS) {
          page = readRun(page, pages);
          continue;
        }
        if (fetched == BlockCache.Fetched.FOUND) {
          count(page, true);
        } else {
          read(page, page + 1, false);
        }
        page++;
      }
    }

    /** Reads a page that is ours, and those behind it that are missing; returns the next one. */
    private int readRun(int page, int pages) {
      int run = page + 1;
      try {
        BlockCache.Fetched next = BlockCache.Fetched.OURS;
        // Others may wait for these pages, so they are read before this thread waits for more.
        while (run < pages && (next = fetch(run, false)) == BlockCache.Fetched.OURS) {
          run++;
        }
        read(page, run, true);
        if (next != BlockCache.Fetched.FOUND) {
          return run;
        }
        count(run, true);
        return run + 1;
      } finally {
        for (int k = page; k < run; k++) {
          shared.abandon(key(k));
        }
      }
    }

    private Recipe block(int page) {
      return known(inputs.get(inPages ? 0 : page));
    }

    private BlockKey key(int page) {
      return inPages ? block(page).key().part(page) : block(page).key();
    }

    private void count(int page, boolean cached) {
      if (page == 0 || !inPages) {
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
      long bytes = bytes(page, page);
      if (begin >= first && pageEnd(page) <= end) {
        long at = offset + (begin - first) * rowBytes;
        return shared.fetch(key(page), bytes, target, at, waiting);
      }
      budget.reserve(bytes);
      try (HostMemory whole = HostMemory.allocate(bytes)) {
        BlockCache.Fetched fetched = shared.fetch(key(page), bytes, whole, 0, waiting);
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
      int begin = page * pageRows;
      int until = pageEnd(run - 1);
      if (begin >= first && until <= end) {
        read(page, run, ours, target, offset + (begin - first) * rowBytes);
        return;
      }
      budget.use(
          bytes(page, run - 1),
          whole -> {
            read(page, run, ours, whole, 0);
            copyAsked(whole, begin, until);
          });
    }

    private void read(int page, int run, boolean ours, HostMemory to, long at) {
      int begin = page * pageRows;
      int count = pageEnd(run - 1) - begin;
      if (inPages) {
        blocks.load(inputs.get(0), count == allRows ? Rows.ALL : new Rows(begin, count), to, at);
      } else {
        blocks.loadRun(inputs.subList(page, run), rowBytes, to, at);
      }
      boolean keeps = ours && block(page).isUnchanged();
      for (int k = page; k < run; k++) {
        count(k, false);
        if (keeps) {
          shared.publish(key(k), to, at + (k * pageRows - begin) * rowBytes, bytes(k, k));
        }
      }
    }
  }
}
