package org.starlingqcd.elementals.vectors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
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
  private static final int RECORD_BYTES = 4 + KEY_BYTES + 16;
  private static final int LARGEST_VALUE = Integer.MAX_VALUE - 64;

  private record Key(int time, int vector) {}

  private final BinaryFile file;
  private final VectorHeader header;
  private final Map<Key, Long> positions = new HashMap<>();
  private final int componentBytes;

  private ModEigenvectors(BinaryFile file, String ensemble, long configuration) {
    this.file = file;
    int magicLength = read(0, 4).getInt();
    file.check(
        magicLength == MAGIC.length()
            && StandardCharsets.US_ASCII.decode(read(4, magicLength)).toString().equals(MAGIC),
        "is not a MOD file: its first bytes differ");
    long at = 4L + magicLength;
    int version = read(at, 4).getInt();
    file.check(
        version == VERSION,
        "version %s of the MOD format is not known, expected %s",
        version,
        VERSION);
    int xml = read(at + 4, 4).getInt();
    file.check(xml >= 0 && xml <= MOST_XML, "the text of the user claims %s bytes", xml);
    long map = read(at + 8 + xml + 8, 8).getLong();
    readMap(map);
    TreeSet<Long> ordered = new TreeSet<>(positions.values());
    int times = positions.keySet().stream().mapToInt(Key::time).max().orElse(-1) + 1;
    int vectors = positions.keySet().stream().mapToInt(Key::vector).max().orElse(-1) + 1;
    file.check(
        positions.size() == (long) times * vectors && !positions.isEmpty(),
        "has %s vectors, expected the same number for each of %s time slices, with keys of a time"
            + " slice and a vector",
        positions.size(),
        times);
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
    file.check(l != 0, "a vector of %s bytes is not one of L^3 sites with three colours", value);
    componentBytes = component;
    file.check(
        value <= LARGEST_VALUE, "a vector of %s bytes is too large, at most 2 GiB are read", value);
    header = VectorHeader.of(file.path().toString(), ensemble, configuration, l, times, vectors);
  }

  private void readMap(long map) {
    int records = read(map, 4).getInt();
    file.check(records >= 0 && records <= MOST_RECORDS, "the map claims %s records", records);
    int bytes = 4 + records * RECORD_BYTES;
    ByteBuffer all = read(map, bytes + 4).position(4);
    for (int k = 0; k < records; k++) {
      int length = all.getInt();
      file.check(
          length == KEY_BYTES,
          "a key has %s bytes, expected 8: a time slice and a vector; files with one key a vector are"
              + " older and are not read",
          length);
      Key key = new Key(all.getInt(), all.getInt());
      file.check(
          key.time >= 0
              && key.time < DistillationHeader.MAX_EXTENT
              && key.vector >= 0
              && key.vector < DistillationHeader.MAX_EIGENVECTORS,
          "the key of time %s and vector %s is damaged",
          key.time,
          key.vector);
      all.getLong();
      positions.put(key, all.getLong());
    }
    file.check(
        all.getInt() == BinaryFile.crc(all.slice(0, bytes)),
        "the checksum of the map is wrong; copy the file again");
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
        throw file.fault("has no vector %s at time %s", first + v, time);
      }
      ByteBuffer value = read(position, numbers * componentBytes + 4);
      file.check(
          value.getInt(numbers * componentBytes)
              == BinaryFile.crc(value.slice(0, numbers * componentBytes)),
          "the checksum of vector %s at time %s is wrong; copy the file again",
          first + v,
          time);
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
