package org.starlingqcd.hadron.format;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private static final int PAGE_HEADER = 28;

  /** Where the data of a value go on in a page after the first. */
  static final int DATA_BEGIN = 32;

  /** Bytes before a value. */
  static final int RECORD_HEADER = 20;

  /** In the header of every page that was written. */
  static final int SIGNATURE = 0xe0f1a2b9;

  private static final int CRC_AT = 20;
  private static final int NO_PAGE = -1;
  private static final int BUCKETS = 0x1001;
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

  private final Path path;
  private final FileChannel channel;
  private final long size;
  private final FiledbHeader header;
  private final byte[] head;

  private FiledbFile(Path path, FileChannel channel, long size, FiledbHeader header, byte[] head) {
    this.path = path;
    this.channel = channel;
    this.size = size;
    this.header = header;
    this.head = head;
  }

  /**
   * Opens a file and checks its header.
   *
   * @throws DistillationException when it is no filedb file or its header is damaged
   */
  static FiledbFile open(Path path) {
    try {
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      try {
        long size = channel.size();
        byte[] head = new byte[(int) Math.min(size, FiledbHeader.BYTES)];
        Channels.readFully(channel, ByteBuffer.wrap(head), 0);
        return new FiledbFile(path, channel, size, FiledbHeader.parse(path, head), head);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new DistillationException(
          path + (Files.exists(path) ? ": cannot be read: " + e.getMessage() : ": no such file"),
          e);
    }
  }

  Path path() {
    return path;
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
    return size;
  }

  /** Pages of the file; the last may be cut short. */
  long pages() {
    return (size + header.pageBytes() - 1) / header.pageBytes();
  }

  /** The metadata, an XML text without a trailing NUL. */
  String metadata() {
    long length = header.userBytes();
    int pages = header.userPages();
    if (length > (long) pages * header.pageBytes() || (long) header.userPage() + pages > pages()) {
      throw damaged(
          "the header announces "
              + length
              + " bytes of metadata on "
              + pages
              + " pages from page "
              + header.userPage());
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
          "the header announces "
              + (header.maxBucket() + 1)
              + " buckets, the file has room for "
              + pages()
              + " pages");
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
              "bucket "
                  + bucket
                  + " goes on at page "
                  + number
                  + ", the file ends at page "
                  + (pages() - 1)
                  + "; it is cut short");
        }
        first = false;
      }
    }
    return found;
  }

  private void checkPage(ByteBuffer page, long number) {
    CRC32 crc = new CRC32();
    crc.update(page.duplicate().position(0).limit(CRC_AT));
    crc.update(page.duplicate().position(CRC_AT + Integer.BYTES).limit(header.pageBytes()));
    if ((int) crc.getValue() != page.getInt(CRC_AT)) {
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
        || length > size) {
      throw damaged(
          "key "
              + k
              + " of page "
              + number
              + " points to "
              + length
              + " bytes at page "
              + first
              + ", offset "
              + offset
              + "; the file has "
              + size
              + " bytes"
              + (first >= pages() ? " and is cut short" : ""));
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
  void readPages(long first, ByteBuffer buffer) throws IOException {
    Channels.readFully(channel, buffer, first * header.pageBytes());
  }

  private ByteBuffer page(long number) {
    ByteBuffer buffer = ByteBuffer.allocate(header.pageBytes());
    try {
      readPages(number, buffer);
    } catch (EOFException e) {
      throw new DistillationException(
          path + ": page " + number + ": the file is cut short after " + size + " bytes", e);
    } catch (IOException e) {
      throw new DistillationException(path + ": cannot be read: " + e.getMessage(), e);
    }
    return buffer.order(header.order());
  }

  private DistillationException damaged(String what) {
    return new DistillationException(path + ": this SDB file is damaged: " + what);
  }

  @Override
  public void close() {
    Channels.close(channel, path);
  }
}
