package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Printable;

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

  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([\\d,\\sL]*)\\)");

  /** Whether the first bytes of a file are those of the format. */
  public static boolean isMagic(byte[] beginning) {
    return beginning.length >= MAGIC.length
        && Arrays.equals(beginning, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Reads the header of a file.
   *
   * @throws DistillationException when it is not of this format, holds no floating-point numbers,
   *     or is cut short
   */
  public static NpyFile open(Path path) {
    try (BinaryFile file = new BinaryFile(path, "is cut short in the header of a .npy file")) {
      ByteBuffer fixed = read(file, 0, 8);
      byte[] magic = new byte[MAGIC.length];
      fixed.get(0, magic);
      if (!isMagic(magic)) {
        throw file.fault("is not a .npy file: its first bytes differ");
      }
      int version = fixed.get(6);
      if (version < 1 || version > 3) {
        throw file.fault(
            "version " + version + " of the .npy format is not known, expected 1, 2 or 3");
      }
      int lengthBytes = version == 1 ? 2 : 4;
      ByteBuffer length = read(file, 8, lengthBytes);
      long headerBytes =
          version == 1 ? length.getShort() & 0xffff : Integer.toUnsignedLong(length.getInt());
      if (headerBytes > LONGEST_HEADER) {
        throw file.fault(
            "the header of a .npy file has at most %s bytes, this one claims %s"
                .formatted(LONGEST_HEADER, headerBytes));
      }
      int start = 8 + lengthBytes;
      String header =
          new String(read(file, start, (int) headerBytes).array(), StandardCharsets.UTF_8);
      boolean columnMajor = find(ORDER, header, "fortran_order", path).equals("True");
      long[] extents = shape(find(SHAPE, header, "shape", path), path);
      if (columnMajor) {
        reverse(extents);
      }
      String descr = find(DESCR, header, "descr", path);
      NumberType type =
          NumberType.of(descr, ByteOrder.nativeOrder())
              .orElseThrow(
                  () ->
                      file.fault(
                          "holds numbers of type '%s', expected c16, c8, f8 or f4"
                              .formatted(Printable.of(descr))));
      return new NpyFile(new FlatArray(path, start + headerBytes, type, extents), columnMajor);
    }
  }

  private static ByteBuffer read(BinaryFile file, long position, int size) {
    return file.bytes(position, size, ByteOrder.LITTLE_ENDIAN, "");
  }

  private static String find(Pattern pattern, String header, String key, Path path) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new DistillationException(
          path + ": the header of the .npy file has no '" + key + "' that can be read");
    }
    return matcher.group(1);
  }

  private static long[] shape(String text, Path path) {
    try {
      long[] extents =
          Arrays.stream(text.replace("L", "").split(","))
              .map(String::strip)
              .filter(extent -> !extent.isEmpty())
              .mapToLong(Long::parseLong)
              .toArray();
      if (extents.length <= MOST_AXES) {
        return extents;
      }
    } catch (NumberFormatException e) {
      // It is told below.
    }
    throw new DistillationException(
        path + ": the shape (" + Printable.of(text) + ") of the .npy file is not one of an array");
  }

  private static void reverse(long[] extents) {
    for (int k = 0; k < extents.length / 2; k++) {
      long other = extents[extents.length - 1 - k];
      extents[extents.length - 1 - k] = extents[k];
      extents[k] = other;
    }
  }
}
