package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A file of NumPy's format {@code .npy}, versions 1 to 3 (numpy.org/neps/nep-0001-npy-format.html):
 * the magic bytes, the version, the length of the header, the header as a Python dictionary, the
 * numbers.
 *
 * @param array the numbers, row-major; with {@code columnMajor} the axes stand in reversed order
 * @param columnMajor whether the file is in Fortran's order
 */
public record NpyFile(FlatArray array, boolean columnMajor) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** NumPy's own headers have 118 bytes; more than this is no header. */
  private static final int LONGEST_HEADER = 1 << 16;

  private static final int MOST_AXES = 32;

  /** Whether the first bytes of a file are those of the format. */
  public static boolean isMagic(byte[] beginning) {
    return beginning.length >= MAGIC.length
        && Arrays.equals(beginning, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** A header of version 1.0 for complex numbers in row-major order, with at least two axes. */
  public static byte[] header(int... extents) {
    String dictionary =
        "{'descr': '<c16', 'fortran_order': False, 'shape': (%s), }"
            .formatted(Arrays.toString(extents).replaceAll("[\\[\\]]", ""));
    int length = (10 + dictionary.length() + 1 + 63) / 64 * 64 - 10;
    String text = dictionary + " ".repeat(length - dictionary.length() - 1) + "\n";
    return ByteBuffer.allocate(10 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(new byte[] {1, 0})
        .putShort((short) length)
        .put(text.getBytes(StandardCharsets.US_ASCII))
        .array();
  }

  /**
   * Reads the header of a file.
   *
   * @throws DistillationException when it is not of this format, holds no floating-point numbers,
   *     or is cut short
   */
  public static NpyFile open(Path path) {
    try (BinaryFile file = new BinaryFile(path, "is cut short in the header of a .npy file")) {
      byte[] fixed = read(file, 0, 8).array();
      file.check(isMagic(fixed), "is not a .npy file: its first bytes differ");
      int version = fixed[6];
      file.check(
          version >= 1 && version <= 3,
          "version %s of the .npy format is not known, expected 1, 2 or 3",
          version);
      int lengthBytes = version == 1 ? 2 : 4;
      ByteBuffer length = read(file, 8, lengthBytes);
      long headerBytes =
          version == 1 ? length.getShort() & 0xffff : Integer.toUnsignedLong(length.getInt());
      file.check(
          headerBytes <= LONGEST_HEADER,
          "the header of a .npy file has at most %s bytes, this one claims %s",
          LONGEST_HEADER,
          headerBytes);
      int start = 8 + lengthBytes;
      String header =
          new String(read(file, start, (int) headerBytes).array(), StandardCharsets.UTF_8);
      boolean columnMajor = find(file, header, "fortran_order", "(True|False)").equals("True");
      List<Long> extents = shape(file, find(file, header, "shape", "\\(([\\d,\\sL]*)\\)"));
      if (columnMajor) {
        Collections.reverse(extents);
      }
      String descr = find(file, header, "descr", "'([^']*)'");
      FlatArray.NumberType type =
          FlatArray.NumberType.of(descr, ByteOrder.nativeOrder())
              .orElseThrow(
                  () ->
                      file.fault("holds numbers of type '%s', expected c16, c8, f8 or f4", descr));
      long[] shape = extents.stream().mapToLong(Long::longValue).toArray();
      return new NpyFile(new FlatArray(path, start + headerBytes, type, shape), columnMajor);
    }
  }

  private static ByteBuffer read(BinaryFile file, long position, int size) {
    return file.bytes(position, size, ByteOrder.LITTLE_ENDIAN, "");
  }

  private static String find(BinaryFile file, String header, String key, String value) {
    Matcher matcher = Pattern.compile("'" + key + "'\\s*:\\s*" + value).matcher(header);
    file.check(matcher.find(), "the header of the .npy file has no '%s' that can be read", key);
    return matcher.group(1);
  }

  private static List<Long> shape(BinaryFile file, String text) {
    List<String> extents =
        Arrays.stream(text.replace("L", "").split(","))
            .map(String::strip)
            .filter(extent -> !extent.isEmpty())
            .toList();
    file.check(
        extents.size() <= MOST_AXES && extents.stream().allMatch(e -> e.matches("\\d{1,18}")),
        "the shape (%s) of the .npy file is not one of an array",
        text);
    return new ArrayList<>(extents.stream().map(Long::valueOf).toList());
  }
}
