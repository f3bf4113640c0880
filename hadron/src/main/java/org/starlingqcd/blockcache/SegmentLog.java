package org.starlingqcd.blockcache;

import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
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

  SegmentTable table() {
    return table;
  }

  /** Size of the payload of a block. */
  long storedBytes(long bytes) {
    return cipher == null ? bytes : BlockCipher.encryptedBytes(bytes);
  }

  /** What an append wrote: the word of the segment and the offset in it. */
  record Appended(long word, long offset) {
    long address(boolean returned) {
      return LogAddress.stored(SegmentTable.number(word), offset, returned);
    }
  }

  /**
   * Appends a block.
   *
   * @return null when there are too many segments, or the new one was given back at once
   * @throws IOException when the file system refuses
   */
  @Nullable Appended append(BlockKey key, HostMemory source, long from, long bytes)
      throws IOException {
    if (cipher == null) {
      return append(key, bytes, 0, source, from, bytes);
    }
    long stored = BlockCipher.encryptedBytes(bytes);
    try (HostMemory secret = HostMemory.allocate(stored)) {
      long nonce = shared.getAndAdd(SharedFile.NEXT_NONCE, 1);
      cipher.encrypt(key, nonce, source, from, bytes, secret);
      return append(key, bytes, nonce, secret, 0, stored);
    }
  }

  private @Nullable Appended append(
      BlockKey key, long bytes, long nonce, HostMemory payload, long from, long stored)
      throws IOException {
    StoredRecord record =
        new StoredRecord(key, bytes, stored, Views.sum(payload, from, stored), nonce);
    return append(
        record.length(),
        (file, offset) -> {
          Views.write(file, offset + StoredRecord.HEAD_BYTES, payload, from, stored);
          long end = StoredRecord.HEAD_BYTES + stored;
          // Records are copied with the bytes up to the next one.
          Views.write(file, offset + end, ByteBuffer.allocate((int) (record.length() - end)));
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
    long most = segmentBytes(shared.get(SharedFile.CAPACITY));
    boolean fits = headEnd == 0 || headEnd + length <= most;
    if (head != null && table.isActive(headWord) && fits) {
      return head;
    }
    closeHead();
    headWord = closed ? 0 : table.add(token);
    if (headWord == 0) {
      return null;
    }
    headEnd = 0;
    head =
        Restricted.open(
            folder.segment(SegmentTable.number(headWord)),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    if (table.isActive(headWord)) {
      return head;
    }
    // Another process, short of memory, gave the segment back before it had a file, so nobody would
    // remove this one. The block is not kept.
    closeHead();
    folder.removeSegment(folder.segment(SegmentTable.number(headWord)));
    return null;
  }

  /** Ends the segment of this process. */
  private void closeHead() throws IOException {
    FileChannel present = head;
    if (present != null) {
      head = null;
      table.seal(new SegmentTable.Segment(SegmentTable.number(headWord), headWord, headEnd));
      present.close();
    }
  }

  private interface Reading<T> {
    @Nullable T read(FileChannel file, long offset) throws IOException;
  }

  /** Reads a segment from an address on; null where the record is not there any more. */
  private <T> @Nullable T at(long address, Reading<T> reading) throws IOException {
    try {
      return reading.read(readable(LogAddress.segment(address)), LogAddress.offset(address));
    } catch (EOFException | NoSuchFileException | ClosedChannelException gone) {
      return null;
    }
  }

  /** Copies a block to byte {@code to} of {@code target}; false when something else is there. */
  boolean read(long address, BlockKey key, long bytes, HostMemory target, long to)
      throws IOException {
    Boolean found =
        at(
            address,
            (file, offset) -> {
              long from = offset + StoredRecord.HEAD_BYTES;
              StoredRecord record = record(file, offset);
              if (record == null || !record.isOf(key, bytes, storedBytes(bytes))) {
                return false;
              }
              if (cipher != null) {
                BlockCipher.Source source = (at, part) -> Views.read(file, from + at, part);
                return cipher.decrypt(key, record.nonce(), source, target, to, bytes);
              }
              Views.read(file, from, target, to, bytes);
              return Views.sum(target, to, bytes) == record.sum();
            });
    return found != null && found;
  }

  /**
   * Maps a block, which stays until the memory is closed.
   *
   * @return null when it is not there, or cannot be used in place
   */
  @Nullable HostMemory map(long address, BlockKey key, long bytes) throws IOException {
    long segment = LogAddress.segment(address);
    if (cipher != null || bytes > Integer.MAX_VALUE || !folder.locks().share(segment)) {
      return null;
    }
    HostMemory mapped = null;
    try {
      mapped = at(address, (file, offset) -> map(file, offset, key, bytes, segment));
    } finally {
      if (mapped == null) {
        folder.locks().unshare(segment);
      }
    }
    return mapped;
  }

  private @Nullable HostMemory map(
      FileChannel file, long offset, BlockKey key, long bytes, long segment) throws IOException {
    StoredRecord record = record(file, offset);
    long from = offset + StoredRecord.HEAD_BYTES;
    if (record == null || !record.isOf(key, bytes, bytes) || file.size() < from + bytes) {
      return null;
    }
    MappedByteBuffer view = file.map(FileChannel.MapMode.READ_ONLY, from, bytes);
    if (Views.sum(view.duplicate()) != record.sum()) {
      return null;
    }
    return HostMemory.mappedForDevice(
        new BytePointer(view).address(),
        bytes,
        mapping -> {
          try {
            folder.locks().unshare(segment);
          } finally {
            // The mapping lives as long as its buffer.
            Reference.reachabilityFence(view);
          }
        });
  }

  /** Whether a process uses blocks of a segment in place. */
  boolean isInUse(long segment) throws IOException {
    return folder.locks().isInUse(segment);
  }

  /** The head of a record; null when there is none. */
  @Nullable StoredRecord record(long address) throws IOException {
    return at(address, SegmentLog::record);
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
      closeReadable(eldest -> readable.size() > MOST_OPEN);
      return opened;
    }
  }

  /** Closes files, the least recently used first, whose segments meet a condition. */
  private void closeReadable(Predicate<Long> condition) throws IOException {
    synchronized (readable) {
      for (Iterator<Map.Entry<Long, FileChannel>> all = readable.entrySet().iterator();
          all.hasNext(); ) {
        Map.Entry<Long, FileChannel> entry = all.next();
        if (condition.test(entry.getKey())) {
          entry.getValue().close();
          all.remove();
        }
      }
    }
  }

  /** Closes files of segments that have been removed. */
  void forgetRemoved() throws IOException {
    closeReadable(segment -> !table.exists(segment));
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
    closeReadable(segment -> true);
  }
}
