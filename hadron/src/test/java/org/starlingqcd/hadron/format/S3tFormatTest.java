package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * The fixture p.s3t was written by superbblas: axes sqnNpP, N = 3, T = 6, sources 1 (sink times 1
 * to 3) and 4 (sink times 4, 5, 0, a block that wraps). Its element is (P + 100 p + 0.01 q + 0.0001
 * s) + i (10 N + n).
 */
class S3tFormatTest {
  @TempDir Path folder;
  private Path fixture;
  private byte[] bytes;

  @BeforeEach
  void copyFixture() throws IOException {
    try (InputStream in = S3tFormatTest.class.getResourceAsStream("/chroma/p.s3t")) {
      assertNotNull(in);
      bytes = in.readAllBytes();
    }
    fixture = Files.write(folder.resolve("p.s3t"), bytes);
  }

  private static double[] read(BlockSource source, DataBlock block, int n) {
    long size = block.shape(n).bytes();
    try (HostMemory memory = HostMemory.allocate(size)) {
      source.read(block, memory, 0);
      double[] numbers = new double[(int) (size / Double.BYTES)];
      memory.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  @Test
  void fixture_everyNumber() {
    try (BlockSource source = new S3tFormat().open(fixture)) {
      assertEquals(6, source.header().temporalExtent());
      assertEquals(3, source.header().eigenvectors());
      // The metadata of the fixture name no label.
      var columns = source.blocks().sinkTimes("");
      assertEquals(List.of(1, 4), List.copyOf(columns.keySet()));
      assertEquals("{1, 2, 3}", String.valueOf(columns.get(1)));
      assertEquals("{0, 4, 5}", String.valueOf(columns.get(4)));
      for (int p : columns.keySet()) {
        for (int sink : columns.get(p).stream().toArray()) {
          double[] tau = read(source, new DataBlock.Perambulator("", sink, p), 3);
          for (int q = 0; q < 4; q++) {
            for (int s = 0; s < 4; s++) {
              for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                  int at = 2 * (((4 * q + s) * 3 + i) * 3 + j);
                  assertEquals(sink + 100 * p + 0.01 * q + 0.0001 * s, tau[at], 1e-12);
                  assertEquals(10 * i + j, tau[at + 1], 0);
                }
              }
            }
          }
        }
      }
      assertTrue(
          TestData.refusal(() -> read(source, new DataBlock.Perambulator("", 0, 1), 3))
              .contains("is missing"));
    }
  }

  @Test
  void blocksThatWrapInEveryAxis_bothOrdersAndPrecisions() throws IOException {
    int n = 3;
    int t = 4;
    Random random = new Random(1);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      for (boolean single : new boolean[] {false, true}) {
        S3tWriter writer =
            new S3tWriter(
                order,
                single,
                256,
                "<a><tensorOrder>sqnNpP</tensorOrder><mass_label>U</mass_label></a>",
                t,
                t,
                n,
                n,
                4,
                4);
        // Two blocks share the sink vectors of times 3 and 0 and source time 1.
        int[][] from = {{3, 1, 1, 2, 3, 1}, {3, 1, 0, 2, 3, 1}};
        int[][] size = {{2, 1, 2, n, 4, 4}, {2, 1, 1, n, 4, 4}};
        double[][][] expected = new double[t][][];
        expected[3] = new double[1][2 * 16 * n * n];
        expected[0] = new double[1][2 * 16 * n * n];
        for (int b = 0; b < 2; b++) {
          int count = Arrays.stream(size[b]).reduce(1, (x, y) -> x * y);
          double[] numbers = new double[2 * count];
          for (int k = 0; k < count; k++) {
            numbers[2 * k] = random.nextInt(1000);
            numbers[2 * k + 1] = random.nextInt(1000);
            int[] at = new int[6];
            int left = k;
            for (int axis = 5; axis >= 0; axis--) {
              int extent = new int[] {t, t, n, n, 4, 4}[axis];
              at[axis] = (from[b][axis] + left % size[b][axis]) % extent;
              left /= size[b][axis];
            }
            int to = 2 * (((4 * at[4] + at[5]) * n + at[2]) * n + at[3]);
            expected[at[0]][0][to] = numbers[2 * k];
            expected[at[0]][0][to + 1] = numbers[2 * k + 1];
          }
          writer.block(from[b], size[b], numbers);
        }
        Path file = Files.write(folder.resolve("w.s3t"), writer.bytes());
        try (BlockSource source = new S3tFormat().open(file)) {
          assertEquals("{0, 3}", String.valueOf(source.blocks().sinkTimes("U").get(1)));
          assertEquals("U", source.blocks().mass("U"));
          for (int sink : new int[] {0, 3}) {
            assertArrayEquals(
                expected[sink][0], read(source, new DataBlock.Perambulator("U", sink, 1), n));
          }
        }
      }
    }
  }

  @Test
  void baryons_momentaAndDisplacementsOfTheMetadata() throws IOException {
    int n = 2;
    S3tWriter writer =
        new S3tWriter(
            ByteOrder.LITTLE_ENDIAN,
            false,
            1 << 20,
            "<a><id>baryonElemOpSuperb</id><tensorOrder>ijktdm</tensorOrder>"
                + "<moms><elem>0 0 0</elem><elem>0 1 -2</elem></moms>"
                + "<displacements_left_middle_right><elem><elem></elem><elem></elem><elem></elem>"
                + "</elem><elem><elem>1</elem><elem></elem><elem>2 -3</elem></elem>"
                + "</displacements_left_middle_right></a>",
            2,
            2,
            3,
            n,
            n,
            n);
    double[] numbers = new double[2 * n * n * n];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = k;
    }
    writer.block(new int[] {1, 1, 2, 0, 0, 0}, new int[] {1, 1, 1, n, n, n}, numbers);
    Path file = Files.write(folder.resolve("b.s3t"), writer.bytes());
    try (BlockSource source = new S3tFormat().open(file)) {
      ElementalName name = new ElementalName("disp_1.none.disp_2_-3", new Momentum(0, -1, 2));
      assertEquals(
          List.of(name), List.copyOf(source.blocks().elementals(DataBlock.Kind.BARYON).keySet()));
      double[] b = read(source, DataBlock.baryon(name, 2), n);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          for (int k = 0; k < n; k++) {
            assertEquals(2 * ((k * n + j) * n + i), b[2 * ((i * n + j) * n + k)]);
          }
        }
      }
    }
  }

  @Test
  void cutAnywhere_isOneMessage() throws IOException {
    for (int length = 24; length < bytes.length; length += 97) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
  }

  @Test
  void changedAnywhere_isOneMessage() throws IOException {
    // All bytes but those of the final checksum's padding are under a checksum.
    Random random = new Random(2);
    for (int trial = 0; trial < 500; trial++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      assertRefused(changed);
    }
  }

  @Test
  void absurdCounts_areRefused() throws IOException {
    int counts = (24 + ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(20) + 7) & ~7;
    for (double count : new double[] {-1, 1e300, Double.NaN, 0x1p63, 0.5, 1 << 20}) {
      for (int k = 0; k < 9; k++) {
        ByteBuffer changed = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        changed.putDouble(counts + 8 * k, count);
        assertRefused(changed.array());
      }
    }
  }

  private void assertRefused(byte[] content) throws IOException {
    Path file = Files.write(folder.resolve("bad.s3t"), content);
    String message =
        TestData.refusal(
            () -> {
              try (BlockSource source = new S3tFormat().open(file)) {
                source
                    .blocks()
                    .sinkTimes("")
                    .forEach(
                        (p, sinks) ->
                            sinks.stream()
                                .forEach(
                                    t -> read(source, new DataBlock.Perambulator("", t, p), 3)));
              }
            });
    assertFalse(message.contains("\n"), message);
  }
}
