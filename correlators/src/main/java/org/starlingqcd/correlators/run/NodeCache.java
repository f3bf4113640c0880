package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.blockcache.BlockCache;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.blockcache.UnusableCacheException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.hadron.input.CachedInputBlocks;

/**
 * The block cache of the node before the data of a run, if the user asks for it. It is opened with
 * the first data. A cache that cannot be used costs one warning.
 */
final class NodeCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCache.class);

  private final @Nullable MemorySize size;
  private final InputSettings settings;
  private final BlockCounts counts = new BlockCounts();
  private boolean asked;
  private @Nullable BlockCache cache;

  NodeCache(InputSettings settings) {
    this.settings = settings;
    this.size = settings.cache;
  }

  /**
   * Data of a configuration behind the cache; the data themselves without one.
   *
   * @param inPrecision the data in the precision of the run
   */
  InputBlocks before(DistillationData data, InputBlocks inPrecision, HostMemoryBudget budget) {
    MemorySize most = size;
    if (most == null) {
      return inPrecision;
    }
    if (!asked) {
      asked = true;
      cache = open(most, budget);
    }
    return new CachedInputBlocks(cache, data, inPrecision, budget, Version.text(), counts);
  }

  private @Nullable BlockCache open(MemorySize most, HostMemoryBudget budget) {
    Path directory = settings.cacheDirectory;
    try {
      return BlockCache.open(
          new BlockCacheOptions(
              directory == null ? BlockCacheOptions.defaultDirectory() : directory,
              Math.max(1, most.of(HostMemoryShare.freeBytes())),
              settings.encrypt,
              BlockCacheOptions.givenKey(System.getenv())),
          budget);
    } catch (UnusableCacheException e) {
      LOG.warn("{}; this run reads from the files", e.getMessage());
      return null;
    }
  }

  /** Blocks from files and from the cache; null when none was asked for. */
  @Nullable BlockCounts counts() {
    if (cache != null) {
      counts.stored(cache.storeSeconds());
    }
    return size == null ? null : counts;
  }

  @Override
  public void close() {
    if (cache != null) {
      cache.close();
    }
  }
}
