package org.starlingqcd.hadron.format;

import static org.starlingqcd.hadron.format.FiledbFile.DATA_BEGIN;
import static org.starlingqcd.hadron.format.FiledbFile.NO_PAGE;
import static org.starlingqcd.hadron.format.FiledbFile.PAGE_HEADER;
import static org.starlingqcd.hadron.format.FiledbFile.RECORD_HEADER;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** The hash of a fixed text, by which the library recognizes its hash function. */
  private static final int CHARKEY = 1583910353;

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
  private record Entry(byte[] key, FiledbFile.Pointer pointer) {}

  private final Path path;
  private final FileChannel channel;
  private final Layout layout;
  private final byte[] metadata;
  private final int metadataPages;
  private final int firstBucket;
  private final int generations;
  private final List<List<Entry>> buckets = new ArrayList<>();
  private int keys;

  /** The data page that is being filled. */
  private ByteBuffer page;

  private int number;
  private int fill = DATA_BEGIN;
  private int records;
  private int firstRecord;

  /**
   * Begins a file.
   *
   * @param expectedKeys how many keys there will be, roughly
   */
  SdbWriter(Path path, Layout layout, long expectedKeys, String metadata) throws IOException {
    this.path = path;
    this.layout = layout;
    this.metadata = (metadata + '\0').getBytes(StandardCharsets.UTF_8);
    int rest = Math.max(0, this.metadata.length - (layout.pageBytes() - DATA_BEGIN));
    int each = layout.pageBytes() - PAGE_HEADER;
    this.metadataPages = 1 + (rest + each - 1) / each;
    this.firstBucket = 2 + metadataPages;
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
    this.page = emptyPage();
    this.number = firstBucket + buckets.size();
    this.channel = PlainFile.create(path);
  }

  private ByteBuffer emptyPage() {
    return ByteBuffer.allocate(layout.pageBytes()).order(layout.order());
  }

  /** Adds a value; keys must differ. */
  void put(byte[] key, byte[] value) throws IOException {
    if (page.capacity() - fill <= RECORD_HEADER) {
      nextPage();
    }
    int hash = 0;
    for (byte b : key) {
      hash = hash * FNV_PRIME ^ Byte.toUnsignedInt(b);
    }
    int bucket = hash & buckets.size() - 1;
    List<Entry> others = buckets.get(bucket);
    firstRecord = firstRecord == 0 ? fill : firstRecord;
    records++;
    keys++;
    boolean fits = value.length <= page.capacity() - fill - RECORD_HEADER;
    page.putInt(fill, value.length)
        .putInt(fill + 4, layout.version() == 6 ? 0xffee : 0xffeeffee)
        .putInt(fill + 8, fits ? fill + RECORD_HEADER + value.length : 0)
        .putInt(fill + 12, firstBucket + bucket)
        .putInt(fill + 16, others.size());
    int crc = BinaryFile.crc(ByteBuffer.wrap(value));
    others.add(new Entry(key, new FiledbFile.Pointer(number, fill, value.length, crc)));
    fill += RECORD_HEADER;
    for (int done = 0; done < value.length; ) {
      if (fill == page.capacity()) {
        nextPage();
      }
      int part = Math.min(value.length - done, page.capacity() - fill);
      page.put(fill, value, done, part);
      fill += part;
      done += part;
    }
    // Records begin at multiples of four bytes.
    fill = Math.min(page.capacity(), fill + 3 & ~3);
  }

  private void nextPage() throws IOException {
    writeData(number + 1);
    number++;
    page = emptyPage();
    fill = DATA_BEGIN;
    records = 0;
    firstRecord = 0;
  }

  private void writeData(int next) throws IOException {
    page.putInt(PAGE_HEADER, firstRecord);
    int previous = number == firstBucket + buckets.size() ? NO_PAGE : number - 1;
    write(page, number, previous, next, records, DATA, 0);
  }

  private void write(
      ByteBuffer target, int at, int previous, int next, int entries, int type, int offset)
      throws IOException {
    target
        .putInt(0, at)
        .putInt(4, previous)
        .putInt(8, next)
        .putInt(12, FiledbFile.SIGNATURE)
        .putShort(16, (short) entries)
        .putShort(18, (short) type)
        .putInt(24, offset)
        .putInt(FiledbFile.CRC_AT, FiledbFile.checksum(target));
    writeAt(target, (long) at * layout.pageBytes());
  }

  private void writeAt(ByteBuffer bytes, long position) throws IOException {
    bytes.clear();
    while (bytes.hasRemaining()) {
      channel.write(bytes, position + bytes.position());
    }
  }

  private void writeMetadata() throws IOException {
    int done = 0;
    for (int k = 0; k < metadataPages; k++) {
      ByteBuffer target = emptyPage();
      if (k == 0) {
        target.putInt(PAGE_HEADER, metadata.length);
      }
      int begin = k == 0 ? DATA_BEGIN : PAGE_HEADER;
      int part = Math.min(metadata.length - done, layout.pageBytes() - begin);
      target.put(begin, metadata, done, part);
      done += part;
      int next = k == metadataPages - 1 ? NO_PAGE : 2 + k;
      write(target, 1 + k, k == 0 ? NO_PAGE : k, next, 1, METADATA, 0);
    }
    write(emptyPage(), 1 + metadataPages, NO_PAGE, NO_PAGE, 0, CONFIGURATIONS, DATA_BEGIN);
  }

  /** Writes the buckets and returns the number of pages of the file. */
  private int writeBuckets() throws IOException {
    int free = number + 1;
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      int at = firstBucket + bucket;
      int previous = NO_PAGE;
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
          int entryAt = PAGE_HEADER + ENTRY * count;
          if (pointerAt < entryAt + ENTRY) {
            break;
          }
          FiledbFile.Pointer pointer = entry.pointer();
          int high = layout.version() == 6 ? (int) (pointer.length() >>> 32) << 20 : 0;
          target
              .put(keyAt, entry.key())
              .putInt(pointerAt, pointer.page())
              .putInt(pointerAt + 4, pointer.offset() | high)
              .putInt(pointerAt + 8, (int) pointer.length())
              .putInt(pointerAt + 12, pointer.crc())
              .putInt(entryAt, keyAt)
              .putInt(entryAt + 4, entry.key().length)
              .putInt(entryAt + 8, pointerAt);
          low = pointerAt;
          count++;
          done++;
        }
        if (count == 0 && done < left.size()) {
          throw new DistillationException(
              path + ": a key of " + left.get(done).key().length + " bytes does not fit on a page");
        }
        int next = done < left.size() ? free++ : NO_PAGE;
        write(target, at, previous, next, count, FiledbFile.BUCKETS, low - 1);
        previous = at;
        at = next;
      } while (at != NO_PAGE);
    }
    return free;
  }

  private void writeHeader(int pages) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(layout.pageBytes());
    header.putInt(FiledbFile.MAGIC).putInt(layout.version());
    header.putInt(layout.order() == ByteOrder.LITTLE_ENDIAN ? 1234 : 4321);
    header.putInt(layout.pageBytes()).putInt(Integer.numberOfTrailingZeros(layout.pageBytes()));
    int last = buckets.size() - 1;
    header.putInt(generations).putInt(last).putInt(2 * last + 1).putInt(last).putInt(1 << 16);
    header.putInt(keys).putInt(firstBucket).putInt(metadata.length);
    header.putShort((short) 1).putShort((short) metadataPages);
    header.putShort((short) (1 + metadataPages)).putShort((short) 1);
    header.putInt(1).putInt(CHARKEY).putInt(0);
    header.putInt(firstBucket);
    for (int k = 1; k < FiledbFile.SPARES; k++) {
      int later = k == generations + 1 ? pages : 0;
      header.putInt(k <= generations ? firstBucket + (1 << (k - 1)) : later);
    }
    for (int k = 0; k < FiledbFile.SPARES; k++) {
      header.putInt(NO_PAGE);
    }
    CRC32 crc = new CRC32();
    crc.update(header.array(), 0, FiledbFile.HEADER_BYTES - Integer.BYTES);
    header.putInt((int) crc.getValue());
    writeAt(header, 0);
  }

  /** Writes the keys and the header; without it the file is none. */
  @Override
  public void close() throws IOException {
    try (channel) {
      writeData(NO_PAGE);
      writeMetadata();
      writeHeader(writeBuckets());
    }
  }
}
