package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * Reads a value of a filedb file part by part, following its pages, and computes its CRC-32. A
 * thread uses one at a time.
 */
final class ValueReader {
  /** Bytes that are read at a time when a value extends over many pages; they stay in cache. */
  private static final int READ_BYTES = 1 << 17;

  /** Room for the largest page. A buffer that is kept is never cleared or copied. */
  private static final ThreadLocal<ByteBuffer> PAGES =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(1 << 20));

  private final FiledbFile file;
  private final FiledbFile.Pointer pointer;
  private final Object what;
  private final int pageBytes;
  private final ByteBuffer buffer;
  private final CRC32 crc = new CRC32();
  private final int length;

  /** The pages in the buffer, and which of them is read. */
  private long firstPage;

  private int pages;
  private int page;

  /** The next byte in the buffer, and how many follow in its page. */
  private int at;

  private int left;
  private int done;

  /**
   * Begins with the first byte.
   *
   * @param what what the value is, for messages
   * @throws DistillationException when the value is too long for an array, or its first page is
   *     damaged
   */
  ValueReader(FiledbFile file, FiledbFile.Pointer pointer, Object what) {
    this.file = file;
    this.pointer = pointer;
    this.what = what;
    this.pageBytes = file.header().pageBytes();
    this.buffer = PAGES.get().order(file.header().order());
    if (pointer.length() > Integer.MAX_VALUE - 64) {
      throw fault("the value has " + pointer.length() + " bytes, at most 2^31 fit");
    }
    this.length = (int) pointer.length();
    load(Integer.toUnsignedLong(pointer.page()), pointer.offset());
    checkRecord(pointer.offset());
    begin(pointer.offset() + FiledbFile.RECORD_HEADER);
  }

  /** Bytes of the value. */
  int length() {
    return length;
  }

  /**
   * Reads the next bytes.
   *
   * @throws DistillationException when a page is damaged or the file is cut short
   */
  void read(byte[] target, int offset, int count) {
    for (int taken = 0; taken < count; ) {
      if (left == 0) {
        turn();
      }
      int part = Math.min(count - taken, left);
      buffer.get(at, target, offset + taken, part);
      at += part;
      left -= part;
      done += part;
      taken += part;
    }
    crc.update(target, offset, count);
  }

  /**
   * Compares the checksum of what was read, the whole value.
   *
   * @throws DistillationException when it differs
   */
  void finish() {
    if ((int) crc.getValue() != pointer.crc()) {
      throw fault("the checksum of the value does not match; copy the file again");
    }
  }

  /** Goes on to the next page. */
  private void turn() {
    long next = Integer.toUnsignedLong(buffer.getInt(page * pageBytes + 8));
    if (next != firstPage + page + 1 || page + 1 == pages) {
      if (next >= file.pages()) {
        throw fault(
            ("the value goes on at page %s, the file ends at page %s; it is cut short or "
                    + "damaged")
                .formatted(next, file.pages() - 1));
      }
      load(next, 0);
    } else {
      page++;
    }
    begin(FiledbFile.DATA_BEGIN);
  }

  /** Reads pages into the buffer. Values mostly lie on pages that follow each other. */
  private void load(long number, int offset) {
    long needed =
        1L
            + (length - done + FiledbFile.RECORD_HEADER + offset)
                / (pageBytes - FiledbFile.DATA_BEGIN);
    int most = Math.max(1, READ_BYTES / pageBytes);
    firstPage = number;
    page = 0;
    pages = (int) Math.min(Math.min(needed, most), file.pages() - number);
    buffer.clear().limit(pages * pageBytes);
    file.readPages(number, buffer, what);
  }

  private void begin(int offset) {
    int start = page * pageBytes;
    if (buffer.getInt(start + 12) != FiledbFile.SIGNATURE) {
      throw fault("page " + (firstPage + page) + " was never written or is damaged");
    }
    at = start + offset;
    left = pageBytes - offset;
  }

  private void checkRecord(int record) {
    int status = buffer.getInt(record + 4);
    if (!file.header().isSoundStatus(status) || buffer.getInt(record) != (int) pointer.length()) {
      throw fault(
          String.format(
              "the record announces %d bytes with status 0x%x, its key %d bytes; the file is"
                  + " damaged",
              Integer.toUnsignedLong(buffer.getInt(record)), status, pointer.length()));
    }
  }

  private DistillationException fault(String flaw) {
    return new DistillationException(file.path() + ": " + what + ": " + flaw);
  }
}
