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

  /** What can go wrong. */
  enum Trouble {
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
      end(Trouble.GONE, "was cleared");
    }
    return usable;
  }

  /** Whether blocks can be added. */
  boolean isStoring() {
    return storing && isUsable();
  }

  /** Looks whether the files are those that were opened; if not, the cache is not used any more. */
  boolean isStillThere() {
    boolean there = folder.isStillThere();
    if (!there) {
      end(Trouble.GONE, "is gone");
    }
    return there;
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
      end(Trouble.FAILED, "fails (" + UnusableCacheException.reason(e) + ")");
    }
  }

  private void end(Trouble trouble, String why) {
    usable = false;
    say(trouble, "the block cache " + why + "; this run reads from the files");
  }

  /** Warns, unless something of this kind went wrong before. */
  void say(Trouble trouble, String message) {
    synchronized (said) {
      if (!said.add(trouble)) {
        return;
      }
    }
    LOG.warn("{}: {}", folder.path(), message);
  }
}
