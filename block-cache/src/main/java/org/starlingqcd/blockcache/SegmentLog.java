package org.starlingqcd.blockcache;

import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Blocks as records in files that are only appended to. Each process appends to a segment of its
 * own, so appending takes no lock between processes.
 *
 * <p>Segments are read and written by system calls at a position: a file that another process
 * shortens then is a short read here and no fault, and what it gives back is free at once. Blocks
 * that are used in place are mapped. A lock keeps their segments from being shortened meanwhile.
 */
final class SegmentLog implements AutoCloseable {
  private static final long MOST_SEGMENT_BYTES = 64L << 20;
  private static final long LEAST_SEGMENT_BYTES = 1 << 20;
  private static final int SEGMENTS_AT_LEAST = 16;
  private static final int MOST_OPEN = 128;

  /** For heads of records: a hit on a small block is mostly what its calls take. */
  private static final ThreadLocal<ByteBuffer> HEADS =
      ThreadLocal.withInitial(
          () -> ByteBuffer.allocateDirect(StoredRecord.HEAD_BYTES).order(ByteOrder.nativeOrder()));

  /** How a look at a record went. */
  enum Look {
    /** The block is there. */
    FOUND,
    /** The segment was removed, or is shorter than it was. */
    GONE,
    /** Something else is there. */
    DAMAGED
  }

  private final Path directory;
  private final LockFile locks;
  private final SharedFile shared;
  private final SegmentTable table;
  private final int token;
  private final @Nullable BlockCipher cipher;
  private final LinkedHashMap<Long, FileChannel> readable =
      new LinkedHashMap<>(MOST_OPEN, 0.75f, true);
  private @Nullable FileChannel head;
  private long headWord;
  private long headEnd;
  private boolean closed;

  SegmentLog(
      Path directory,
      LockFile locks,
      SharedFile shared,
      SegmentTable table,
      int token,
      @Nullable BlockCipher cipher) {
    this.directory = directory;
    this.locks = locks;
    this.shared = shared;
    this.table = table;
    this.token = token;
    this.cipher = cipher;
  }

  /** Segments of a cache of {@code capacity} bytes end when they are longer than this. */
  static long segmentBytes(long capacity) {
    return Math.max(
        LEAST_SEGMENT_BYTES, Math.min(MOST_SEGMENT_BYTES, capacity / SEGMENTS_AT_LEAST));
  }

  /** The file of a segment. */
  static Path file(Path directory, long segment) {
    return directory.resolve(String.format("segment-%07x", segment));
  }

  /** The number of the segment in a file; 0, which is none, where the name has no number. */
  static long number(Path file) {
    String name = file.getFileName().toString().substring("segment-".length());
    return name.matches("[0-9a-f]{7}") ? Long.parseLong(name, 16) : 0;
  }

  /** Size of the payload of a block. */
  long storedBytes(long bytes) {
    return cipher == null ? bytes : BlockCipher.encryptedBytes(bytes);
  }

  /** What an append wrote: the word of the segment and the offset in it. */
  record Appended(long word, long offset) {}

  /**
   * Appends a block.
   *
   * @return null when there are too many segments
   * @throws IOException when the file system refuses
   */
  @Nullable Appended append(BlockKey key, HostMemory source, long from, long bytes)
      throws IOException {
    if (cipher == null) {
      StoredRecord record = new StoredRecord(key, bytes, bytes, Views.sum(source, from, bytes), 0);
      return append(record, source, from);
    }
    long stored = BlockCipher.encryptedBytes(bytes);
    try (HostMemory secret = HostMemory.allocate(stored)) {
      long nonce = shared.getAndAdd(SharedFile.NEXT_NONCE, 1);
      cipher.encrypt(key, nonce, source, from, bytes, secret);
      return append(
          new StoredRecord(key, bytes, stored, Views.sum(secret, 0, stored), nonce), secret, 0);
    }
  }

  /** Appends a record with its payload as it is stored. */
  synchronized @Nullable Appended append(StoredRecord record, HostMemory payload, long from)
      throws IOException {
    FileChannel file = head(record.length());
    if (file == null) {
      return null;
    }
    long offset = headEnd;
    Views.write(file, offset + StoredRecord.HEAD_BYTES, payload, from, record.stored());
    long end = StoredRecord.HEAD_BYTES + record.stored();
    if (end < record.length()) {
      // Records are copied with the bytes up to the next one.
      Views.write(file, offset + end, ByteBuffer.allocate((int) (record.length() - end)));
    }
    Views.write(file, offset, record.encoded());
    headEnd = offset + record.length();
    table.written(headWord, headEnd);
    return new Appended(headWord, offset);
  }

  /** Appends records as they are in another segment. */
  synchronized @Nullable Appended appendRaw(HostMemory records, long bytes) throws IOException {
    FileChannel file = head(bytes);
    if (file == null) {
      return null;
    }
    long offset = headEnd;
    Views.write(file, offset, records, 0, bytes);
    headEnd = offset + bytes;
    table.written(headWord, headEnd);
    return new Appended(headWord, offset);
  }

  private @Nullable FileChannel head(long length) throws IOException {
    FileChannel present = head;
    long most = segmentBytes(shared.get(SharedFile.CAPACITY));
    if (present != null && table.isActive(headWord) && (headEnd == 0 || headEnd + length <= most)) {
      return present;
    }
    closeHead();
    if (closed) {
      return null;
    }
    long word = table.add(token);
    if (word == 0) {
      return null;
    }
    headWord = word;
    headEnd = 0;
    head =
        Restricted.open(
            file(directory, SegmentTable.number(word)),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    return head;
  }

  /** Ends the segment of this process. */
  synchronized void closeHead() throws IOException {
    FileChannel present = head;
    if (present != null) {
      head = null;
      table.seal(new SegmentTable.Segment(SegmentTable.number(headWord), headWord, headEnd));
      present.close();
    }
  }

  /** Whether blocks may still be published in a segment. */
  boolean isActive(long word) {
    return table.isActive(word);
  }

  /** Copies a block to byte {@code to} of {@code target}. */
  Look read(long place, BlockKey key, long bytes, HostMemory target, long to) throws IOException {
    try {
      FileChannel file = readable(Place.segment(place));
      long from = Place.offset(place) + StoredRecord.HEAD_BYTES;
      if (cipher == null) {
        ByteBuffer head = HEADS.get().clear();
        Views.read(file, Place.offset(place), head);
        if (!StoredRecord.isPlain(head, key, bytes)) {
          return Look.DAMAGED;
        }
        Views.read(file, from, target, to, bytes);
        return Views.sum(target, to, bytes) == StoredRecord.sum(head) ? Look.FOUND : Look.DAMAGED;
      }
      StoredRecord record = record(file, Place.offset(place));
      if (record == null
          || !record.key().equals(key)
          || record.bytes() != bytes
          || record.stored() != BlockCipher.encryptedBytes(bytes)) {
        return Look.DAMAGED;
      }
      return cipher.decrypt(
              key,
              record.nonce(),
              (at, part) -> Views.read(file, from + at, part),
              target,
              to,
              bytes)
          ? Look.FOUND
          : Look.DAMAGED;
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return Look.GONE;
    }
  }

  /**
   * Maps a block, which stays until the memory is closed.
   *
   * @return null when it is not there, or cannot be used in place
   */
  @Nullable HostMemory map(long place, BlockKey key, long bytes) throws IOException {
    long segment = Place.segment(place);
    if (cipher != null || bytes > Integer.MAX_VALUE || !locks.share(segment)) {
      return null;
    }
    HostMemory mapped = null;
    try {
      FileChannel file = readable(segment);
      StoredRecord record = record(file, Place.offset(place));
      long from = Place.offset(place) + StoredRecord.HEAD_BYTES;
      if (record != null
          && record.key().equals(key)
          && record.bytes() == bytes
          && record.stored() == bytes
          && file.size() >= from + bytes) {
        MappedByteBuffer view = file.map(FileChannel.MapMode.READ_ONLY, from, bytes);
        BytePointer start = new BytePointer(view);
        mapped =
            HostMemory.mappedForDevice(
                start.address(),
                bytes,
                address -> {
                  try {
                    locks.unshare(segment);
                  } finally {
                    // The mapping lives as long as its buffer.
                    Reference.reachabilityFence(view);
                  }
                });
        if (Views.sum(mapped, 0, bytes) != record.sum()) {
          mapped.close();
          return null;
        }
      }
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return null;
    } finally {
      if (mapped == null) {
        locks.unshare(segment);
      }
    }
    return mapped;
  }

  /** Whether a process uses blocks of a segment in place. */
  boolean isInUse(long segment) throws IOException {
    FileLock free = locks.trySegment(segment);
    if (free == null) {
      return true;
    }
    free.release();
    return false;
  }

  /** The head of a record; null when there is none. */
  @Nullable StoredRecord record(long place) throws IOException {
    try {
      return record(readable(Place.segment(place)), Place.offset(place));
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return null;
    }
  }

  private static @Nullable StoredRecord record(FileChannel file, long offset) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(StoredRecord.HEAD_BYTES);
    Views.read(file, offset, head);
    StoredRecord record = StoredRecord.decode(head.flip());
    return record == null || record.stored() < 0 || record.bytes() < 0 ? null : record;
  }

  /** Reads {@code bytes} bytes of a segment as they are. */
  void readRaw(long segment, long offset, HostMemory target, long bytes) throws IOException {
    Views.read(readable(segment), offset, target, 0, bytes);
  }

  private FileChannel readable(long segment) throws IOException {
    synchronized (readable) {
      FileChannel known = readable.get(segment);
      if (known != null && known.isOpen()) {
        return known;
      }
      FileChannel opened = FileChannel.open(file(directory, segment), StandardOpenOption.READ);
      readable.put(segment, opened);
      Iterator<Map.Entry<Long, FileChannel>> eldest = readable.entrySet().iterator();
      while (readable.size() > MOST_OPEN) {
        eldest.next().getValue().close();
        eldest.remove();
      }
      return opened;
    }
  }

  /** Closes files of segments that have been removed. */
  void forgetRemoved() throws IOException {
    synchronized (readable) {
      for (Iterator<Map.Entry<Long, FileChannel>> all = readable.entrySet().iterator();
          all.hasNext(); ) {
        Map.Entry<Long, FileChannel> entry = all.next();
        if (!table.exists(entry.getKey())) {
          entry.getValue().close();
          all.remove();
        }
      }
    }
  }

  /** Size of the file of a segment; 0 when it is gone. */
  long bytes(long segment) {
    try {
      return Files.size(file(directory, segment));
    } catch (IOException gone) {
      return 0;
    }
  }

  /**
   * Gives the space of a segment back, also where processes have its file open; where they use
   * blocks in place, when the last of them has ended.
   */
  void discard(SegmentTable.Segment segment) throws IOException {
    Path file = file(directory, segment.number());
    try (FileLock unused = locks.trySegment(segment.number());
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (unused != null) {
        channel.truncate(0);
      }
    } catch (NoSuchFileException gone) {
      // A process was killed between the file and the table.
    }
    Files.deleteIfExists(file);
    table.remove(segment);
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      closeHead();
    }
    synchronized (readable) {
      for (FileChannel channel : readable.values()) {
        channel.close();
      }
      readable.clear();
    }
  }
}
