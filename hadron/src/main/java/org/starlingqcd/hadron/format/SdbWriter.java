package org.starlingqcd.hadron.format;

import static org.starlingqcd.hadron.format.FiledbFile.BUCKETS;
import static org.starlingqcd.hadron.format.FiledbFile.CRC_AT;
import static org.starlingqcd.hadron.format.FiledbFile.DATA_BEGIN;
import static org.starlingqcd.hadron.format.FiledbFile.NO_PAGE;
import static org.starlingqcd.hadron.format.FiledbFile.PAGE_HEADER;
import static org.starlingqcd.hadron.format.FiledbFile.RECORD_HEADER;
import static org.starlingqcd.hadron.format.FiledbFile.SIGNATURE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Writes a filedb file from front to back: header, metadata, an empty page of configurations, room
 * for the buckets, then values as they come. The keys stay in memory and are written last, with the
 * header. The number of buckets is chosen at the beginning and never grows, so that the reference
 * library finds every key by its hash.
 */
final class SdbWriter implements AutoCloseable {
  /** Types of pages beside {@link FiledbFile#BUCKETS}. */
  private static final int DATA = 0x2001;

  private static final int METADATA = 0x4001;
  private static final int CONFIGURATIONS = 0x5001;

  private static final int ENTRY = 12;
  private static final int POINTER = 16;
  private static final int MOST_BUCKETS = 1 << 20;

  /** Of FNV-1, which filedb begins at 0, to distribute keys over buckets. */
  private static final int FNV_PRIME = 0x01000193;

  /**
   * How a file is laid out.
   *
   * @param version 5 or 6
   * @param order byte order of the pages
   * @param pageBytes a power of two from 512 to 2^20
   */
  record Layout(int version, ByteOrder order, int pageBytes) {
    /** What Chroma writes on today's machines. */
    static final Layout CHROMA = new Layout(6, ByteOrder.LITTLE_ENDIAN, 8192);
  }

  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Entry(byte[] key, int page, int offset, long length, int crc, int bucketSlot) {}

  private final Path path;
  private final FileChannel channel;
  private final Layout layout;
  private final byte[] metadata;
  private final int headerPages;
  private final int generations;
  private final List<List<Entry>> buckets = new ArrayList<>();
  private long keys;

  /** The data page that is being filled. */
  private final ByteBuffer page;

  private long pageNumber;
  private int fill;
  private int records;
  private int firstRecord;

  private SdbWriter(
      Path path, FileChannel channel, Layout layout, long expectedKeys, String metadata) {
    this.path = path;
    this.channel = channel;
    this.layout = layout;
    this.metadata = (metadata + '\0').getBytes(StandardCharsets.UTF_8);
    this.headerPages = 2 + metadataPages();
    // Half full on average, so that overflow pages are rare.
    long perPage = Math.max(1, layout.pageBytes() / 128);
    int levels = 0;
    while (1L << levels < MOST_BUCKETS && perPage << levels < expectedKeys) {
      levels++;
    }
    this.generations = levels;
    for (int k = 0; k < 1 << levels; k++) {
      buckets.add(new ArrayList<>());
    }
    this.page = ByteBuffer.allocate(layout.pageBytes()).order(layout.order());
    this.pageNumber = (long) headerPages + buckets.size();
    beginPage();
  }

  /**
   * Begins a file.
   *
   * @param expectedKeys how many keys there will be, roughly
   * @throws DistillationException when it cannot be written
   */
  static SdbWriter create(Path path, Layout layout, long expectedKeys, String metadata) {
    try {
      FileChannel channel = PlainFile.create(path);
      return new SdbWriter(path, channel, layout, expectedKeys, metadata);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private int metadataPages() {
    int first = layout.pageBytes() - DATA_BEGIN;
    int rest = Math.max(0, metadata.length - first);
    int each = layout.pageBytes() - PAGE_HEADER;
    return 1 + (rest + each - 1) / each;
  }

  /** Adds a value; keys must differ. */
  void put(byte[] key, byte[] value) {
    if (page.capacity() - fill <= RECORD_HEADER) {
      nextPage();
    }
    CRC32 crc = new CRC32();
    crc.update(value);
    List<Entry> bucket = buckets.get(bucket(key));
    Entry entry =
        new Entry(
            key.clone(), (int) pageNumber, fill, value.length, (int) crc.getValue(), bucket.size());
    bucket.add(entry);
    keys++;
    if (firstRecord == 0) {
      firstRecord = fill;
    }
    records++;
    int at = fill;
    page.putInt(at, value.length);
    page.putInt(at + 4, layout.version() == 6 ? 0xffee : 0xffeeffee);
    boolean fits = value.length <= page.capacity() - at - RECORD_HEADER;
    page.putInt(at + 8, fits ? at + RECORD_HEADER + value.length : 0);
    page.putInt(at + 12, (int) bucketPage(bucket(key)));
    page.putInt(at + 16, entry.bucketSlot());
    fill += RECORD_HEADER;
    int done = 0;
    while (true) {
      int part = Math.min(value.length - done, page.capacity() - fill);
      page.put(fill, value, done, part);
      fill += part;
      done += part;
      if (done == value.length) {
        break;
      }
      nextPage();
    }
    // Records begin at multiples of four bytes.
    fill = Math.min(page.capacity(), fill + 3 & ~3);
  }

  private int bucket(byte[] key) {
    int hash = 0;
    for (byte b : key) {
      hash = hash * FNV_PRIME ^ Byte.toUnsignedInt(b);
    }
    return hash & (buckets.size() - 1);
  }

  private long bucketPage(int bucket) {
    return (long) headerPages + bucket;
  }

  private void beginPage() {
    page.clear();
    Arrays.fill(page.array(), (byte) 0);
    fill = DATA_BEGIN;
    records = 0;
    firstRecord = 0;
  }

  private void nextPage() {
    writeData(pageNumber + 1);
    pageNumber++;
    beginPage();
  }

  private void writeData(long next) {
    page.putInt(PAGE_HEADER, firstRecord);
    long previous = pageNumber == headerPages + buckets.size() ? NO_PAGE : pageNumber - 1;
    write(page, pageNumber, previous, next, records, DATA, 0);
  }

  private void write(
      ByteBuffer target, long number, long previous, long next, int entries, int type, int offset) {
    target.putInt(0, (int) number);
    target.putInt(4, (int) previous);
    target.putInt(8, (int) next);
    target.putInt(12, SIGNATURE);
    target.putShort(16, (short) entries);
    target.putShort(18, (short) type);
    target.putInt(24, offset);
    target.putInt(CRC_AT, FiledbFile.checksum(target));
    writeAt(target, number * layout.pageBytes());
  }

  private void writeAt(ByteBuffer bytes, long position) {
    ByteBuffer view = bytes.duplicate().clear();
    try {
      long at = position;
      while (view.hasRemaining()) {
        at += channel.write(view, at);
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private ByteBuffer emptyPage() {
    return ByteBuffer.allocate(layout.pageBytes()).order(layout.order());
  }

  private void writeMetadata() {
    int done = 0;
    for (int k = 0; k < metadataPages(); k++) {
      ByteBuffer target = emptyPage();
      int begin = k == 0 ? DATA_BEGIN : PAGE_HEADER;
      if (k == 0) {
        target.putInt(PAGE_HEADER, metadata.length);
      }
      int part = Math.min(metadata.length - done, layout.pageBytes() - begin);
      target.put(begin, metadata, done, part);
      done += part;
      boolean last = k == metadataPages() - 1;
      write(target, 1 + k, k == 0 ? NO_PAGE : k, last ? NO_PAGE : 2 + k, 1, METADATA, 0);
    }
    write(emptyPage(), 1 + metadataPages(), NO_PAGE, NO_PAGE, 0, CONFIGURATIONS, DATA_BEGIN);
  }

  /** Writes the buckets and returns the number of pages of the file. */
  private long writeBuckets() {
    long free = pageNumber + 1;
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      long number = bucketPage(bucket);
      long previous = NO_PAGE;
      List<Entry> left = buckets.get(bucket);
      int done = 0;
      do {
        ByteBuffer target = emptyPage();
        int low = layout.pageBytes();
        int count = 0;
        while (done < left.size()) {
          Entry entry = left.get(done);
          int keyAt = low - entry.key().length;
          int pointerAt = keyAt - POINTER & ~3;
          int at = PAGE_HEADER + ENTRY * count;
          if (pointerAt < at + ENTRY) {
            if (count == 0) {
              throw new DistillationException(
                  path + ": a key of " + entry.key().length + " bytes does not fit on a page");
            }
            break;
          }
          target.put(keyAt, entry.key());
          target.putInt(pointerAt, entry.page());
          int high = layout.version() == 6 ? (int) (entry.length() >>> 32) << 20 : 0;
          target.putInt(pointerAt + 4, entry.offset() | high);
          target.putInt(pointerAt + 8, (int) entry.length());
          target.putInt(pointerAt + 12, entry.crc());
          target.putInt(at, keyAt);
          target.putInt(at + 4, entry.key().length);
          target.putInt(at + 8, pointerAt);
          low = pointerAt;
          count++;
          done++;
        }
        long next = done < left.size() ? free++ : NO_PAGE;
        write(target, number, previous, next, count, BUCKETS, low - 1);
        previous = number;
        number = next;
      } while (number != NO_PAGE);
    }
    return free;
  }

  private void writeHeader(long pages) {
    ByteBuffer header = ByteBuffer.allocate(layout.pageBytes());
    header.putInt(FiledbHeader.MAGIC).putInt(layout.version());
    header.putInt(layout.order() == ByteOrder.LITTLE_ENDIAN ? 1234 : 4321);
    header.putInt(layout.pageBytes()).putInt(Integer.numberOfTrailingZeros(layout.pageBytes()));
    int last = buckets.size() - 1;
    header.putInt(generations).putInt(last).putInt(2 * last + 1).putInt(last).putInt(1 << 16);
    header.putInt((int) keys).putInt(headerPages).putInt(metadata.length);
    header.putShort((short) 1).putShort((short) metadataPages());
    header.putShort((short) (1 + metadataPages())).putShort((short) 1);
    header.putInt(1).putInt(CHARKEY).putInt(0);
    for (int k = 0; k < FiledbHeader.SPARES; k++) {
      long spare =
          k == 0
              ? headerPages
              : k <= generations ? headerPages + (1L << (k - 1)) : k == generations + 1 ? pages : 0;
      header.putInt((int) spare);
    }
    for (int k = 0; k < FiledbHeader.SPARES; k++) {
      header.putInt(NO_PAGE);
    }
    CRC32 crc = new CRC32();
    crc.update(header.array(), 0, FiledbHeader.BYTES - Integer.BYTES);
    header.putInt((int) crc.getValue());
    writeAt(header, 0);
  }

  /** The hash of a fixed text, by which the library recognizes its hash function. */
  private static final int CHARKEY = 1583910353;

  private static DistillationException failed(Path path, IOException e) {
    return new DistillationException(path + ": cannot be written: " + e.getMessage(), e);
  }

  /** Writes the keys and the header; without it the file is none. */
  @Override
  public void close() {
    try (channel) {
      writeData(NO_PAGE);
      writeMetadata();
      long pages = writeBuckets();
      writeHeader(pages);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }
}
