package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationException;

final class FlatArrayTest {
  @TempDir Path folder;

  private static double[] counting(int size) {
    double[] numbers = new double[size];
    Arrays.setAll(numbers, k -> k + 0.5);
    return numbers;
  }

  /** The box of an array in memory, by definition. */
  private static double[] box(double[] all, long[] extents, long[] start, long[] count, int parts) {
    double[] result = new double[(int) NumberArray.size(count) * parts];
    long[] at = new long[extents.length];
    for (int k = 0; k < result.length / parts; k++) {
      long rest = k;
      for (int axis = extents.length - 1; axis >= 0; axis--) {
        at[axis] = start[axis] + rest % count[axis];
        rest /= count[axis];
      }
      long from = 0;
      for (int axis = 0; axis < extents.length; axis++) {
        from = from * extents[axis] + at[axis];
      }
      System.arraycopy(all, (int) from * parts, result, k * parts, parts);
    }
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"<c16", ">c16", "<c8", ">c8", "<f8", ">f8", "<f4", ">f4"})
  void read_anyBox_isThatOfTheArray(String type) {
    Random random = new Random(3);
    int parts = type.contains("c") ? 2 : 1;
    long[] extents = {3, 1, 5, 4, 30, 7};
    double[] all = counting((int) NumberArray.size(extents) * parts);
    NpyFile file = NpyFile.open(NpyWriter.write(folder.resolve("a.npy"), type, extents, all));
    assertFalse(file.columnMajor());
    assertArrayEquals(extents, file.array().extents());
    assertEquals(parts == 2, file.array().isComplex());
    NumberArray raw =
        FlatArray.raw(
            NpyWriter.writeRaw(folder.resolve("a.raw"), type, all),
            0,
            FlatArray.NumberType.of(type, ByteOrder.LITTLE_ENDIAN).orElseThrow(),
            extents);
    for (int round = 0; round < 50; round++) {
      long[] start = new long[extents.length];
      long[] count = new long[extents.length];
      for (int axis = 0; axis < extents.length; axis++) {
        start[axis] = random.nextInt((int) extents[axis]);
        count[axis] = 1L + random.nextInt((int) (extents[axis] - start[axis]));
      }
      double[] expected = box(all, extents, start, count, parts);
      double[] found = new double[expected.length];
      file.array().read(start, count, found);
      assertArrayEquals(expected, found);
      raw.read(start, count, found);
      assertArrayEquals(expected, found);
    }
  }

  /** A box much longer than the buffer, of pieces shorter and longer than a page. */
  @Test
  void read_longBoxes_isThatOfTheArray() {
    long[] extents = {3, 400, 5, 60};
    double[] all = counting((int) NumberArray.size(extents) * 2);
    FlatArray array =
        NpyFile.open(NpyWriter.write(folder.resolve("a.npy"), "<c16", extents, all)).array();
    for (long[] count : new long[][] {{3, 400, 5, 60}, {2, 399, 1, 60}, {2, 399, 5, 1}}) {
      double[] found = new double[(int) NumberArray.size(count) * 2];
      long[] start = {1, 1, 2, 7};
      for (int axis = 0; axis < 4; axis++) {
        start[axis] = Math.min(start[axis], extents[axis] - count[axis]);
      }
      array.read(start, count, found);
      assertArrayEquals(box(all, extents, start, count, 2), found);
    }
  }

  /** Byte by byte what NumPy writes for {@code np.asfortranarray([[1, 2, 3], [4, 5, 6j]])}. */
  @Test
  void open_columnMajor_reversesAxes() throws IOException {
    String header = "{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3), }";
    ByteBuffer bytes = ByteBuffer.allocate(128 + 96).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(Base64.getDecoder().decode("k05VTVBZAQA=")).putShort((short) 118);
    bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.UTF_8));
    for (double re : new double[] {1, 4, 2, 5, 3}) {
      bytes.putDouble(re).putDouble(0);
    }
    bytes.putDouble(0).putDouble(6);
    NpyFile file = NpyFile.open(Files.write(folder.resolve("f.npy"), bytes.array()));
    assertTrue(file.columnMajor());
    assertArrayEquals(new long[] {3, 2}, file.array().extents());
    double[] found = new double[2];
    file.array().read(new long[] {2, 1}, new long[] {1, 1}, found);
    assertArrayEquals(new double[] {0, 6}, found);
  }

  private String message(byte[] bytes) throws IOException {
    Path path = Files.write(folder.resolve("bad.npy"), bytes);
    String message = TestData.refusal(() -> NpyFile.open(path));
    assertTrue(message.startsWith(path + ": "), message);
    return message;
  }

  @Test
  void open_cutAnywhere_isOneMessage() throws IOException {
    Path path = NpyWriter.write(folder.resolve("a.npy"), "<c16", new long[] {2, 2}, counting(8));
    byte[] whole = Files.readAllBytes(path);
    for (int length = 0; length < whole.length; length++) {
      String message = message(Arrays.copyOf(whole, length));
      assertTrue(message.contains("is cut short"), message);
    }
  }

  private byte[] withHeader(String header) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(10 + text.length + 64).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(Base64.getDecoder().decode("k05VTVBZAQA=")).putShort((short) text.length).put(text);
    return bytes.array();
  }

  @Test
  void open_hostileHeaders_areOneMessage() throws IOException {
    String end = ", 'fortran_order': False, 'shape': ";
    assertTrue(message(withHeader("{'descr': '|O'" + end + "(1,), }")).contains("'|O'"));
    assertTrue(message(withHeader("{'descr': '<i8'" + end + "(1,), }")).contains("'<i8'"));
    assertTrue(message(withHeader("{'descr': '<c8'" + end + "(-1,), }")).contains("'shape'"));
    assertTrue(
        message(withHeader("{'descr': '<c8'" + end + "(99999999999999999999,)}"))
            .contains("shape"));
    assertTrue(
        message(withHeader("{'descr': '<c8'" + end + "(4294967296, 4294967296)}"))
            .contains("more than 2^63"));
    assertTrue(
        message(withHeader("{'descr': '<c8'" + end + "(" + "1,".repeat(40) + ")}"))
            .contains("shape"));
    assertTrue(message(withHeader("import os")).contains("fortran_order"));
    byte[] version2 = withHeader("{'descr': '<c8'" + end + "(1,)}");
    version2[6] = 2;
    version2[10] = 127;
    version2[11] = 127;
    assertTrue(message(version2).contains("claims 2139029"), message(version2));
    version2[6] = 9;
    assertTrue(message(version2).contains("version 9"));
    assertTrue(message(new byte[100]).contains("is not a .npy file"));
  }

  @Test
  void raw_otherSize_isOneMessage() {
    Path path = NpyWriter.writeRaw(folder.resolve("a.raw"), "<c16", counting(8));
    FlatArray.NumberType type =
        FlatArray.NumberType.of("c16", ByteOrder.LITTLE_ENDIAN).orElseThrow();
    for (long[] extents : new long[][] {{5}, {3}, {Long.MAX_VALUE, 2}}) {
      String message = TestData.refusal(() -> FlatArray.raw(path, 0, type, extents));
      assertTrue(message.contains("another shape"), message);
    }
    assertTrue(
        TestData.refusal(() -> FlatArray.raw(folder.resolve("no"), 0, type, new long[] {1}))
            .endsWith("no such file"));
  }

  @Test
  void complexArrays_ofReals_arePairs() {
    double[] parts = counting(24);
    NumberArray last =
        NumberArray.lastAxis(
            NpyFile.open(
                    NpyWriter.write(folder.resolve("p.npy"), ">f4", new long[] {3, 4, 2}, parts))
                .array());
    assertArrayEquals(new long[] {3, 4}, last.extents());
    double[] found = new double[4];
    last.read(new long[] {1, 2}, new long[] {1, 2}, found);
    assertArrayEquals(Arrays.copyOfRange(parts, 12, 16), found);

    NumberArray re =
        NpyFile.open(
                NpyWriter.write(
                    folder.resolve("re.npy"), "<f8", new long[] {2}, new double[] {1, 3}))
            .array();
    NumberArray im =
        NpyFile.open(
                NpyWriter.write(
                    folder.resolve("im.npy"), "<f8", new long[] {2}, new double[] {2, 4}))
            .array();
    NumberArray split = NumberArray.split(re, im);
    split.read(new long[] {0}, new long[] {2}, found);
    assertArrayEquals(new double[] {1, 2, 3, 4}, found);
    assertThrows(DistillationException.class, () -> NumberArray.split(re, split));
    assertThrows(DistillationException.class, () -> NumberArray.lastAxis(split));
  }
}
