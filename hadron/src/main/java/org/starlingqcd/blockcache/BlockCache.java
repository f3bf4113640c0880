package org.starlingqcd.blockcache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * A cache of blocks in a directory that the processes of a node share. A block that no process has
 * read is read by the first that asks; the others wait for it. When that process dies, the next one
 * reads. Thread-safe.
 *
 * <p>Whatever happens to the directory, {@link #load} hands over the block: what cannot be had from
 * the cache is read. The first time that something of a kind goes wrong, a warning says what.
 *
 * <p>How the parts work together is described in docs/developers/memory-manager.md; the source is
 * BAG (Chen et al., doi:10.1109/TPDS.2013.201).
 */
public final class BlockCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);

  private static final long WAIT_NANOS = 300_000;
  private static final int WAITS_PER_STEP = 50;
  private static final int MOST_FAILURES = 3;

  /** A process that is stopped keeps others waiting no longer than this. */
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final CacheFolder folder;
  private final SharedFile shared;
  private final ProcessSlots slots;
  private final HopscotchIndex index;
  private final UseHistory uses;
  private final SegmentLog log;
  private final CacheHealth health;
  private final Compactor compactor;
  private final Maintenance maintenance;
  private final WriteBuffer writes;
  private final boolean inRam;
  private final AtomicLong storeNanos = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  @SuppressWarnings("try") // the lock is not used otherwise
  private BlockCache(
      CacheFolder folder, @Nullable BlockCacheOptions options, HostMemoryBudget budget)
      throws IOException {
    this.folder = folder;
    BlockCipher cipher;
    try (FileLock held = folder.locks().lock(FolderLock.SETUP)) {
      shared = folder.tables(options);
      cipher = options == null ? null : folder.cipher(shared, options);
    }
    ProcessSlots taken = ProcessSlots.take(shared, folder.locks());
    if (taken == null) {
      throw new UnusableCacheException(
          folder.path()
              + ": "
              + shared.sizes().slots()
              + " processes use this block cache already");
    }
    slots = taken;
    index = new HopscotchIndex(shared, slots);
    uses = new UseHistory(shared, slots, index);
    log = new SegmentLog(folder, shared, new SegmentTable(shared), slots.token(), cipher);
    health = new CacheHealth(folder, shared);
    compactor = new Compactor(shared, index, uses, log);
    maintenance = new Maintenance(folder, shared, uses, compactor, health);
    writes = new WriteBuffer(budget, this::write);
    inRam = folder.isInRam();
    if (options != null) {
      shared.set(SharedFile.CAPACITY, options.capacity());
      maintenance.start();
    }
  }

  /**
   * Opens a cache, and makes it if it is not there.
   *
   * @throws UnusableCacheException when it cannot be made or used; the message says why
   */
  public static BlockCache open(BlockCacheOptions options) {
    return open(options, HostMemoryBudget.unbounded());
  }

  /**
   * As {@link #open(BlockCacheOptions)}.
   *
   * @param budget pays for blocks that wait to be written
   */
  public static BlockCache open(BlockCacheOptions options, HostMemoryBudget budget) {
    return open(options.directory(), options, budget);
  }

  /**
   * Opens a cache that is there, to look after it.
   *
   * @throws UnusableCacheException when there is none, or it cannot be used
   */
  public static BlockCache openExisting(Path directory) {
    return open(directory, null, HostMemoryBudget.unbounded());
  }

  private static BlockCache open(
      Path directory, @Nullable BlockCacheOptions options, HostMemoryBudget budget) {
    CacheFolder folder = null;
    BlockCache opened = null;
    try {
      folder = CacheFolder.open(directory, options != null);
      opened = new BlockCache(folder, options, budget);
      return opened;
    } catch (IOException | UncheckedIOException e) {
      throw new UnusableCacheException(directory.toAbsolutePath().normalize(), e);
    } finally {
      if (folder != null && opened == null) {
        folder.close();
      }
    }
  }

  /**
   * Writes a block to {@code target}: from the cache, or by {@code read}, whose exceptions are
   * passed on.
   *
   * @param bytes size of the block
   * @param read writes the block to byte {@code offset} of {@code target}, and says whether it may
   *     be kept
   * @return whether it came from the cache
   */
  public boolean load(
      BlockKey key, long bytes, HostMemory target, long offset, BooleanSupplier read) {
    Fetched fetched = fetch(key, bytes, target, offset, true);
    if (fetched == Fetched.FOUND) {
      return true;
    }
    boolean ours = fetched == Fetched.OURS;
    try {
      if (read.getAsBoolean() && ours) {
        publish(key, target, offset, bytes);
      }
    } finally {
      if (ours) {
        abandon(key);
      }
    }
    return false;
  }

  /** Whether blocks can be used in place: they are not encrypted. */
  public boolean lends() {
    return isUsable() && !shared.isEncrypted();
  }

  /** Fills memory with a block, and says whether the block may be kept. */
  public interface Filler {
    /** Writes the block from the first byte of {@code target} on. */
    boolean fill(HostMemory target);
  }

  /**
   * Lets a block be used where it lies in the cache, read only, until the memory is closed. A block
   * that no process has put there is put there first.
   *
   * @param bytes size of the block
   * @return null when the block cannot be had in place: the cache is encrypted, full or gone
   */
  public @Nullable HostMemory lend(BlockKey key, long bytes, Filler read) {
    AtomicReference<HostMemory> lent = new AtomicReference<>();
    LongPredicate map =
        address -> {
          lent.set(map(key, address, bytes));
          return lent.get() != null;
        };
    for (int tries = 0; lends() && tries <= MOST_FAILURES; tries++) {
      if (find(key, true, () -> false, map) != Fetched.OURS) {
        return lent.get();
      }
      try (HostMemory block = HostMemory.allocate(bytes)) {
        if (!read.fill(block)) {
          return null;
        }
        write(key, block, bytes);
      } finally {
        forget(key);
      }
      if (!LogAddress.isStored(index.find(key))) {
        return null;
      }
    }
    return null;
  }

  private @Nullable HostMemory map(BlockKey key, long address, long bytes) {
    try {
      HostMemory mapped = log.map(address, key, bytes);
      if (mapped == null && index.find(key) == address) {
        health.isStillThere();
      }
      return mapped;
    } catch (IOException e) {
      health.failed(e);
      return null;
    }
  }

  /**
   * Whether a block is here that is loaded at the speed of memory, so that nobody has to read it
   * ahead: the cache lies in RAM, and is not encrypted.
   */
  public boolean isAtHand(BlockKey key) {
    return inRam
        && isUsable()
        && !shared.isEncrypted()
        && (writes.holds(key) || LogAddress.isStored(index.find(key)));
  }

  /** How {@link #fetch} ended. */
  public enum Fetched {
    /** The block was written to the target. */
    FOUND,
    /** The block is noted as one that the caller reads. */
    OURS,
    /** The block cannot be had now, and what the caller reads is not kept. */
    MISSED
  }

  /**
   * Writes a block to {@code target} if the cache has it. Otherwise the block is noted as one that
   * the caller reads, until {@link #publish} or {@link #abandon}.
   *
   * @param waiting whether to wait for another process or thread that reads the block
   */
  public Fetched fetch(BlockKey key, long bytes, HostMemory target, long offset, boolean waiting) {
    return find(
        key,
        waiting,
        () -> writes.fetch(key, bytes, target, offset),
        address -> read(key, address, bytes, target, offset));
  }

  /**
   * Finds a block, or notes that the caller reads it.
   *
   * @param buffered takes the block if it is on its way to the log
   * @param take takes the block from an address in the log; false when it is not there any more
   */
  private Fetched find(
      BlockKey key, boolean waiting, BooleanSupplier buffered, LongPredicate take) {
    long begin = System.nanoTime();
    int failures = 0;
    for (int waits = 0; isUsable(); waits++) {
      if (buffered.getAsBoolean()) {
        return Fetched.FOUND;
      }
      long address = index.find(key);
      if (!LogAddress.isStored(address)) {
        HopscotchIndex.Claim claim = index.claim(key);
        if (index.isDamaged()) {
          health.say(
              CacheHealth.Trouble.DAMAGED,
              "the index of the block cache is damaged; blocks that it has lost are read from the"
                  + " files");
        }
        if (claim.isOurs()) {
          return Fetched.OURS;
        }
        address = claim.address();
      }
      if (LogAddress.isStored(address)) {
        if (take.test(address)) {
          note(key);
          return Fetched.FOUND;
        }
        if (++failures > MOST_FAILURES) {
          return Fetched.MISSED;
        }
      } else if (address == 0 || !waiting || System.nanoTime() - begin > PATIENCE_NANOS) {
        return Fetched.MISSED;
      } else {
        LockSupport.parkNanos(Math.min(10, 1 + waits / WAITS_PER_STEP) * WAIT_NANOS);
        if (Thread.currentThread().isInterrupted()) {
          return Fetched.MISSED;
        }
      }
    }
    return Fetched.MISSED;
  }

  private void note(BlockKey key) {
    if (!uses.note(key)) {
      maintenance.ask();
    }
  }

  private boolean read(BlockKey key, long address, long bytes, HostMemory target, long offset) {
    try {
      if (log.read(address, key, bytes, target, offset)) {
        return true;
      }
      // It may have been moved or dropped meanwhile.
      if (index.find(key) == address && health.isStillThere() && index.remove(key, address)) {
        health.say(
            CacheHealth.Trouble.DAMAGED,
            "the block cache is damaged; blocks that are not what was written are read from the"
                + " files");
      }
    } catch (IOException e) {
      health.failed(e);
    }
    return false;
  }

  /**
   * Puts a block that was noted into the cache, if there is room. A thread writes it; readers of
   * this process get it meanwhile, and other processes wait for it.
   */
  public void publish(BlockKey key, HostMemory source, long offset, long bytes) {
    if (health.isStoring() && !writes.add(key, source, offset, bytes)) {
      store(key, source, offset, bytes);
    }
  }

  private void write(BlockKey key, HostMemory block, long bytes) {
    try {
      store(key, block, 0, bytes);
    } finally {
      forget(key);
    }
  }

  /** Removes the note that this process reads a block. */
  private void forget(BlockKey key) {
    index.remove(key, LogAddress.loading(slots.token()));
  }

  private void store(BlockKey key, HostMemory source, long offset, long bytes) {
    if (!health.isStoring()) {
      return;
    }
    long begin = System.nanoTime();
    long length = StoredRecord.length(log.storedBytes(bytes));
    if (maintenance.reserve(length)) {
      boolean stored = false;
      try {
        stored = append(key, source, offset, bytes, uses.comesBack(key));
      } catch (FileAlreadyExistsException e) {
        health.isStillThere();
      } catch (IOException e) {
        health.failed(e);
      }
      if (!stored) {
        maintenance.release(length);
      }
    }
    storeNanos.addAndGet(System.nanoTime() - begin);
  }

  /** Time that this process has spent on putting blocks into the cache, in seconds. */
  public double storeSeconds() {
    return 1e-9 * storeNanos.get();
  }

  /** Appends a block and lets its entry lead to it; false when there is no record of it then. */
  private boolean append(BlockKey key, HostMemory source, long offset, long bytes, boolean returned)
      throws IOException {
    long expected = LogAddress.loading(slots.token());
    for (int tries = 0; tries < 3; tries++) {
      SegmentLog.Appended appended = log.append(key, source, offset, bytes);
      if (appended == null) {
        maintenance.ask();
        return false;
      }
      boolean published =
          index.replace(
              key,
              expected,
              appended.address(returned),
              uses.next(),
              () -> log.table().isActive(appended.word()));
      if (published || index.find(key) != expected) {
        // Or another process has taken over what it thought was left.
        return true;
      }
    }
    return false;
  }

  /** Ends what {@link #fetch} has noted; nothing when the block has been published. */
  public void abandon(BlockKey key) {
    if (!writes.holds(key)) {
      forget(key);
    }
  }

  /** Waits until all blocks that this process has put into the cache have been written. */
  void flush() {
    writes.flush();
  }

  /** Whether blocks are encrypted. */
  public boolean isEncrypted() {
    return shared.isEncrypted();
  }

  /** Drops a block. */
  public void drop(BlockKey key) {
    flush();
    long address = index.find(key);
    if (LogAddress.isStored(address)) {
      index.remove(key, address);
    }
  }

  /** Says that a block will be used soon, so that it stays. */
  public void announce(BlockKey key) {
    if (isUsable() && LogAddress.isStored(index.find(key))) {
      note(key);
    }
  }

  /** Whether the cache is still in use, or only files are read. */
  public boolean isUsable() {
    return health.isUsable();
  }

  /** Compacts segments with gaps, and drops blocks if the cache is full. */
  public void compact() {
    flush();
    maintenance.run(() -> compactor.makeRoom(0));
  }

  /**
   * Gives back disk blocks.
   *
   * @return bytes of files that were removed; less than {@code bytes} when there are no more
   */
  public long evacuate(long bytes) {
    flush();
    return maintenance.run(() -> compactor.evacuate(bytes));
  }

  /** Checks that every entry leads to its block; see docs/memhc.md. */
  public AuditReport audit() {
    flush();
    return maintenance.run(() -> CacheAudit.run(folder, index, log));
  }

  /** What the cache holds now. */
  public CacheStatus status() {
    flush();
    try {
      long blocks = 0;
      long bytes = 0;
      for (HopscotchIndex.Entry entry : index.entries()) {
        StoredRecord record = entry.isStored() ? log.record(entry.address()) : null;
        if (record != null) {
          blocks++;
          bytes += record.length();
        }
      }
      return new CacheStatus(
          folder.path(),
          shared.get(SharedFile.CAPACITY),
          blocks,
          bytes,
          log.table().writtenBytes(),
          log.table().all().size(),
          shared.isEncrypted(),
          slots.processes(),
          shared.get(SharedFile.COMPACTIONS),
          shared.get(SharedFile.MOVED_BYTES),
          shared.get(SharedFile.AGED_BLOCKS),
          shared.get(SharedFile.RETURNED_BLOCKS));
    } catch (IOException e) {
      throw new UnusableCacheException(folder.path(), e);
    }
  }

  /**
   * Removes all files of a cache, of whatever version, but the one that is locked. Processes that
   * use it go on with the files of the data.
   *
   * @return bytes of the files
   */
  public static long clear(Path directory) {
    try {
      return CacheFolder.clear(directory);
    } catch (IOException e) {
      throw new UnusableCacheException(directory.toAbsolutePath().normalize(), e);
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      maintenance.close();
      writes.close();
      log.close();
      slots.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("{}: while closing the block cache: {}", folder.path(), e.toString());
    }
    folder.close();
  }
}
