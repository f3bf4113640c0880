package org.starlingqcd.blockcache;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/**
 * The file of a cache that its processes map: sizes, places of processes, segments, uses, history
 * and the index. All numbers are 64-bit words, and every access to one is atomic between processes.
 *
 * <p>Its space is allocated before it is mapped, and it is never shortened: a page without space
 * behind it would end the JVM. Removing the file leaves the mappings of other processes valid.
 */
final class SharedFile {
  /** Increased with every change of the layout of any file of a cache. */
  static final long VERSION = 2;

  /** Buckets of a region of the index, each with a lock of its own. */
  static final int REGION = 4096;

  private static final long MAGIC = 0x31_47_41_42_52_41_54_53L;
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** After the words that never change: magic, version, sizes, whether blocks are encrypted. */
  private static final int CHECKSUM_AT = 64;

  // Words of the head that change, on cache lines of their own.
  static final int CAPACITY = 128;
  static final int CLEARED = 192;
  static final int SEQUENCE = 256;
  static final int NEXT_SEGMENT = 320;
  static final int NEXT_NONCE = 384;
  static final int AGED_BLOCKS = 456;
  static final int RETURNED_BLOCKS = 464;
  static final int COMPACTIONS = 472;
  static final int MOVED_BYTES = 480;
  static final int USED = 512;

  private static final int HEAD_BYTES = 4096;
  private static final int LINE = 64;
  static final int BUCKET_BYTES = 32;
  private static final int SEGMENT_BYTES = 32;
  private static final int USE_BYTES = 32;

  /**
   * Sizes of the tables.
   *
   * @param regions regions of the index
   * @param segments most segments
   * @param slots most processes at a time
   * @param ring uses that a process may have noted
   * @param history blocks that are remembered when they have been dropped
   */
  record Sizes(int regions, int segments, int slots, int ring, int history) {
    private static final int SLOTS = 64;
    private static final int RING = 512;
    private static final int HISTORY = 4096;
    private static final long LEAST_BLOCK = 32 << 10;
    private static final int MOST_REGIONS = 1 << 13;

    /** Sizes for a cache of {@code bytes} bytes. */
    static Sizes of(long bytes, long segmentBytes) {
      long regions = Math.max(1, (bytes / LEAST_BLOCK + REGION - 1) / REGION);
      long segments = Math.max(1024, 4 * (bytes / segmentBytes));
      return new Sizes(
          (int) Math.min(MOST_REGIONS, regions),
          (int) Math.min(1 << 20, segments),
          SLOTS,
          RING,
          HISTORY);
    }

    private long bytes() {
      return HEAD_BYTES
          + (long) slots * LINE
          + (long) regions * LINE
          + (long) segments * SEGMENT_BYTES
          + (long) slots * ring * USE_BYTES
          + 8L * history
          + (long) regions * REGION * BUCKET_BYTES;
    }
  }

  private final MappedByteBuffer buffer;
  private final Sizes sizes;
  private final boolean encrypted;
  private final int slotsAt = HEAD_BYTES;
  private final int locksAt;
  private final int segmentsAt;
  private final int ringsAt;
  private final int historyAt;
  private final int bucketsAt;

  private SharedFile(MappedByteBuffer buffer, Sizes sizes, boolean encrypted) {
    this.buffer = buffer;
    this.sizes = sizes;
    this.encrypted = encrypted;
    locksAt = slotsAt + sizes.slots() * LINE;
    segmentsAt = locksAt + sizes.regions() * LINE;
    ringsAt = segmentsAt + sizes.segments() * SEGMENT_BYTES;
    historyAt = ringsAt + sizes.slots() * sizes.ring() * USE_BYTES;
    bucketsAt = historyAt + 8 * sizes.history();
  }

  /** Makes the file with all its space, under another name until it is complete. */
  static void create(Path file, Sizes sizes, long capacity, boolean encrypted) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try (FileChannel channel =
        Restricted.open(
            draft,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.nativeOrder());
      head.putLong(MAGIC).putLong(VERSION);
      head.putLong(sizes.regions()).putLong(sizes.segments()).putLong(sizes.slots());
      head.putLong(sizes.ring()).putLong(sizes.history()).putLong(encrypted ? 1 : 0);
      head.putLong(CHECKSUM_AT, checksum(head));
      head.putLong(CAPACITY, capacity);
      head.putLong(SEQUENCE, 1);
      head.putLong(NEXT_SEGMENT, 1);
      // A key that a user gives may serve a cache after this one.
      head.putLong(NEXT_NONCE, new SecureRandom().nextLong());
      Views.write(channel, 0, head.clear());
      ByteBuffer zeros = ByteBuffer.allocate(1 << 16);
      for (long at = HEAD_BYTES; at < sizes.bytes(); at += zeros.capacity()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), sizes.bytes() - at));
        Views.write(channel, at, zeros);
      }
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static long checksum(ByteBuffer head) {
    return Views.sum(head.duplicate().position(0).limit(CHECKSUM_AT));
  }

  /**
   * Maps the file.
   *
   * @throws UnusableCacheException when it is of another version or damaged
   */
  static SharedFile map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.nativeOrder());
      if (channel.size() < HEAD_BYTES) {
        throw new UnusableCacheException(file + " is damaged");
      }
      Views.read(channel, 0, head);
      if (head.flip().getLong() != MAGIC) {
        throw new UnusableCacheException(file + " is damaged");
      }
      long version = head.getLong();
      if (version != VERSION) {
        throw new UnusableCacheException(
            file + " is of version " + version + ", this program uses version " + VERSION);
      }
      if (head.getLong(CHECKSUM_AT) != checksum(head)) {
        throw new UnusableCacheException(file + " is damaged");
      }
      Sizes sizes =
          new Sizes(
              (int) head.getLong(),
              (int) head.getLong(),
              (int) head.getLong(),
              (int) head.getLong(),
              (int) head.getLong());
      if (channel.size() < sizes.bytes()) {
        throw new UnusableCacheException(file + " is cut off");
      }
      return new SharedFile(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, sizes.bytes()),
          sizes,
          head.getLong() != 0);
    }
  }

  Sizes sizes() {
    return sizes;
  }

  /** Whether the payloads of records are encrypted. */
  boolean isEncrypted() {
    return encrypted;
  }

  long get(int place) {
    return (long) WORD.getAcquire(buffer, place);
  }

  void set(int place, long value) {
    WORD.setVolatile(buffer, place, value);
  }

  long getAndAdd(int place, long value) {
    return (long) WORD.getAndAdd(buffer, place, value);
  }

  boolean compareAndSet(int place, long expected, long value) {
    return WORD.compareAndSet(buffer, place, expected, value);
  }

  /** Place of the incarnation of a slot; next: uses noted, uses drained, process id. */
  int slot(int slot) {
    return slotsAt + slot * LINE;
  }

  /** Place of the lock of a region. */
  int lock(int region) {
    return locksAt + region * LINE;
  }

  int segment(int number) {
    return segmentsAt + number * SEGMENT_BYTES;
  }

  /** Place of a use in the ring of a slot. */
  int use(int slot, long number) {
    return ringsAt + (slot * sizes.ring() + (int) (number % sizes.ring())) * USE_BYTES;
  }

  /** Place of a block that has been dropped. */
  int aged(long number) {
    return historyAt + 8 * (int) (number % sizes.history());
  }

  /** Place of a bucket of a region. */
  int bucket(int region, int bucket) {
    return bucketsAt + (region * REGION + bucket) * BUCKET_BYTES;
  }
}
