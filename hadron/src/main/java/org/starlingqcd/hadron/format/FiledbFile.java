package org.starlingqcd.hadron.format;

import static java.lang.Integer.toUnsignedLong;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A filedb file that is open for reading: pages of equal size, of which buckets hold keys and
 * pointers to values. Reads are positional, so any number of threads may read. The header, the
 * first {@value #HEADER_BYTES} bytes, is big-endian whatever the order of the pages.
 *
 * <p>Keys are not looked up by their hash: the reference library misses some after a bucket was
 * split. {@link #walk} visits the pages of all buckets once and finds every key; it touches no
 * pages of values. Nothing that a file says is trusted: no page is visited twice, no value is
 * longer than the file, and every page of keys and every value is checked against its checksum.
 */
final class FiledbFile implements AutoCloseable {
  static final int HEADER_BYTES = 332;
  static final int MAGIC = 0xcece3434;
  static final int SPARES = 32;
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

  /** Bytes that are read at a time when a value extends over many pages; they stay in cache. */
  private static final int READ_BYTES = 1 << 17;

  /** Room for the largest page. A buffer that is kept is never cleared or copied. */
  private static final ThreadLocal<ByteBuffer> PAGES =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(1 << 20));

  /** Where a value is: first page, offset of the record there, bytes and CRC-32 of the value. */
  record Pointer(int page, int offset, long length, int crc) {}

  /** Is told every key and where its value is. */
  interface Entries<E extends Exception> {
    /** Takes an entry; false ends the walk. */
    boolean accept(byte[] key, Pointer pointer) throws E;
  }

  private final BinaryFile file;
  private final byte[] head;
  private final boolean version6;
  private final ByteOrder order;
  private final int pageBytes;
  private final long lastBucket;
  private final long keys;
  private final long metadataBytes;
  private final int metadataPage;
  private final int metadataPages;
  private final long configurations;

  /** The page of the first bucket of each generation, relative to the bucket. */
  private final int[] spares = new int[SPARES];

  /** Pages of the file; the last may be cut short. */
  private final long pages;

  /**
   * Reads and checks the header.
   *
   * @throws DistillationException when it is no filedb file or its header is damaged
   */
  FiledbFile(BinaryFile file) {
    this.file = file;
    file.check(
        file.size() >= HEADER_BYTES,
        "the file is cut short: %s bytes, the header of an SDB file has %s",
        file.size(),
        HEADER_BYTES);
    ByteBuffer in = file.bytes(0, HEADER_BYTES, ByteOrder.BIG_ENDIAN, "the header");
    this.head = new byte[HEADER_BYTES];
    in.get(0, head);
    file.check(isFiledb(head), "is not an SDB file");
    int crcAt = HEADER_BYTES - Integer.BYTES;
    file.checkSound(
        BinaryFile.crc(in.slice(0, crcAt)) == in.getInt(crcAt),
        "the checksum of its header does not match; copy or write it again");
    int version = in.getInt(4);
    file.check(
        version == 5 || version == 6,
        "is filedb version %s; versions 5 and 6 can be read",
        version);
    this.version6 = version == 6;
    int little = in.getInt(8);
    file.checkSound(
        little == 1234 || little == 4321,
        "the byte order in its header must be 1234 or 4321, found %s",
        little);
    this.order = little == 1234 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    this.pageBytes = in.getInt(12);
    int shift = in.getInt(16);
    file.checkSound(
        shift >= 9 && shift <= 20 && pageBytes == 1 << shift,
        "pages must have 2^9 to 2^20 bytes, found %s = 2^%s",
        pageBytes,
        shift);
    this.lastBucket = toUnsignedLong(in.getInt(24));
    this.keys = toUnsignedLong(in.getInt(40));
    this.metadataBytes = toUnsignedLong(in.getInt(48));
    this.metadataPage = Short.toUnsignedInt(in.getShort(52));
    this.metadataPages = Short.toUnsignedInt(in.getShort(54));
    this.configurations = toUnsignedLong(in.getInt(60));
    in.position(72).slice().asIntBuffer().get(spares);
    this.pages = (file.size() + pageBytes - 1) / pageBytes;
  }

  /** Whether a file begins as one of filedb does. */
  static boolean isFiledb(byte[] head) {
    return head.length >= Integer.BYTES && ByteBuffer.wrap(head).getInt() == MAGIC;
  }

  /** A filedb file that is not read yet. */
  static BinaryFile on(Path path) {
    return new BinaryFile(path, "%s: the file is cut short after %s bytes");
  }

  /** The file, for its path, its size and messages. */
  BinaryFile file() {
    return file;
  }

  /** The bytes of the header, its checksum included. */
  byte[] head() {
    return head.clone();
  }

  /** The number of keys that the header counts. */
  long keys() {
    return keys;
  }

  /** The number of configurations in each value. */
  long configurations() {
    return configurations;
  }

  /** The metadata, an XML text without a trailing NUL. */
  String metadata() {
    file.checkSound(
        metadataBytes <= (long) metadataPages * pageBytes
            && (long) metadataPage + metadataPages <= pages,
        "the header announces %s bytes of metadata on %s pages from page %s",
        metadataBytes,
        metadataPages,
        metadataPage);
    byte[] text = new byte[(int) metadataBytes];
    int done = 0;
    for (int k = 0; k < metadataPages && done < text.length; k++) {
      int begin = k == 0 ? DATA_BEGIN : PAGE_HEADER;
      int count = Math.min(text.length - done, pageBytes - begin);
      page(metadataPage + k).get(begin, text, done, count);
      done += count;
    }
    int end = text.length;
    while (end > 0 && text[end - 1] == 0) {
      end--;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }

  /** The page of a bucket; generation g > 0 holds the buckets 2^(g-1) … 2^g - 1. */
  private long bucketPage(long bucket) {
    int generation = Long.SIZE - Long.numberOfLeadingZeros(bucket);
    long first = bucket == 0 ? 0 : Long.highestOneBit(bucket);
    return generation >= SPARES ? -1 : bucket - first + toUnsignedLong(spares[generation]);
  }

  /**
   * Visits every key.
   *
   * @return the number of keys
   * @throws DistillationException when a page is damaged or the chain of a bucket has a cycle
   */
  <E extends Exception> long walk(Entries<E> entries) throws E {
    file.checkSound(
        lastBucket < pages + UNWRITTEN_BUCKETS,
        "the header announces %s buckets, the file has room for %s pages",
        lastBucket + 1,
        pages);
    Set<Long> visited = new HashSet<>();
    long found = 0;
    for (long bucket = 0; bucket <= lastBucket; bucket++) {
      long number = bucketPage(bucket);
      boolean first = true;
      while (number >= 0 && number < pages) {
        file.checkSound(
            visited.add(number), "page %s belongs to two buckets or to a cycle", number);
        ByteBuffer page = page(number);
        boolean written = page.getInt(12) == SIGNATURE;
        if (first && !written) {
          break;
        }
        file.checkSound(written, "page %s of bucket %s was never written", number, bucket);
        file.checkSound(
            checksum(page) == page.getInt(CRC_AT),
            "the checksum of page %s does not match",
            number);
        int type = Short.toUnsignedInt(page.getShort(18));
        file.checkSound(
            type == BUCKETS, "page %d must be one of keys, 0x1001, found type 0x%x", number, type);
        int count = Short.toUnsignedInt(page.getShort(16));
        file.checkSound(
            PAGE_HEADER + 12L * count <= pageBytes, "page %s announces %s keys", number, count);
        for (int k = 0; k < count; k++) {
          found++;
          if (!entry(page, number, k, entries)) {
            return found;
          }
        }
        int next = page.getInt(8);
        file.checkSound(
            next == NO_PAGE || toUnsignedLong(next) < pages,
            "bucket %s goes on at page %s, the file ends at page %s; it is cut short",
            bucket,
            toUnsignedLong(next),
            pages - 1);
        number = next == NO_PAGE ? NO_PAGE : toUnsignedLong(next);
        first = false;
      }
    }
    return found;
  }

  /** The CRC-32 of a page without the field that holds it. */
  static int checksum(ByteBuffer page) {
    int after = CRC_AT + Integer.BYTES;
    return BinaryFile.crc(page.slice(0, CRC_AT), page.slice(after, page.capacity() - after));
  }

  private <E extends Exception> boolean entry(
      ByteBuffer page, long number, int k, Entries<E> entries) throws E {
    int at = PAGE_HEADER + 12 * k;
    long keyAt = toUnsignedLong(page.getInt(at));
    long keyLength = toUnsignedLong(page.getInt(at + 4));
    long pointerAt = toUnsignedLong(page.getInt(at + 8));
    file.checkSound(
        keyAt + keyLength <= pageBytes && pointerAt + 16 <= pageBytes,
        "key %s of page %s lies outside of the page",
        k,
        number);
    byte[] key = new byte[(int) keyLength];
    page.get((int) keyAt, key);
    int where = (int) pointerAt;
    int offset = page.getInt(where + 4);
    long length = toUnsignedLong(page.getInt(where + 8));
    if (version6) {
      length |= (long) (offset >>> 20 & 0xff) << 32;
      offset &= LOW_20;
    }
    long first = toUnsignedLong(page.getInt(where));
    if (first >= pages
        || offset < PAGE_HEADER
        || offset > pageBytes - RECORD_HEADER
        || length > file.size()) {
      String end = first >= pages ? " and is cut short" : "";
      throw file.fault(
          "is damaged: key %s of page %s points to %s bytes at page %s, offset %s; the"
              + " file has %s bytes%s",
          k, number, length, first, offset, file.size(), end);
    }
    return entries.accept(key, new Pointer((int) first, offset, length, page.getInt(where + 12)));
  }

  private ByteBuffer page(long number) {
    return file.bytes(number * pageBytes, pageBytes, order, "page " + number);
  }

  /** Begins to read a value; {@code what} is what it is, for messages. */
  Value value(Pointer pointer, Object what) {
    return new Value(pointer, what);
  }

  /**
   * Reads a value part by part, following its pages, and computes its CRC-32. A thread uses one at
   * a time.
   */
  final class Value {
    private final Pointer pointer;
    private final Object what;
    private final ByteBuffer buffer = PAGES.get().order(order);
    private final CRC32 crc = new CRC32();
    private final int length;

    /** The pages in the buffer, and which of them is read. */
    private long firstPage;

    private int pagesRead;
    private int page;

    /** The next byte in the buffer, and how many follow in its page. */
    private int at;

    private int left;
    private int done;

    private Value(Pointer pointer, Object what) {
      this.pointer = pointer;
      this.what = what;
      check(
          pointer.length() <= Integer.MAX_VALUE - 64,
          "the value has %s bytes, at most 2^31 fit",
          pointer.length());
      this.length = (int) pointer.length();
      load(toUnsignedLong(pointer.page()), pointer.offset());
      int size = buffer.getInt(pointer.offset());
      int status = buffer.getInt(pointer.offset() + 4);
      boolean sound = version6 ? (status & LOW_20) == 0xffee : status == 0xffeeffee;
      check(
          sound && size == length,
          "the record announces %d bytes with status 0x%x, its key %d bytes; the file is damaged",
          toUnsignedLong(size),
          status,
          length);
      begin(pointer.offset() + RECORD_HEADER);
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void check(boolean sound, String flaw, @Nullable Object... values) {
      if (!sound) {
        throw file.fault("%s: %s", what, flaw.formatted(values));
      }
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

    /** The next bytes, or as many as there are. */
    byte[] read(int count) {
      byte[] bytes = new byte[Math.min(count, length - done)];
      read(bytes, 0, bytes.length);
      return bytes;
    }

    /**
     * Compares the checksum of what was read, the whole value.
     *
     * @throws DistillationException when it differs
     */
    void finish() {
      check(
          (int) crc.getValue() == pointer.crc(),
          "the checksum of the value does not match; copy the file again");
    }

    /** Goes on to the next page. */
    private void turn() {
      long next = toUnsignedLong(buffer.getInt(page * pageBytes + 8));
      check(
          next < pages,
          "the value goes on at page %s, the file ends at page %s; it is cut short or damaged",
          next,
          pages - 1);
      if (next == firstPage + page + 1 && page + 1 < pagesRead) {
        page++;
      } else {
        load(next, 0);
      }
      begin(DATA_BEGIN);
    }

    /** Reads pages into the buffer. Values mostly lie on pages that follow each other. */
    private void load(long number, int offset) {
      long needed = 1L + (length - done + RECORD_HEADER + offset) / (pageBytes - DATA_BEGIN);
      long most = Math.min(Math.max(1, READ_BYTES / pageBytes), pages - number);
      firstPage = number;
      page = 0;
      pagesRead = (int) Math.min(needed, most);
      file.fill(buffer.clear().limit(pagesRead * pageBytes), number * pageBytes, what);
    }

    private void begin(int offset) {
      int start = page * pageBytes;
      check(
          buffer.getInt(start + 12) == SIGNATURE,
          "page %s was never written or is damaged",
          firstPage + page);
      at = start + offset;
      left = pageBytes - offset;
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
