package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationException;

final class IoMapFileTest {
  private static final int N = 2;

  @TempDir Path folder;

  /** {@code be.iom} was written by sigmond, big-endian, with checksums. */
  private byte[] fixture() throws IOException {
    try (InputStream in = IoMapFileTest.class.getResourceAsStream("be.iom.gz");
        GZIPInputStream bytes = new GZIPInputStream(in)) {
      return bytes.readAllBytes();
    }
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("file.iom"), bytes);
  }

  private static void assertFixture(IoMapFile file) {
    assertEquals("Laph--QuarkPeramb", file.identifier());
    assertEquals("<Hdr><NEv>2</NEv></Hdr>", file.header());
    assertEquals(16, file.records());
    assertEquals(16, file.keys().distinct().count());
    try (BinaryFile opened = file.reading()) {
      assertEquals(36, file.firstSize(opened));
      String message = TestData.refusal(() -> file.record(opened, 2 << 17, 36));
      assertTrue(String.valueOf(message).endsWith("has no record with key 262144"), message);
      for (int s = 0; s < 2; s++) {
        for (int t = 0; t < 2; t++) {
          for (int a = 0; a < 4; a++) {
            ByteBuffer bytes = file.record(opened, s << 17 | t << 2 | a, 36);
            assertEquals(N, bytes.getInt());
            for (int i = 0; i < N; i++) {
              assertEquals(1000 * s + 100 * t + 10 * a + i, bytes.getDouble());
              assertEquals(-0.5 * i, bytes.getDouble());
            }
          }
        }
      }
    }
  }

  @Test
  void open_fixtureOfSigmond_hasEveryValue() throws IOException {
    assertFixture(IoMapFile.open(file(fixture())));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void open_whatTheWriterOfTheTestsWrote_hasEveryValue(boolean big, boolean checksums)
      throws IOException {
    IoMapWriter writer =
        new IoMapWriter(
            big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
            checksums,
            "Laph--QuarkPeramb",
            "<Hdr><NEv>2</NEv></Hdr>");
    // Not in ascending order of keys.
    for (int s = 1; s >= 0; s--) {
      for (int t = 0; t < 2; t++) {
        for (int a = 0; a < 4; a++) {
          double first = 1000 * s + 100 * t + 10 * a;
          writer.put(s << 17 | t << 2 | a, new double[] {first, -0.0, first + 1, -0.5});
        }
      }
    }
    assertFixture(IoMapFile.open(file(writer.bytes())));
  }

  @Test
  void writerOfTheTests_writesTheFixture() throws IOException {
    IoMapWriter writer =
        new IoMapWriter(ByteOrder.BIG_ENDIAN, true, "Laph--QuarkPeramb", "<Hdr><NEv>2</NEv></Hdr>");
    for (int key = 0; key < 16; key++) {
      double first = 1000 * (key >> 3) + 100 * (key >> 2 & 1) + 10 * (key & 3);
      writer.put(key >> 3 << 17 | (key & 7), new double[] {first, -0.0, first + 1, -0.5});
    }
    assertArrayEquals(fixture(), writer.bytes());
  }

  /** Opens a file and reads all its records. */
  private static void readAll(Path path) {
    IoMapFile file = IoMapFile.open(path);
    try (BinaryFile opened = file.reading()) {
      file.keys().forEach(key -> file.record(opened, key, 36));
    }
  }

  @Test
  void open_cutAnywhere_isOneMessage() throws IOException {
    byte[] whole = fixture();
    for (int length = 0; length < whole.length; length++) {
      Path path = file(Arrays.copyOf(whole, length));
      String message = TestData.refusal(() -> readAll(path));
      assertTrue(message.startsWith(path + ": is cut short"), message);
    }
  }

  @Test
  void open_notClosed_saysSo() throws IOException {
    byte[] bytes = fixture();
    Arrays.fill(bytes, 33, 41, (byte) 0);
    Path path = file(bytes);
    String message = TestData.refusal(() -> IoMapFile.open(path));
    assertTrue(message.contains("was not closed"), message);
  }

  /** Checksums cover records and map; the header has none. */
  @Test
  void open_anyByteChanged_isSeen() throws IOException {
    byte[] whole = fixture();
    Random random = new Random(1);
    for (int at = 0; at < whole.length; at++) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Path path = file(bytes);
      boolean withoutChecksum = (at >= 1 && at < 33) || (at >= 42 && at < 69);
      if (!withoutChecksum) {
        assertThrows(DistillationException.class, () -> readAll(path), "byte " + at);
      }
    }
  }

  @Test
  void open_hugeCounts_takeNoMemory() throws IOException {
    int map = 33 + 804;
    for (int at : new int[] {33, 42, map, map + 8}) {
      for (long claimed : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 40, 1L << 62}) {
        byte[] bytes = fixture();
        if (at == 42) {
          ByteBuffer.wrap(bytes).putInt(at, (int) (claimed >> 32 | 1L << 30));
        } else {
          ByteBuffer.wrap(bytes).putLong(at, claimed);
        }
        Path path = file(bytes);
        assertThrows(DistillationException.class, () -> readAll(path), at + " " + claimed);
      }
    }
  }
}
