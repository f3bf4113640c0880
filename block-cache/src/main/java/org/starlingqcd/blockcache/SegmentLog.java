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
 * that are used in address are mapped. A lock keeps their segments from being shortened meanwhile.
 */
final class SegmentLog implements AutoCloseable {
  private static final long MOST_SEGMENT_BYTES = 64L << 20;
  private static final long LEAST_SEGMENT_BYTES = 1 << 20;
  private static final int SEGMENTS_AT_LEAST = 16;
  private static final int MOST_OPEN = 128;

  private static final ThreadLocal<ByteBuffer> HEADS =
      ThreadLocal.withInitial(
          () -> ByteBuffer.allocateDirect(StoredRecord.HEAD_BYTES).order(ByteOrder.nativeOrder()));

  private final CacheFolder folder;
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
      CacheFolder folder,
      SharedFile shared,
      SegmentTable table,
      int token,
      @Nullable BlockCipher cipher) {
    this.folder = folder;
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

  /** A log of this process that appends to a segment of its own. */
  SegmentLog another() {
    return new SegmentLog(folder, shared, table, token, cipher);
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
  @Nullable Appended append(StoredRecord record, HostMemory payload, long from) throws IOException {
    return append(
        record.length(),
        (file, offset) -> {
          Views.write(file, offset + StoredRecord.HEAD_BYTES, payload, from, record.stored());
          long end = StoredRecord.HEAD_BYTES + record.stored();
          if (end < record.length()) {
            // Records are copied with the bytes up to the next one.
            Views.write(file, offset + end, ByteBuffer.allocate((int) (record.length() - end)));
          }
          Views.write(file, offset, record.encoded());
        });
  }

  /** Appends records as they are in another segment. */
  @Nullable Appended appendRaw(HostMemory records, long bytes) throws IOException {
    return append(bytes, (file, offset) -> Views.write(file, offset, records, 0, bytes));
  }

  private interface Writing {
    void write(FileChannel file, long offset) throws IOException;
  }

  private synchronized @Nullable Appended append(long length, Writing writing) throws IOException {
    FileChannel file = head(length);
    if (file == null) {
      return null;
    }
    long offset = headEnd;
    writing.write(file, offset);
    headEnd = offset + length;
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
            folder.segment(SegmentTable.number(word)),
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

  /** Copies a block to byte {@code to} of {@code target}; false when something else is there. */
  boolean read(long address, BlockKey key, long bytes, HostMemory target, long to)
      throws IOException {
    try {
      FileChannel file = readable(LogAddress.segment(address));
      long from = LogAddress.offset(address) + StoredRecord.HEAD_BYTES;
      StoredRecord record = record(file, LogAddress.offset(address));
      if (record == null || !record.isOf(key, bytes, storedBytes(bytes))) {
        return false;
      }
      if (cipher == null) {
        Views.read(file, from, target, to, bytes);
        return Views.sum(target, to, bytes) == record.sum();
      }
      return cipher.decrypt(
          key, record.nonce(), (at, part) -> Views.read(file, from + at, part), target, to, bytes);
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return false;
    }
  }

  /**
   * Maps a block, which stays until the memory is closed.
   *
   * @return null when it is not there, or cannot be used in address
   */
  @Nullable HostMemory map(long address, BlockKey key, long bytes) throws IOException {
    long segment = LogAddress.segment(address);
    if (cipher != null || bytes > Integer.MAX_VALUE || !folder.locks().share(segment)) {
      return null;
    }
    HostMemory mapped = null;
    try {
      FileChannel file = readable(segment);
      StoredRecord record = record(file, LogAddress.offset(address));
      long from = LogAddress.offset(address) + StoredRecord.HEAD_BYTES;
      if (record != null && record.isOf(key, bytes, bytes) && file.size() >= from + bytes) {
        MappedByteBuffer view = file.map(FileChannel.MapMode.READ_ONLY, from, bytes);
        BytePointer start = new BytePointer(view);
        mapped =
            HostMemory.mappedForDevice(
                start.address(),
                bytes,
                mapping -> {
                  try {
                    folder.locks().unshare(segment);
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
        folder.locks().unshare(segment);
      }
    }
    return mapped;
  }

  /** Whether a process uses blocks of a segment in address. */
  boolean isInUse(long segment) throws IOException {
    FileLock free = folder.locks().tryLockSegment(segment);
    if (free == null) {
      return true;
    }
    free.release();
    return false;
  }

  /** The head of a record; null when there is none. */
  @Nullable StoredRecord record(long address) throws IOException {
    try {
      return record(readable(LogAddress.segment(address)), LogAddress.offset(address));
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return null;
    }
  }

  private static @Nullable StoredRecord record(FileChannel file, long offset) throws IOException {
    ByteBuffer head = HEADS.get().clear();
    Views.read(file, offset, head);
    StoredRecord record = StoredRecord.decode(head.flip());
    return record == null || record.stored() < 0 || record.bytes() < 0 ? null : record;
  }

  /** Whether the payload of a record is what was written. */
  boolean isSound(long address, StoredRecord record) {
    try (HostMemory payload = HostMemory.allocate(Math.max(1, record.stored()))) {
      long from = LogAddress.offset(address) + StoredRecord.HEAD_BYTES;
      readRaw(LogAddress.segment(address), from, payload, record.stored());
      return Views.sum(payload, 0, record.stored()) == record.sum();
    } catch (IOException gone) {
      return false;
    }
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
      FileChannel opened = FileChannel.open(folder.segment(segment), StandardOpenOption.READ);
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
      return Files.size(folder.segment(segment));
    } catch (IOException gone) {
      return 0;
    }
  }

  /** Removes a segment; returns the bytes of its file. */
  long discard(SegmentTable.Segment segment) throws IOException {
    long bytes = folder.removeSegment(folder.segment(segment.number()));
    table.remove(segment);
    return bytes;
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
