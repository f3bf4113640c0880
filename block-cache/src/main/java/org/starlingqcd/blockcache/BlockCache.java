package org.starlingqcd.blockcache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
 * <p>This class has more than 400 lines because loading, storing and what to do when the directory
 * fails decide together whether a block is read.
 *
 * <p>How the parts work together is described in docs/developers/block-cache.md; the source is BAG
 * (Chen et al., doi:10.1109/TPDS.2013.201).
 */
@SuppressWarnings("try") // locks that are held are not used otherwise
public final class BlockCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockCache.class);
  private static final String INDEX = "index";
  private static final String LOCK = "lock";
  private static final String KEY = "key";

  private static final long WAIT_NANOS = 300_000;
  private static final int WAITS_PER_STEP = 50;
  private static final int MOST_FAILURES = 3;

  /** A process that is stopped keeps others waiting no longer than this. */
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private static final long WATCH_MILLIS = 1000;

  /** What can go wrong; each is said once. */
  private enum Trouble {
    FULL,
    GONE,
    DAMAGED,
    SHORT_OF_MEMORY,
    FAILED
  }

  private final Path directory;
  private final LockFile locks;
  private final SharedFile shared;
  private final Object identity;
  private final ProcessSlots slots;
  private final SegmentTable table;
  private final HopscotchIndex index;
  private final UseRings rings;
  private final AgedBlocks aged;
  private final boolean inRam;
  private final SegmentLog log;
  private final Compactor compactor;
  private final WriteBuffer writes;
  private final MemoryPressure pressure;
  private final Set<Trouble> said = EnumSet.noneOf(Trouble.class);
  private final @Nullable Thread watch;
  private final AtomicLong storeNanos = new AtomicLong();
  private volatile boolean usable = true;
  private volatile boolean storing = true;
  private boolean compactionAsked;
  private boolean closed;

  private BlockCache(
      Path directory,
      LockFile locks,
      SharedFile shared,
      ProcessSlots slots,
      @Nullable BlockCipher cipher,
      HostMemoryBudget budget,
      boolean watching)
      throws IOException {
    this.directory = directory;
    this.locks = locks;
    this.shared = shared;
    this.slots = slots;
    identity = identity(directory);
    table = new SegmentTable(shared);
    index = new HopscotchIndex(shared, slots);
    rings = new UseRings(shared, slots, index);
    aged = new AgedBlocks(shared);
    inRam = isInRam(directory);
    log = new SegmentLog(directory, locks, shared, table, slots.token(), cipher);
    compactor =
        new Compactor(
            shared,
            table,
            index,
            rings,
            aged,
            log,
            () -> new SegmentLog(directory, locks, shared, table, slots.token(), cipher));
    writes = new WriteBuffer(budget, this::write);
    pressure = new MemoryPressure(Path.of("/"), directory, inRam);
    if (watching) {
      Thread started = new Thread(this::watch, "block-cache");
      started.setDaemon(true);
      watch = started;
      started.start();
    } else {
      watch = null;
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
    Path directory = options.directory().toAbsolutePath().normalize();
    return open(
        directory,
        options,
        budget,
        () -> {
          Restricted.createFolder(directory);
          return LockFile.open(directory.resolve(LOCK));
        });
  }

  /**
   * Opens a cache that is there, to look after it.
   *
   * @throws UnusableCacheException when there is none, or it cannot be used
   */
  public static BlockCache openExisting(Path given) {
    Path directory = given.toAbsolutePath().normalize();
    if (!Files.exists(directory.resolve(INDEX))) {
      throw new UnusableCacheException("there is no block cache in " + directory);
    }
    return open(
        directory,
        null,
        HostMemoryBudget.unbounded(),
        () -> LockFile.open(directory.resolve(LOCK)));
  }

  private interface Opening {
    LockFile locks() throws IOException;
  }

  private static BlockCache open(
      Path directory,
      @Nullable BlockCacheOptions options,
      HostMemoryBudget budget,
      Opening opening) {
    LockFile locks = null;
    try {
      locks = opening.locks();
      SharedFile shared;
      BlockCipher cipher;
      try (LockFile.Held held = locks.lockSetup()) {
        Path file = directory.resolve(INDEX);
        if (options != null && !Files.exists(file)) {
          long segment = SegmentLog.segmentBytes(options.capacity());
          removeSegments(directory, locks);
          SharedFile.create(
              file,
              SharedFile.Sizes.of(options.capacity(), segment),
              options.capacity(),
              options.encrypt());
        }
        shared = SharedFile.map(file);
        cipher = options == null ? null : cipher(directory, shared, options);
      }
      ProcessSlots slots = ProcessSlots.take(shared, locks);
      if (slots == null) {
        throw new UnusableCacheException(
            directory + ": " + shared.sizes().slots() + " processes use this block cache already");
      }
      if (options != null) {
        shared.set(SharedFile.CAPACITY, options.capacity());
      }
      return new BlockCache(directory, locks, shared, slots, cipher, budget, options != null);
    } catch (IOException | UncheckedIOException | UnusableCacheException e) {
      close(locks);
      throw e instanceof UnusableCacheException unusable
          ? unusable
          : new UnusableCacheException(directory + ": " + said(e), e);
    }
  }

  private static void close(@Nullable LockFile locks) {
    if (locks != null) {
      try {
        locks.close();
      } catch (IOException e) {
        LOG.debug("while closing a lock file: {}", e.toString());
      }
    }
  }

  private static String said(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "the directory is gone";
    }
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private static @Nullable BlockCipher cipher(
      Path directory, SharedFile shared, BlockCacheOptions options) throws IOException {
    if (!shared.isEncrypted()) {
      if (options.encrypt()) {
        throw new UnusableCacheException(
            directory
                + ": this block cache is not encrypted; clear it before it is used with"
                + " --block-cache-encrypt");
      }
      return null;
    }
    Path given = options.key();
    if (given != null) {
      return BlockCipher.open(given, false);
    }
    Path key = keyFile(directory);
    boolean isNew = new SegmentTable(shared).all().isEmpty();
    return BlockCipher.open(key, isNew);
  }

  /** The key that a cache makes for itself, which lies in RAM. */
  private static Path keyFile(Path directory) {
    return isInRam(directory)
        ? directory.resolve(KEY)
        : BlockCacheOptions.inRam(
            "starling-key-"
                + System.getProperty("user.name", "user")
                + Long.toHexString(BlockKey.of(directory.toString()).high()));
  }

  private static boolean isInRam(Path directory) {
    try {
      String type = Files.getFileStore(directory).type();
      return type.equals("tmpfs") || type.equals("ramfs");
    } catch (IOException e) {
      return false;
    }
  }

  private static Object identity(Path directory) throws IOException {
    Object key =
        Files.readAttributes(directory.resolve(INDEX), BasicFileAttributes.class).fileKey();
    return key == null ? directory : key;
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
    long begin = System.nanoTime();
    int failures = 0;
    for (int waits = 0; lends() && failures <= MOST_FAILURES; waits++) {
      long place = index.find(key);
      if (Place.isStored(place)) {
        HostMemory found = map(key, place, bytes);
        if (found != null) {
          return found;
        }
        failures++;
        continue;
      }
      HopscotchIndex.Claim claim = claim(key);
      if (claim.isOurs()) {
        failures++;
        try (HostMemory block = HostMemory.allocate(bytes)) {
          if (!read.fill(block)) {
            return null;
          }
          store(key, block, 0, bytes);
        } finally {
          index.remove(key, Place.loading(slots.token()));
        }
        if (!Place.isStored(index.find(key))) {
          return null;
        }
      } else if (claim.place() == 0 || System.nanoTime() - begin > PATIENCE_NANOS) {
        return null;
      } else if (!Place.isStored(claim.place())) {
        LockSupport.parkNanos(Math.min(10, 1 + waits / WAITS_PER_STEP) * WAIT_NANOS);
        if (Thread.currentThread().isInterrupted()) {
          return null;
        }
      }
    }
    return null;
  }

  private @Nullable HostMemory map(BlockKey key, long place, long bytes) {
    try {
      HostMemory mapped = log.map(place, key, bytes);
      if (mapped != null && !rings.note(key)) {
        askForMaintenance();
      }
      if (mapped == null && index.find(key) == place && !isStillThere()) {
        return null;
      }
      return mapped;
    } catch (IOException e) {
      failed(e);
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
        && (writes.holds(key) || Place.isStored(index.find(key)));
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
    long begin = System.nanoTime();
    int failures = 0;
    for (int waits = 0; isUsable(); waits++) {
      if (writes.fetch(key, bytes, target, offset)) {
        return Fetched.FOUND;
      }
      long place = index.find(key);
      if (!Place.isStored(place)) {
        HopscotchIndex.Claim claim = claim(key);
        if (claim.isOurs()) {
          return Fetched.OURS;
        }
        place = claim.place();
      }
      if (Place.isStored(place)) {
        if (read(key, place, bytes, target, offset)) {
          if (!rings.note(key)) {
            askForMaintenance();
          }
          return Fetched.FOUND;
        }
        if (++failures > MOST_FAILURES) {
          return Fetched.MISSED;
        }
      } else if (place == 0 || !waiting || System.nanoTime() - begin > PATIENCE_NANOS) {
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

  private HopscotchIndex.Claim claim(BlockKey key) {
    HopscotchIndex.Claim claim = index.claim(key);
    if (index.isDamaged()) {
      say(
          Trouble.DAMAGED,
          directory
              + ": the index of the block cache is damaged; blocks that it has lost are read from"
              + " the files");
    }
    return claim;
  }

  private boolean read(BlockKey key, long place, long bytes, HostMemory target, long offset) {
    try {
      SegmentLog.Look look = log.read(place, key, bytes, target, offset);
      if (look == SegmentLog.Look.FOUND) {
        return true;
      }
      if (index.find(key) != place) {
        // Moved or dropped meanwhile.
        return false;
      }
      if (!isStillThere()) {
        return false;
      }
      if (index.remove(key, place)) {
        say(
            Trouble.DAMAGED,
            directory
                + ": the block cache is damaged; blocks that are not what was written are read"
                + " from the files");
      }
    } catch (IOException e) {
      failed(e);
    }
    return false;
  }

  /**
   * Puts a block that was noted into the cache, if there is room. A thread writes it; readers of
   * this process get it meanwhile, and other processes wait for it.
   */
  public void publish(BlockKey key, HostMemory source, long offset, long bytes) {
    if (isUsable() && storing && !writes.add(key, source, offset, bytes)) {
      store(key, source, offset, bytes);
    }
  }

  private void write(BlockKey key, HostMemory block, long bytes) {
    try {
      store(key, block, 0, bytes);
    } finally {
      index.remove(key, Place.loading(slots.token()));
    }
  }

  private void store(BlockKey key, HostMemory source, long offset, long bytes) {
    if (isUsable() && storing) {
      long begin = System.nanoTime();
      append(key, source, offset, bytes);
      storeNanos.addAndGet(System.nanoTime() - begin);
    }
  }

  /** Time that this process has spent on putting blocks into the cache, in seconds. */
  public double storeSeconds() {
    return 1e-9 * storeNanos.get();
  }

  private void append(BlockKey key, HostMemory source, long offset, long bytes) {
    long length = StoredRecord.length(log.storedBytes(bytes));
    if (!reserve(length)) {
      return;
    }
    try {
      boolean returned = aged.remove(key);
      for (int tries = 0; tries < 3; tries++) {
        SegmentLog.Appended appended = log.append(key, source, offset, bytes);
        if (appended == null) {
          askForMaintenance();
          break;
        }
        long place =
            Place.stored(SegmentTable.number(appended.word()), appended.offset(), returned);
        long expected = Place.loading(slots.token());
        if (index.replace(
            key, expected, place, rings.next(), () -> log.isActive(appended.word()))) {
          return;
        }
        if (index.find(key) != expected) {
          // Another process has taken over what it thought was left.
          return;
        }
      }
    } catch (FileAlreadyExistsException e) {
      isStillThere();
    } catch (IOException e) {
      failed(e);
    }
    shared.getAndAdd(SharedFile.USED, -length);
  }

  private boolean reserve(long length) {
    long capacity = shared.get(SharedFile.CAPACITY);
    long used = shared.getAndAdd(SharedFile.USED, length) + length;
    if (used <= capacity) {
      if (used > Compactor.FULL_SHARE * capacity) {
        askForMaintenance();
      }
      return true;
    }
    shared.getAndAdd(SharedFile.USED, -length);
    if (length > Compactor.FULL_SHARE * capacity) {
      return false;
    }
    try (LockFile.Held held = locks.tryLockMaintenance()) {
      if (held != null) {
        compactor.makeRoom(length);
      }
    } catch (IOException e) {
      failed(e);
    }
    if (shared.getAndAdd(SharedFile.USED, length) + length <= capacity) {
      return true;
    }
    shared.getAndAdd(SharedFile.USED, -length);
    return false;
  }

  /** Ends what {@link #fetch} has noted; nothing when the block has been published. */
  public void abandon(BlockKey key) {
    if (!writes.holds(key)) {
      index.remove(key, Place.loading(slots.token()));
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
    long place = index.find(key);
    if (Place.isStored(place)) {
      index.remove(key, place);
    }
  }

  /** Says that a block will be used soon, so that it stays. */
  public void announce(BlockKey key) {
    if (isUsable() && Place.isStored(index.find(key)) && !rings.note(key)) {
      askForMaintenance();
    }
  }

  /** Whether the cache is still in use, or only files are read. */
  public boolean isUsable() {
    if (usable && shared.get(SharedFile.CLEARED) != 0) {
      turnOff(directory + ": the block cache was cleared; this run reads from the files");
    }
    return usable;
  }

  private boolean isStillThere() {
    try {
      if (Objects.equals(identity, identity(directory))) {
        return true;
      }
    } catch (IOException gone) {
      LOG.debug("{}: {}", directory, gone.toString());
    }
    turnOff(directory + ": the block cache is gone; this run reads from the files");
    return false;
  }

  private void turnOff(String why) {
    usable = false;
    say(Trouble.GONE, why);
  }

  private void failed(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left") || message.contains("quota")) {
      storing = false;
      say(
          Trouble.FULL,
          directory
              + ": the file system is full; blocks that are not in the block cache yet are read"
              + " from the files");
    } else if (isStillThere()) {
      usable = false;
      say(
          Trouble.FAILED,
          directory + ": the block cache fails (" + said(e) + "); this run reads from the files");
    }
  }

  private void say(Trouble trouble, String message) {
    synchronized (said) {
      if (!said.add(trouble)) {
        return;
      }
    }
    LOG.warn("{}", message);
  }

  private synchronized void askForMaintenance() {
    compactionAsked = true;
    notifyAll();
  }

  /** Compacts when asked, gives memory back when it is short. */
  private void watch() {
    while (true) {
      boolean asked;
      synchronized (this) {
        if (!compactionAsked && !closed) {
          try {
            wait(WATCH_MILLIS);
          } catch (InterruptedException e) {
            return;
          }
        }
        if (closed) {
          return;
        }
        asked = compactionAsked;
        compactionAsked = false;
      }
      if (!isUsable() || !isStillThere()) {
        return;
      }
      try {
        relieve();
        if (asked) {
          maintain();
        }
      } catch (IOException e) {
        failed(e);
      } catch (RuntimeException e) {
        LOG.debug("{}: while looking after the block cache", directory, e);
      }
    }
  }

  private void maintain() throws IOException {
    try (LockFile.Held held = locks.tryLockMaintenance()) {
      if (held != null) {
        if (shared.get(SharedFile.USED) > Compactor.FULL_SHARE * shared.get(SharedFile.CAPACITY)) {
          compactor.makeRoom(0);
        } else {
          rings.drain();
        }
      }
    }
  }

  private void relieve() throws IOException {
    MemoryPressure.Reading reading = pressure.read(shared.get(SharedFile.USED));
    if (reading.missing() == 0) {
      return;
    }
    try (LockFile.Held held = locks.tryLockMaintenance()) {
      if (held != null) {
        long freed = compactor.evacuate(reading.missing());
        say(
            Trouble.SHORT_OF_MEMORY,
            directory
                + ": "
                + reading.reason()
                + "; the block cache gives back "
                + freed
                + " bytes, and goes on to do so");
      }
    }
  }

  /** Compacts segments with gaps, and drops blocks if the cache is full. */
  public void compact() {
    maintained(
        held -> {
          compactor.makeRoom(0);
          return 0;
        });
  }

  /**
   * Gives back disk blocks.
   *
   * @return bytes of files that were removed; less than {@code bytes} when there are no more
   */
  public long evacuate(long bytes) {
    return maintained(held -> compactor.evacuate(bytes));
  }

  private interface Work {
    long run(LockFile.Held held) throws IOException;
  }

  private long maintained(Work work) {
    flush();
    try (LockFile.Held held = locks.lockMaintenance()) {
      return work.run(held);
    } catch (IOException e) {
      throw new UnusableCacheException(directory + ": " + said(e), e);
    }
  }

  /** Checks that every entry leads to its block; see docs/block-cache.md. */
  public AuditReport audit() {
    flush();
    try (LockFile.Held held = locks.lockMaintenance()) {
      return new CacheAudit(directory, table, index, log).run();
    } catch (IOException e) {
      throw new UnusableCacheException(directory + ": " + said(e), e);
    }
  }

  /** What the cache holds now. */
  public CacheStatus status() {
    flush();
    try {
      long blocks = 0;
      long bytes = 0;
      for (HopscotchIndex.Entry entry : index.entries()) {
        StoredRecord record = Place.isStored(entry.place()) ? log.record(entry.place()) : null;
        if (record != null) {
          blocks++;
          bytes += record.length();
        }
      }
      List<SegmentTable.Segment> segments = table.all();
      return new CacheStatus(
          directory,
          shared.get(SharedFile.CAPACITY),
          blocks,
          bytes,
          table.writtenBytes(),
          segments.size(),
          shared.isEncrypted(),
          slots.processes(),
          shared.get(SharedFile.COMPACTIONS),
          shared.get(SharedFile.MOVED_BYTES),
          shared.get(SharedFile.AGED_BLOCKS),
          shared.get(SharedFile.RETURNED_BLOCKS));
    } catch (IOException e) {
      throw new UnusableCacheException(directory + ": " + said(e), e);
    }
  }

  /**
   * Removes all files of a cache, of whatever version, but the one that is locked. Processes that
   * use it go on with the files of the data.
   *
   * @return bytes of the files
   */
  public static long clear(Path given) {
    Path directory = given.toAbsolutePath().normalize();
    if (!Files.isDirectory(directory) || !Files.exists(directory.resolve(LOCK))) {
      return 0;
    }
    try (LockFile locks = LockFile.open(directory.resolve(LOCK));
        LockFile.Held held = locks.lockSetup()) {
      Path file = directory.resolve(INDEX);
      long freed = Files.exists(file) ? Files.size(file) : 0;
      try {
        SharedFile.map(file).set(SharedFile.CLEARED, 1);
      } catch (IOException | UnusableCacheException unknown) {
        // Nobody who could be told uses it.
      }
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.resolveSibling(INDEX + ".new"));
      Files.deleteIfExists(keyFile(directory));
      return freed + removeSegments(directory, locks);
    } catch (IOException e) {
      throw new UnusableCacheException(directory + ": " + said(e), e);
    }
  }

  private static long removeSegments(Path directory, LockFile locks) throws IOException {
    long[] freed = {0};
    Consumer<Path> remove =
        file -> {
          try {
            freed[0] += Files.size(file);
            try (FileLock unused = locks.trySegment(SegmentLog.number(file));
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              if (unused != null) {
                channel.truncate(0);
              }
            }
            Files.deleteIfExists(file);
          } catch (NoSuchFileException gone) {
            // Another process removes segments too.
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "segment-*")) {
      files.forEach(remove);
    }
    return freed[0];
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    try {
      if (watch != null) {
        watch.join();
      }
      writes.close();
      log.close();
      slots.close();
      locks.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("{}: while closing the block cache: {}", directory, e.toString());
    }
  }
}
