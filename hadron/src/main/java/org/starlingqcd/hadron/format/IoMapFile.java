package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Printable;

/**
 * A file of the container IOMap, in either order of bytes, with or without checksums.
 *
 * <p>Byte 0 is {@code L} or {@code B}, the order of bytes; 32 bytes hold an identifier. All
 * positions count from the byte after these 33. There stand the position of the map, {@code Y} or
 * {@code N} for checksums, and the header, a text in XML with its length. A record is its size, its
 * bytes and its CRC-32. The map is the number of records, the size of a key, all keys, all
 * positions and a CRC-32; {@code E} ends the file.
 *
 * <p>Opening reads the header and the map, which takes 8 bytes and a key for each record; every
 * count is compared with the size of the file before memory is taken for it. Thread-safe: the file
 * is open only while it is read.
 */
final class IoMapFile {
  private static final int BASE = 33;
  private static final int FIXED = BASE + Long.BYTES + 1 + Integer.BYTES;
  private static final int CHECKSUM = Integer.BYTES;
  private static final String CUT_SHORT = "is cut short in %s";

  private final Path path;
  private final ByteOrder order;
  private final String identifier;
  private final String header;
  private final boolean checksums;
  private final long mapPosition;
  private final int keyInts;
  private final int[] keys;
  private final long[] positions;
  private final int[] sorted;

  private IoMapFile(BinaryFile in) {
    this.path = in.path();
    long size = in.size();
    ByteBuffer start = in.bytes(0, FIXED, ByteOrder.BIG_ENDIAN, "the header");
    char mark = (char) start.get(0);
    if (mark != 'L' && mark != 'B') {
      throw fault("is not an IOMap: its first byte is neither 'L' nor 'B'");
    }
    this.order = mark == 'L' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    start.order(order);
    this.identifier =
        StandardCharsets.ISO_8859_1.decode(start.slice(1, BASE - 1)).toString().stripTrailing();
    this.mapPosition = start.getLong(BASE);
    char withChecksums = (char) start.get(BASE + Long.BYTES);
    if (withChecksums != 'Y' && withChecksums != 'N') {
      throw fault("expected 'Y' or 'N' at byte " + (BASE + Long.BYTES) + ": it is damaged");
    }
    this.checksums = withChecksums == 'Y';
    if (mapPosition == 0) {
      throw fault("was not closed by the program that wrote it: it has no map of its records");
    }
    long headerBytes = start.getInt(BASE + Long.BYTES + 1);
    if (headerBytes < 0 || headerBytes > size - FIXED) {
      throw fault(
          "is cut short or damaged: it claims a header of %s bytes, and %s bytes follow"
              .formatted(headerBytes, size - FIXED));
    }
    byte[] text = in.bytes(FIXED, (int) headerBytes, order, "the header").array();
    this.header = new String(text, StandardCharsets.UTF_8);

    long room = size - BASE - mapPosition - 2 * Long.BYTES - 1 - (checksums ? CHECKSUM : 0);
    if (mapPosition < 0 || room < 0) {
      throw fault(
          "is cut short: its map is claimed at byte %s of %s"
              .formatted(Long.toUnsignedString(BASE + mapPosition), size));
    }
    ByteBuffer counts = in.bytes(BASE + mapPosition, 2 * Long.BYTES, order, "the map");
    long records = counts.getLong(0);
    long keyBytes = counts.getLong(Long.BYTES);
    if (keyBytes < Integer.BYTES
        || keyBytes % Integer.BYTES != 0
        || keyBytes > room
        || records < 0
        || records > room / (keyBytes + Long.BYTES)
        || records * (keyBytes / Integer.BYTES) > Integer.MAX_VALUE - 8) {
      throw fault(
          ("is cut short or damaged: its map claims %s records with keys of %s bytes, "
                  + "and %s bytes follow")
              .formatted(Long.toUnsignedString(records), Long.toUnsignedString(keyBytes), room));
    }
    this.keyInts = (int) (keyBytes / Integer.BYTES);
    this.keys = new int[(int) records * keyInts];
    this.positions = new long[(int) records];
    readMap(in, counts, BASE + mapPosition + counts.capacity());
    this.sorted = sortedByKey();
  }

  /**
   * Opens a file: its header and its map.
   *
   * @throws DistillationException when it is no IOMap, was not closed, is cut short or damaged
   */
  public static IoMapFile open(Path path) {
    try (BinaryFile in = new BinaryFile(path, CUT_SHORT)) {
      return new IoMapFile(in);
    }
  }

  /** Whether the first 33 bytes of a file can be those of an IOMap with this identifier. */
  public static boolean isIoMap(byte[] beginning, String identifier) {
    return beginning.length >= BASE
        && (beginning[0] == 'L' || beginning[0] == 'B')
        && new String(beginning, 1, BASE - 1, StandardCharsets.ISO_8859_1)
            .stripTrailing()
            .equals(identifier);
  }

  private void readMap(BinaryFile in, ByteBuffer counts, long start) {
    CRC32 crc = new CRC32();
    crc.update(counts.duplicate().rewind());
    long at = start;
    ByteBuffer part = ByteBuffer.allocate(1 << 16).order(order);
    for (int done = 0; done < keys.length; ) {
      int count = Math.min(part.capacity() / Integer.BYTES, keys.length - done);
      in.fill(part.clear().limit(count * Integer.BYTES), at, "the keys of the map");
      crc.update(part.flip());
      part.flip().asIntBuffer().get(keys, done, count);
      done += count;
      at += part.limit();
    }
    for (int done = 0; done < positions.length; ) {
      int count = Math.min(part.capacity() / Long.BYTES, positions.length - done);
      in.fill(part.clear().limit(count * Long.BYTES), at, "the positions of the map");
      crc.update(part.flip());
      part.flip().asLongBuffer().get(positions, done, count);
      done += count;
      at += part.limit();
    }
    if (checksums) {
      if (in.bytes(at, CHECKSUM, order, "the checksum of the map").getInt()
          != (int) crc.getValue()) {
        throw fault("is damaged: the checksum of its map is wrong");
      }
      at += CHECKSUM;
    }
    if (in.bytes(at, 1, order, "the end of the map").get() != 'E') {
      throw fault("is damaged: its map does not end with 'E' at byte " + at);
    }
  }

  private int[] sortedByKey() {
    boolean ascending = IntStream.range(1, positions.length).allMatch(k -> compare(k - 1, k) < 0);
    return ascending
        ? new int[0]
        : IntStream.range(0, positions.length)
            .boxed()
            .sorted((Comparator<Integer>) this::compare)
            .mapToInt(Integer::intValue)
            .toArray();
  }

  private int compare(int one, int other) {
    return Arrays.compareUnsigned(
        keys, one * keyInts, (one + 1) * keyInts, keys, other * keyInts, (other + 1) * keyInts);
  }

  /** What kind of data the file holds, as {@code Laph--QuarkPeramb}. */
  public String identifier() {
    return identifier;
  }

  /** The header, a text in XML. */
  public String header() {
    return header;
  }

  /** The order of bytes in records. */
  public ByteOrder order() {
    return order;
  }

  /** Where the file lies. */
  public Path path() {
    return path;
  }

  /** Number of records. */
  public int records() {
    return positions.length;
  }

  /** Numbers of 32 bits in a key. */
  public int keyInts() {
    return keyInts;
  }

  /** The key of record {@code k}, in the order of the file. */
  public int[] key(int k) {
    return Arrays.copyOfRange(keys, k * keyInts, (k + 1) * keyInts);
  }

  /** The number of the record with a key, found by bisection; -1 when there is none. */
  public int find(int... key) {
    int low = 0;
    int high = positions.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int record = sorted.length == 0 ? middle : sorted[middle];
      int compared =
          Arrays.compareUnsigned(
              keys, record * keyInts, (record + 1) * keyInts, key, 0, key.length);
      if (compared == 0) {
        return record;
      }
      if (compared < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** A file that is open for several records. */
  public final class Reader implements AutoCloseable {
    private final BinaryFile in = new BinaryFile(path, CUT_SHORT);

    private Reader() {}

    /**
     * The bytes of record {@code k}, in the file's order.
     *
     * @param bytes how many there must be
     * @throws DistillationException when there is another number of them, or the checksum is wrong
     */
    public ByteBuffer record(int k, int bytes) {
      long position = positions[k];
      int whole = Long.BYTES + bytes + (checksums ? CHECKSUM : 0);
      String what = "record " + k + " of " + positions.length;
      if (position < 0 || position > mapPosition - whole) {
        throw fault(
            "is damaged: %s with %s bytes is claimed at position %s, the map at %s"
                .formatted(what, bytes, Long.toUnsignedString(position), mapPosition));
      }
      ByteBuffer record = in.bytes(BASE + position, whole, order, what);
      if (record.getLong(0) != bytes) {
        throw fault(
            "%s has %s bytes, expected %s"
                .formatted(what, Long.toUnsignedString(record.getLong(0)), bytes));
      }
      if (checksums) {
        CRC32 crc = new CRC32();
        crc.update(record.slice(0, Long.BYTES + bytes));
        if (record.getInt(Long.BYTES + bytes) != (int) crc.getValue()) {
          throw fault("is damaged: the checksum of " + what + " is wrong");
        }
      }
      return record.position(Long.BYTES).limit(Long.BYTES + bytes).slice().order(order);
    }

    /** The bytes that record {@code k} claims to have. */
    public long size(int k) {
      long position = positions[k];
      if (position < 0 || position > mapPosition - Long.BYTES) {
        throw fault("is damaged: record " + k + " of " + positions.length + " lies outside");
      }
      return in.bytes(BASE + position, Long.BYTES, order, "record " + k).getLong();
    }

    @Override
    public void close() {
      in.close();
    }
  }

  /** Opens the file for reading records. */
  public Reader reader() {
    return new Reader();
  }

  /** A message about this file. */
  public DistillationException fault(String what) {
    return new DistillationException(path + ": " + Printable.of(what));
  }
}
