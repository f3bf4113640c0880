package org.starlingqcd.blockcache;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a cache can still be used. The first time that something of a kind goes wrong, a warning
 * says what. Thread-safe.
 */
final class CacheHealth {
  private static final Logger LOG = LoggerFactory.getLogger(CacheHealth.class);

  private enum Trouble {
    FULL,
    GONE,
    DAMAGED,
    SHORT_OF_MEMORY,
    FAILED
  }

  private final CacheFolder folder;
  private final SharedFile shared;
  private final Set<Trouble> said = EnumSet.noneOf(Trouble.class);
  private volatile boolean usable = true;
  private volatile boolean storing = true;

  CacheHealth(CacheFolder folder, SharedFile shared) {
    this.folder = folder;
    this.shared = shared;
  }

  /** Whether the cache is still in use, or only files are read. */
  boolean isUsable() {
    if (usable && shared.get(SharedFile.CLEARED) != 0) {
      usable = false;
      say(Trouble.GONE, "the block cache was cleared; this run reads from the files");
    }
    return usable;
  }

  /** Whether blocks can be added. */
  boolean isStoring() {
    return storing && isUsable();
  }

  /** Looks whether the files are those that were opened; if not, the cache is not used any more. */
  boolean isStillThere() {
    if (folder.isStillThere()) {
      return true;
    }
    usable = false;
    say(Trouble.GONE, "the block cache is gone; this run reads from the files");
    return false;
  }

  /** Entries of the index are not what was written. */
  void indexDamaged() {
    say(
        Trouble.DAMAGED,
        "the index of the block cache is damaged; blocks that it has lost are read from the"
            + " files");
  }

  /** A block is not what was written. */
  void blockDamaged() {
    say(
        Trouble.DAMAGED,
        "the block cache is damaged; blocks that are not what was written are read from the files");
  }

  /** Memory was short, so that blocks left. */
  void gaveBack(String reason, long bytes) {
    say(
        Trouble.SHORT_OF_MEMORY,
        reason + "; the block cache gives back " + bytes + " bytes, and goes on to do so");
  }

  /** The file system has refused something. */
  void failed(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left") || message.contains("quota")) {
      storing = false;
      say(
          Trouble.FULL,
          "the file system is full; blocks that are not in the block cache yet are read from the"
              + " files");
    } else if (isStillThere()) {
      usable = false;
      say(
          Trouble.FAILED,
          "the block cache fails ("
              + UnusableCacheException.reason(e)
              + "); this run reads from the files");
    }
  }

  private void say(Trouble trouble, String message) {
    synchronized (said) {
      if (!said.add(trouble)) {
        return;
      }
    }
    LOG.warn("{}: {}", folder.path(), message);
  }
}
