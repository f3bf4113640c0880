package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A filedb file that is open for reading: pages of equal size, of which buckets hold keys and
 * pointers to values. Reads are positional, so any number of threads may read.
 *
 * <p>Keys are not looked up by their hash: the reference library misses some after a bucket was
 * split. {@link #walk} visits the pages of all buckets once and finds every key; it touches no
 * pages of values. Nothing that a file says is trusted: no page is visited twice, no value is
 * longer than the file, and every page of keys and every value is checked against its checksum.
 */
final class FiledbFile implements AutoCloseable {
  static final int PAGE_HEADER = 28;

  /** Where the data of a value go on in a page after the first. */
  static final int DATA_BEGIN = 32;

  /** Bytes before a value. */
  static final int RECORD_HEADER = 20;

  /** In the header of every page that was written. */
  static final int SIGNATURE = 0xe0f1a2b9;

  static final int NO_PAGE = -1;

  /** The type of pages with keys. */
  static final int BUCKETS = 0x1001;

  static final int CRC_AT = 20;
  private static final int LOW_20 = 0xfffff;

  /** Buckets that a file may announce beyond the pages that it has; they were never written. */
  private static final long UNWRITTEN_BUCKETS = 1 << 16;

  /**
   * Where a value is.
   *
   * @param page first page
   * @param offset of the record in that page
   * @param length bytes of the value
   * @param crc CRC-32 of the value
   */
  record Pointer(int page, int offset, long length, int crc) {}

  /** Is told every key and where its value is. */
  interface Entries {
    /** Takes an entry; false ends the walk. */
    boolean accept(byte[] key, Pointer pointer);
  }

  private final BinaryFile file;
  private final byte[] head;
  private final FiledbHeader header;

  private FiledbFile(BinaryFile file) {
    this.file = file;
    int length = (int) Math.min(file.size(), FiledbHeader.BYTES);
    this.head = file.bytes(0, length, ByteOrder.BIG_ENDIAN, "the header").array();
    this.header = FiledbHeader.parse(file, head);
  }

  /**
   * Opens a file and checks its header.
   *
   * @throws DistillationException when it is no filedb file or its header is damaged
   */
  static FiledbFile open(Path path) {
    return BinaryFile.reading(
        new BinaryFile(path, "%s: the file is cut short after %s bytes"), FiledbFile::new);
  }

  Path path() {
    return file.path();
  }

  FiledbHeader header() {
    return header;
  }

  /** The bytes of the header, its checksum included. */
  byte[] head() {
    return head.clone();
  }

  /** Bytes of the file. */
  long size() {
    return file.size();
  }

  /** Pages of the file; the last may be cut short. */
  long pages() {
    return (size() + header.pageBytes() - 1) / header.pageBytes();
  }

  /** The metadata, an XML text without a trailing NUL. */
  String metadata() {
    long length = header.userBytes();
    int pages = header.userPages();
    if (length > (long) pages * header.pageBytes() || (long) header.userPage() + pages > pages()) {
      throw damaged(
          "the header announces %s bytes of metadata on %s pages from page %s"
              .formatted(length, pages, header.userPage()));
    }
    byte[] text = new byte[(int) length];
    int done = 0;
    for (int k = 0; k < pages && done < text.length; k++) {
      ByteBuffer page = page(header.userPage() + k);
      int begin = k == 0 ? DATA_BEGIN : PAGE_HEADER;
      int count = Math.min(text.length - done, header.pageBytes() - begin);
      page.get(begin, text, done, count);
      done += count;
    }
    int end = text.length;
    while (end > 0 && text[end - 1] == 0) {
      end--;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }

  /**
   * Visits every key.
   *
   * @return the number of keys
   * @throws DistillationException when a page is damaged or the chain of a bucket has a cycle
   */
  long walk(Entries entries) {
    if (header.maxBucket() >= pages() + UNWRITTEN_BUCKETS) {
      throw damaged(
          "the header announces %s buckets, the file has room for %s pages"
              .formatted(header.maxBucket() + 1, pages()));
    }
    Set<Long> visited = new HashSet<>();
    long found = 0;
    for (long bucket = 0; bucket <= header.maxBucket(); bucket++) {
      long number = header.page(bucket);
      boolean first = true;
      while (number >= 0 && number < pages()) {
        if (!visited.add(number)) {
          throw damaged("page " + number + " belongs to two buckets or to a cycle");
        }
        ByteBuffer page = page(number);
        if (page.getInt(12) != SIGNATURE) {
          if (first) {
            break; // never written
          }
          throw damaged("page " + number + " of bucket " + bucket + " was never written");
        }
        checkPage(page, number);
        int count = Short.toUnsignedInt(page.getShort(16));
        if (PAGE_HEADER + 12L * count > header.pageBytes()) {
          throw damaged("page " + number + " announces " + count + " keys");
        }
        for (int k = 0; k < count; k++) {
          found++;
          if (!entry(page, number, k, entries)) {
            return found;
          }
        }
        int next = page.getInt(8);
        if (next == NO_PAGE) {
          break;
        }
        number = Integer.toUnsignedLong(next);
        if (number >= pages()) {
          throw damaged(
              "bucket %s goes on at page %s, the file ends at page %s; it is cut short"
                  .formatted(bucket, number, pages() - 1));
        }
        first = false;
      }
    }
    return found;
  }

  /** The CRC-32 of a page without the field that holds it. */
  static int checksum(ByteBuffer page) {
    CRC32 crc = new CRC32();
    crc.update(page.duplicate().position(0).limit(CRC_AT));
    crc.update(page.duplicate().position(CRC_AT + Integer.BYTES).limit(page.capacity()));
    return (int) crc.getValue();
  }

  private void checkPage(ByteBuffer page, long number) {
    if (checksum(page) != page.getInt(CRC_AT)) {
      throw damaged("the checksum of page " + number + " does not match");
    }
    int type = Short.toUnsignedInt(page.getShort(18));
    if (type != BUCKETS) {
      throw damaged(
          String.format("page %d must be one of keys, 0x1001, found type 0x%x", number, type));
    }
  }

  private boolean entry(ByteBuffer page, long number, int k, Entries entries) {
    int at = PAGE_HEADER + 12 * k;
    long keyAt = Integer.toUnsignedLong(page.getInt(at));
    long keyLength = Integer.toUnsignedLong(page.getInt(at + 4));
    long pointerAt = Integer.toUnsignedLong(page.getInt(at + 8));
    if (keyAt + keyLength > header.pageBytes() || pointerAt + 16 > header.pageBytes()) {
      throw damaged("key " + k + " of page " + number + " lies outside of the page");
    }
    byte[] key = new byte[(int) keyLength];
    page.get((int) keyAt, key);
    int where = (int) pointerAt;
    int offset = page.getInt(where + 4);
    long length = Integer.toUnsignedLong(page.getInt(where + 8));
    if (header.version() == 6) {
      length |= (long) (offset >>> 20 & 0xff) << 32;
      offset &= LOW_20;
    }
    long first = Integer.toUnsignedLong(page.getInt(where));
    if (first >= pages()
        || offset < PAGE_HEADER
        || offset > header.pageBytes() - RECORD_HEADER
        || length > size()) {
      throw damaged(
          ("key %s of page %s points to %s bytes at page %s, offset %s; the file has %s "
                  + "bytes%s")
              .formatted(
                  k,
                  number,
                  length,
                  first,
                  offset,
                  size(),
                  first >= pages() ? " and is cut short" : ""));
    }
    return entries.accept(key, new Pointer((int) first, offset, length, page.getInt(where + 12)));
  }

  /**
   * Reads a value and checks its CRC-32.
   *
   * @param what what the value is, for messages
   * @throws DistillationException when it is damaged
   */
  byte[] value(Pointer pointer, Object what) {
    ValueReader reader = new ValueReader(this, pointer, what);
    byte[] value = new byte[reader.length()];
    reader.read(value, 0, value.length);
    reader.finish();
    return value;
  }

  /** Reads the first bytes of a value, without its checksum. */
  byte[] beginning(Pointer pointer, int count, Object what) {
    ValueReader reader = new ValueReader(this, pointer, what);
    byte[] value = new byte[Math.min(count, reader.length())];
    reader.read(value, 0, value.length);
    return value;
  }

  /** Fills a buffer with pages. */
  void readPages(long first, ByteBuffer buffer, Object what) {
    file.fill(buffer, first * header.pageBytes(), what);
  }

  private ByteBuffer page(long number) {
    return file.bytes(
        number * header.pageBytes(), header.pageBytes(), header.order(), "page " + number);
  }

  private DistillationException damaged(String what) {
    return file.fault("this SDB file is damaged: " + what);
  }

  @Override
  public void close() {
    file.close();
  }
}
