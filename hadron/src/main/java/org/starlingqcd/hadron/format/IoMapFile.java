package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A file of the container IOMap with keys of one integer, in either order of bytes, with or without
 * checksums.
 *
 * <p>Byte 0 is {@code L} or {@code B}, the order of bytes; 32 bytes hold an identifier. All
 * positions count from the byte after these 33. There stand the position of the map, {@code Y} or
 * {@code N} for checksums, and the header, a text in XML with its length. A record is its size, its
 * bytes and its CRC-32. The map is the number of records, the size of a key, all keys, all
 * positions and a CRC-32; {@code E} ends the file.
 *
 * <p>Opening reads the header and the map, which takes 16 bytes for each record and 12 more
 * meanwhile; every count is compared with the size of the file before memory is taken for it.
 * Thread-safe: the file is open only while it is read.
 */
final class IoMapFile extends FileFaults {
  private static final int BASE = 33;
  private static final int FIXED = BASE + Long.BYTES + 1 + Integer.BYTES;
  private static final int CHECKSUM = Integer.BYTES;

  /** Bytes of the map for a record. */
  private static final int ENTRY = Integer.BYTES + Long.BYTES;

  private static final String CUT_SHORT = "is cut short in %s";

  private final ByteOrder order;
  private final String identifier;
  private final String header;
  private final boolean checksums;
  private final long mapPosition;
  private final long[] positions;

  /** Keys in ascending order, with the number of the record in the lower 32 bits. */
  private final long[] sorted;

  private IoMapFile(BinaryFile in) {
    super(in.path());
    long size = in.size();
    ByteBuffer start = in.bytes(0, FIXED, ByteOrder.BIG_ENDIAN, "the header");
    char mark = (char) start.get(0);
    check(mark == 'L' || mark == 'B', "is not an IOMap: its first byte is neither 'L' nor 'B'");
    this.order = mark == 'L' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    start.order(order);
    byte[] beginning = new byte[BASE];
    start.get(0, beginning);
    this.identifier = identifier(beginning);
    this.mapPosition = start.getLong(BASE);
    char withChecksums = (char) start.get(BASE + Long.BYTES);
    check(
        withChecksums == 'Y' || withChecksums == 'N',
        "expected 'Y' or 'N' at byte %s: it is damaged",
        BASE + Long.BYTES);
    this.checksums = withChecksums == 'Y';
    check(
        mapPosition != 0,
        "was not closed by the program that wrote it: it has no map of its records");
    int headerBytes = start.getInt(BASE + Long.BYTES + 1);
    check(
        headerBytes >= 0 && headerBytes <= size - FIXED,
        "is cut short or damaged: it claims a header of %s bytes, and %s bytes follow",
        headerBytes,
        size - FIXED);
    this.header =
        StandardCharsets.UTF_8.decode(in.bytes(FIXED, headerBytes, order, "the header")).toString();

    long room = size - BASE - mapPosition - 2 * Long.BYTES - 1 - (checksums ? CHECKSUM : 0);
    check(
        mapPosition >= 0 && room >= 0,
        "is cut short: its map is claimed at byte %s of %s",
        Long.toUnsignedString(BASE + mapPosition),
        size);
    long at = BASE + mapPosition;
    ByteBuffer counts = in.bytes(at, 2 * Long.BYTES, order, "the map");
    long records = counts.getLong(0);
    long keyBytes = counts.getLong(Long.BYTES);
    check(
        keyBytes == Integer.BYTES
            && records >= 0
            && records <= Math.min(room, Integer.MAX_VALUE - 64) / ENTRY,
        "is cut short or damaged: its map claims %s records with keys of %s bytes, expected keys of"
            + " 4, and %s bytes follow",
        Long.toUnsignedString(records),
        Long.toUnsignedString(keyBytes),
        room);
    this.positions = new long[(int) records];
    this.sorted = new long[(int) records];
    int bytes = 2 * Long.BYTES + positions.length * ENTRY;
    int end = bytes + (checksums ? CHECKSUM : 0);
    ByteBuffer map = in.bytes(at, end + 1, order, "the map").position(2 * Long.BYTES);
    checkSound(
        !checksums || BinaryFile.crc(map.slice(0, bytes)) == map.getInt(bytes),
        "the checksum of its map is wrong");
    checkSound(map.get(end) == 'E', "its map does not end with 'E' at byte %s", at + end);
    for (int k = 0; k < positions.length; k++) {
      sorted[k] = Integer.toUnsignedLong(map.getInt()) << 32 | k;
    }
    map.asLongBuffer().get(positions);
    Arrays.sort(sorted);
  }

  private static String identifier(byte[] beginning) {
    return new String(beginning, 1, BASE - 1, StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /**
   * Opens a file: its header and its map.
   *
   * @throws DistillationException when it is no IOMap, was not closed, is cut short or damaged
   */
  static IoMapFile open(Path path) {
    try (BinaryFile in = new BinaryFile(path, CUT_SHORT)) {
      return new IoMapFile(in);
    }
  }

  /** Whether the first 33 bytes of a file can be those of an IOMap with this identifier. */
  static boolean isIoMap(byte[] beginning, String identifier) {
    return beginning.length >= BASE
        && (beginning[0] == 'L' || beginning[0] == 'B')
        && identifier(beginning).equals(identifier);
  }

  /** What kind of data the file holds, as {@code Laph--QuarkPeramb}. */
  String identifier() {
    return identifier;
  }

  /** The header, a text in XML. */
  String header() {
    return header;
  }

  /** Number of records. */
  int records() {
    return positions.length;
  }

  /** The keys, in ascending order as signed numbers. */
  IntStream keys() {
    return Arrays.stream(sorted).mapToInt(entry -> (int) (entry >>> 32));
  }

  /**
   * The bytes of the record with a key, in the file's order.
   *
   * @param in the file, open
   * @param bytes how many there must be
   * @throws DistillationException when there is another number of them, the checksum is wrong, or
   *     there is no such record
   */
  ByteBuffer record(BinaryFile in, int key, int bytes) {
    long wanted = Integer.toUnsignedLong(key) << 32;
    int found = Arrays.binarySearch(sorted, wanted);
    int at = found < 0 ? -1 - found : found;
    check(
        at < sorted.length && (int) (sorted[at] >>> 32) == key,
        "has no record with key %s",
        Integer.toUnsignedString(key));
    int k = (int) sorted[at];
    long position = positions[k];
    int whole = Long.BYTES + bytes + (checksums ? CHECKSUM : 0);
    String what = "record " + k + " of " + positions.length;
    check(
        position >= 0 && position <= mapPosition - whole,
        "is damaged: %s with %s bytes is claimed at position %s, the map at %s",
        what,
        bytes,
        Long.toUnsignedString(position),
        mapPosition);
    ByteBuffer record = in.bytes(BASE + position, whole, order, what);
    check(
        record.getLong(0) == bytes,
        "%s has %s bytes, expected %s",
        what,
        Long.toUnsignedString(record.getLong(0)),
        bytes);
    ByteBuffer numbers = record.slice(Long.BYTES, bytes).order(order);
    check(
        !checksums
            || BinaryFile.crc(record.slice(0, Long.BYTES + bytes))
                == record.getInt(Long.BYTES + bytes),
        "is damaged: the checksum of %s is wrong",
        what);
    return numbers;
  }

  /** The bytes that the first record of the file claims to have. */
  long firstSize(BinaryFile in) {
    check(
        positions[0] >= 0 && positions[0] <= mapPosition - Long.BYTES,
        "is damaged: record 0 of %s lies outside",
        positions.length);
    return in.bytes(BASE + positions[0], Long.BYTES, order, "record 0").getLong();
  }

  /**
   * Writes the vector of n complex numbers with a key.
   *
   * @param in the file, open
   * @param at where the first number goes, in doubles
   * @param step doubles from one number to the next
   */
  void vector(BinaryFile in, int key, int n, double[] target, int at, int step) {
    ByteBuffer numbers = record(in, key, Integer.BYTES + 2 * Double.BYTES * n);
    int count = numbers.getInt();
    check(count == n, "the record with key %s claims %s numbers, its size says %s", key, count, n);
    for (int k = 0; k < n; k++) {
      target[at + k * step] = numbers.getDouble();
      target[at + k * step + 1] = numbers.getDouble();
    }
  }

  /** Opens the file for {@link #record} and {@link #firstSize}. */
  BinaryFile reading() {
    return new BinaryFile(path(), CUT_SHORT);
  }
}
