package org.starlingqcd.elementals.vectors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.format.BinaryFile;

/**
 * Eigenvectors in Chroma's MOD files, which QDP++ calls MapObjectDisk ({@code qdp_map_obj_disk.h}).
 * All numbers are big-endian. The file begins with the text {@code XXXXQDPLazyDiskMapObjFileXXXX},
 * a version, XML of the user and the position of the map; the map has for each key its position.
 * Keys are time slice and vector; a value is the sites with x fastest, then the colour, in single
 * or double precision, and its CRC-32.
 */
final class ModEigenvectors implements Eigenvectors {
  private static final String MAGIC = "XXXXQDPLazyDiskMapObjFileXXXX";
  private static final int VERSION = 1;
  private static final int MOST_XML = 1 << 26;
  private static final int MOST_RECORDS = 1 << 24;
  private static final int KEY_BYTES = 8;
  private static final int LARGEST_VALUE = Integer.MAX_VALUE - 64;

  private record Key(int time, int vector) {}

  private final BinaryFile file;
  private final VectorHeader header;
  private final Map<Key, Long> positions = new HashMap<>();
  private final int componentBytes;

  private ModEigenvectors(BinaryFile file, String ensemble, long configuration) {
    this.file = file;
    int magicLength = read(0, 4).getInt();
    if (magicLength != MAGIC.length()
        || !StandardCharsets.US_ASCII.decode(read(4, magicLength)).toString().equals(MAGIC)) {
      throw file.fault("is not a MOD file: its first bytes differ");
    }
    long at = 4L + magicLength;
    int version = read(at, 4).getInt();
    if (version != VERSION) {
      throw file.fault(
          "version " + version + " of the MOD format is not known, expected " + VERSION);
    }
    int xml = read(at + 4, 4).getInt();
    if (xml < 0 || xml > MOST_XML) {
      throw file.fault("the text of the user claims " + xml + " bytes");
    }
    long map = read(at + 8 + xml + 8, 8).getLong();
    readMap(map);
    TreeSet<Long> ordered = new TreeSet<>(positions.values());
    int times = positions.keySet().stream().mapToInt(Key::time).max().orElse(-1) + 1;
    int vectors = positions.keySet().stream().mapToInt(Key::vector).max().orElse(-1) + 1;
    if (positions.size() != (long) times * vectors || positions.isEmpty()) {
      throw file.fault(
          "has "
              + positions.size()
              + " vectors, expected the same number for each of "
              + times
              + " time slices, with keys of a time slice and a vector");
    }
    long first = ordered.first();
    Long second = ordered.higher(first);
    long value = (second == null ? map : second) - first - 4;
    long l = 0;
    int component = 0;
    for (int bytes : new int[] {8, 4}) {
      long side = Math.round(Math.cbrt(value / (6.0 * bytes)));
      if (side > 0 && side * side * side * 6 * bytes == value) {
        l = side;
        component = bytes;
      }
    }
    if (l == 0) {
      throw file.fault(
          "a vector of " + value + " bytes is not one of L^3 sites with three colours");
    }
    componentBytes = component;
    if (value > LARGEST_VALUE) {
      throw file.fault("a vector of " + value + " bytes is too large, at most 2 GiB are read");
    }
    header = VectorHeader.of(file.path().toString(), ensemble, configuration, l, times, vectors);
  }

  private void readMap(long map) {
    int records = read(map, 4).getInt();
    if (records < 0 || records > MOST_RECORDS) {
      throw file.fault("the map claims " + records + " records");
    }
    CRC32 crc = new CRC32();
    long at = map;
    crc.update(read(at, 4));
    at += 4;
    for (int k = 0; k < records; k++) {
      ByteBuffer record = read(at, 4 + KEY_BYTES + 16);
      crc.update(record.duplicate());
      int length = record.getInt();
      if (length != KEY_BYTES) {
        throw file.fault(
            "a key has "
                + length
                + " bytes, expected 8: a time slice and a vector; files with one key a vector are"
                + " older and are not read");
      }
      Key key = new Key(record.getInt(), record.getInt());
      if (key.time < 0
          || key.time >= DistillationHeader.MAX_EXTENT
          || key.vector < 0
          || key.vector >= DistillationHeader.MAX_EIGENVECTORS) {
        throw file.fault(
            "the key of time " + key.time + " and vector " + key.vector + " is damaged");
      }
      record.getLong();
      positions.put(key, record.getLong());
      at += record.capacity();
    }
    int stored = read(at, 4).getInt();
    if (stored != (int) crc.getValue()) {
      throw file.fault("the checksum of the map is wrong; copy the file again");
    }
  }

  static ModEigenvectors open(Path path, String ensemble, long configuration) {
    return BinaryFile.reading(
        new BinaryFile(path, "is cut short: end of file at byte %2$s"),
        file -> new ModEigenvectors(file, ensemble, configuration));
  }

  /** Whether a file begins like one of this format. */
  static boolean isMagic(byte[] beginning) {
    byte[] magic = MAGIC.getBytes(StandardCharsets.US_ASCII);
    return beginning.length >= 4 + magic.length
        && beginning[3] == magic.length
        && Arrays.equals(beginning, 4, 4 + magic.length, magic, 0, magic.length);
  }

  private ByteBuffer read(long position, int size) {
    return file.bytes(position, size, ByteOrder.BIG_ENDIAN, "");
  }

  @Override
  public VectorHeader header() {
    return header;
  }

  @Override
  public void read(int time, int first, int count, double[] target) {
    int numbers = 6 * header.volume();
    for (int v = 0; v < count; v++) {
      Long position = positions.get(new Key(time, first + v));
      if (position == null) {
        throw file.fault("has no vector " + (first + v) + " at time " + time);
      }
      ByteBuffer value = read(position, numbers * componentBytes + 4);
      CRC32 crc = new CRC32();
      crc.update(value.slice(0, numbers * componentBytes));
      if (value.getInt(numbers * componentBytes) != (int) crc.getValue()) {
        throw file.fault(
            "the checksum of vector "
                + (first + v)
                + " at time "
                + time
                + " is wrong; copy the file again");
      }
      for (int k = 0; k < numbers; k++) {
        target[v * numbers + k] =
            componentBytes == Double.BYTES ? value.getDouble() : value.getFloat();
      }
    }
  }

  @Override
  public String name() {
    return file.path().toString();
  }

  @Override
  public void close() {
    file.close();
  }
}
