package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes {@code .npy} files, for tests. */
public final class NpyWriter {
  private NpyWriter() {}

  /**
   * Writes doubles as numbers of a type such as {@code <c16}.
   *
   * @param numbers row-major, two for a complex number
   */
  public static Path write(Path path, String type, long[] extents, double[] numbers) {
    String shape =
        Arrays.stream(extents).mapToObj(Long::toString).collect(Collectors.joining(", "));
    String header =
        "{'descr': '"
            + type
            + "', 'fortran_order': False, 'shape': ("
            + shape
            + (extents.length == 1 ? ",), }" : "), }");
    int padding = 64 - (10 + header.length() + 1) % 64;
    byte[] text = (header + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] values = values(type, numbers);
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + text.length + values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) 1).put((byte) 0).putShort((short) text.length).put(text).put(values);
    return write(path, bytes.array());
  }

  /** Writes numbers without a header. */
  public static Path writeRaw(Path path, String type, double[] numbers) {
    return write(path, values(type, numbers));
  }

  private static Path write(Path path, byte[] bytes) {
    try {
      return Files.write(path, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] values(String type, double[] numbers) {
    boolean single = type.endsWith("c8") || type.endsWith("f4");
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * (single ? 4 : 8));
    bytes.order(type.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (double number : numbers) {
      if (single) {
        bytes.putFloat((float) number);
      } else {
        bytes.putDouble(number);
      }
    }
    return bytes.array();
  }
}
