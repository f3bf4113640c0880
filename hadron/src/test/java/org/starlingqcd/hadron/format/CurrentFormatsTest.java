package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;

/**
 * Generalized perambulators in files of other programs, written number by number from the layouts
 * of these programs, have the numbers of {@link #number}.
 */
final class CurrentFormatsTest {
  private static final int N = 3;
  private static final int T = 6;

  /** g4 and g1 g2 g3 = -g4 g5, as Chroma numbers them. */
  private static final int[] GAMMAS = {8, 7};

  private static final Momentum Q = new Momentum(0, -1, 2);

  @TempDir Path folder;

  /** A number of a block by all that it depends on. */
  private static double[] number(
      int gamma, int p, int sink, int t, int source, int alpha, int beta, int i, int j) {
    return new double[] {
      1 + sink + 10 * t + 100 * source + 1000 * gamma + 0.5 * p,
      alpha + 0.1 * beta + 10 * i + 100 * j
    };
  }

  private static double[] expected(int gamma, int p, int sink, int t, int source, int sign) {
    double[] block = new double[2 * 16 * N * N];
    for (int k = 0; k < 16 * N * N; k++) {
      int spin = k / (N * N);
      double[] number = number(gamma, p, sink, t, source, spin / 4, spin % 4, k / N % N, k % N);
      block[2 * k] = sign * number[0];
      block[2 * k + 1] = sign * number[1];
    }
    return block;
  }

  private static DistillationData open(DataRequest request) {
    return DistillationFiles.discover(request).get(0).open();
  }

  private static CurrentVertex vertex(int gamma, String displacement, Momentum q) {
    return new CurrentVertex(new Gamma(gamma, 1), displacement, q);
  }

  private static void putList(DataOutputStream out, int... list) throws IOException {
    out.writeInt(list.length);
    for (int entry : list) {
      out.writeInt(entry);
    }
  }

  private static void putLabel(DataOutputStream out, String label) throws IOException {
    out.writeInt(label.length());
    out.write(label.getBytes(StandardCharsets.UTF_8));
  }

  private interface Writing {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writing.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private SdbWriter sdb(String name, String id) throws IOException {
    return new SdbWriter(
        folder.resolve(name),
        SdbWriter.Layout.CHROMA,
        10,
        "<DBMetaData><id>" + id + "</id><lattSize>4 4 4 6</lattSize></DBMetaData>");
  }

  private static byte[] genprop4Key(int sink, int t, int source, int gamma, int[] displacement)
      throws IOException {
    return bytes(
        out -> {
          out.writeInt(sink);
          out.writeInt(t);
          out.writeInt(source);
          out.writeInt(gamma);
          putList(out, displacement);
          putList(out, -Q.x(), -Q.y(), -Q.z());
          putLabel(out, "U-0.2");
        });
  }

  private static byte[] genprop4(int n, int sink, int t, int source, int gamma) throws IOException {
    return bytes(
        out -> {
          for (int extent : new int[] {n, n, 4, 4}) {
            out.writeInt(extent);
          }
          for (int beta = 0; beta < 4; beta++) {
            for (int alpha = 0; alpha < 4; alpha++) {
              for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                  for (double x : number(gamma, 0, sink, t, source, alpha, beta, i, j)) {
                    out.writeDouble(x);
                  }
                }
              }
            }
          }
        });
  }

  private Path genprop4File() throws IOException {
    try (SdbWriter writer = sdb("genprop4_cfg_7.sdb", "genprop4ElemOp")) {
      for (int t = 1; t < 4; t++) {
        for (int gamma : GAMMAS) {
          writer.put(genprop4Key(5, t, 0, gamma, new int[0]), genprop4(N, 5, t, 0, gamma));
        }
        writer.put(genprop4Key(5, t, 0, 0, new int[] {1, -2}), genprop4(N, 5, t, 0, 0));
      }
    }
    return folder.resolve("genprop4_cfg_7.sdb");
  }

  @Test
  void genprop4() throws IOException {
    try (DistillationData data = open(DataRequest.of(List.of(genprop4File().toString())))) {
      assertEquals(7, data.header().configuration());
      assertEquals(N, data.header().eigenvectors());
      assertEquals("DeGrand-Rossi", data.header().gammaBasis());
      for (int gamma : GAMMAS) {
        CurrentVertex vertex = vertex(gamma, "none", Q);
        BitSet times =
            data.generalizedTimes("U-0.2", "U-0.2", vertex).get(new CurrentName.Ends(5, 0));
        assertEquals("{1, 2, 3}", String.valueOf(times));
        assertArrayEquals(
            expected(gamma, 0, 5, 2, 0, 1),
            TestData.load(data, new Input.Generalized("U-0.2", "U-0.2", vertex, 5, 2, 0), N));
      }
      // γ5-hermiticity supplies the other order of times at -q, but not with shifts along links.
      CurrentVertex opposite = vertex(8, "none", Q.negate());
      assertEquals(1, data.generalizedTimes("U-0.2", "U-0.2", opposite).size());
      assertEquals(
          0, data.generalizedTimes("U-0.2", "U-0.2", vertex(0, "disp_1_-2", Q.negate())).size());
      assertArrayEquals(
          expected(0, 0, 5, 3, 0, 1),
          TestData.load(
              data,
              new Input.Generalized("U-0.2", "U-0.2", vertex(0, "disp_1_-2", Q), 5, 3, 0),
              N));
    }
  }

  @Test
  void genprop4_damage() throws IOException {
    try (SdbWriter writer = sdb("g.sdb", "genprop4ElemOp")) {
      writer.put(genprop4Key(5, 1, 0, 8, new int[0]), genprop4(N, 5, 1, 0, 8));
      byte[] wrong = genprop4(N, 5, 2, 0, 8);
      wrong[7] = 4;
      writer.put(genprop4Key(5, 2, 0, 8, new int[0]), wrong);
      byte[] notANumber = genprop4(N, 5, 3, 0, 8);
      ByteBuffer.wrap(notANumber).putDouble(16, Double.NaN);
      writer.put(genprop4Key(5, 3, 0, 8, new int[0]), notANumber);
      writer.put(genprop4Key(5, 4, 0, 8, new int[0]), Arrays.copyOf(genprop4(N, 5, 4, 0, 8), 100));
    }
    String file = folder.resolve("g.sdb").toString();
    try (DistillationData data = open(DataRequest.of(List.of(file)))) {
      String place = file + ": generalized_perambulators/U-0.2-U-0.2/g4/none/0_-1_2 at (sink,";
      assertEquals(
          place + " insertion, source) = (5, 2, 0): the value is not of extents [3, 3, 4, 4]",
          message(data, 2));
      assertEquals(
          place + " insertion, source) = (5, 3, 0) holds NaN at complex number 0 of 144",
          message(data, 3));
      assertEquals(
          place + " insertion, source) = (5, 4, 0): the value has 100 bytes, expected 2320",
          message(data, 4));
    }
    for (byte[] key :
        List.of(
            genprop4Key(5, 1, 0, 16, new int[0]),
            Arrays.copyOf(genprop4Key(5, 1, 0, 8, new int[0]), 30),
            Arrays.copyOf(genprop4Key(5, 1, 0, 8, new int[0]), 60))) {
      try (SdbWriter writer = sdb("k.sdb", "genprop4ElemOp")) {
        writer.put(key, genprop4(N, 5, 1, 0, 8));
      }
      String message =
          TestData.refusal(() -> open(DataRequest.of(List.of(folder.resolve("k.sdb").toString()))));
      assertTrue(message.contains("a key is none of genprop4ElemOp"), message);
    }
  }

  private static String message(DistillationData data, int t) {
    Input input = new Input.Generalized("U-0.2", "U-0.2", vertex(8, "none", Q), 5, t, 0);
    return TestData.refusal(() -> TestData.load(data, input, N));
  }

  private static byte[] unsmearedKey(boolean older, int t, int derivP, int beta, int j)
      throws IOException {
    return bytes(
        out -> {
          out.writeInt(4);
          out.writeInt(t);
          out.writeInt(1);
          if (older) {
            out.writeInt(beta);
          }
          out.writeInt(j);
          out.writeInt(7);
          out.writeByte(derivP);
          putList(out, derivP == 0 ? new int[0] : new int[] {3});
          putList(out, -Q.x(), -Q.y(), -Q.z());
          if (!older) {
            putLabel(out, "U");
          }
        });
  }

  /**
   * With all source spins, or in older files with one and multiplied by γ5 = diag(1, 1, -1, -1).
   */
  private static byte[] unsmeared(int t, int derivP, int firstBeta, int spins, int j)
      throws IOException {
    return bytes(
        out -> {
          out.writeInt(N);
          out.writeInt(4);
          if (spins == 4) {
            out.writeInt(4);
          }
          for (int beta = firstBeta; beta < firstBeta + spins; beta++) {
            for (int alpha = 0; alpha < 4; alpha++) {
              for (int i = 0; i < N; i++) {
                for (double x : number(7, derivP, 4, t, 1, alpha, beta, i, j)) {
                  out.writeDouble(spins == 1 && alpha > 1 ? -x : x);
                }
              }
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void unsmearedMeson_severalValuesForABlock(boolean older) throws IOException {
    int spins = older ? 1 : 4;
    try (SdbWriter writer = sdb("u.sdb", "unsmearedMesonElemOp")) {
      for (int t = 2; t < 4; t++) {
        for (int derivP = 0; derivP < 2; derivP++) {
          // The last source vector of t = 3 is missing.
          for (int j = 0; j < N - (t == 3 ? 1 : 0); j++) {
            for (int beta = 0; beta < 4; beta += spins) {
              writer.put(
                  unsmearedKey(older, t, derivP, beta, j), unsmeared(t, derivP, beta, spins, j));
            }
          }
        }
      }
    }
    String file = (older ? "U=" : "") + folder.resolve("u.sdb");
    try (DistillationData data = open(DataRequest.of(List.of(file)))) {
      for (int derivative = 0; derivative < 2; derivative++) {
        CurrentVertex vertex = vertex(7, derivative == 0 ? "none" : "deriv_3", Q);
        assertEquals(
            Map.of(new CurrentName.Ends(4, 1), BitSet.valueOf(new long[] {4})),
            data.generalizedTimes("U", "U", vertex));
        assertArrayEquals(
            expected(7, derivative, 4, 2, 1, 1),
            TestData.load(data, new Input.Generalized("U", "U", vertex, 4, 2, 1), N));
      }
    }
  }

  private static byte[] disco(int t, int... displacement) throws IOException {
    return bytes(
        out -> {
          out.writeInt(t);
          out.writeInt(displacement.length);
          putList(out, displacement);
          putList(out, -Q.x(), -Q.y(), -Q.z());
          out.writeBytes("U-0.2\n");
        });
  }

  @Test
  void loops_oneValueForAllGammas() throws IOException {
    byte[] value =
        bytes(
            out -> {
              out.writeInt(16);
              for (int gamma = 0; gamma < 16; gamma++) {
                out.writeDouble(gamma + 0.25);
                out.writeDouble(-gamma);
              }
            });
    try (SdbWriter writer = sdb("disco_cfg_7.sdb", "DiscoBlocks")) {
      writer.put(disco(2, 0), value);
      writer.put(disco(3), value);
      writer.put(disco(3, -4), value);
      writer.put(disco(4, 0), Arrays.copyOf(value, 100));
    }
    String file = folder.resolve("disco_cfg_7.sdb").toString();
    DataRequest request = DataRequest.of(List.of(genprop4File().toString(), file));
    try (DistillationData data = open(request)) {
      assertEquals(32, data.loops().size());
      CurrentVertex g4 = vertex(8, "none", Q);
      assertEquals("{2, 3, 4}", data.times(new DataBlock.Loop("U-0.2", g4, 0)).toString());
      assertEquals(new Complex(8.25, -8), data.number(new DataBlock.Loop("U-0.2", g4, 3)));
      assertEquals(
          new Complex(15.25, -15),
          data.number(new DataBlock.Loop("U-0.2", vertex(15, "disp_-4", Q), 3)));
      assertEquals(
          file + ": loops/U-0.2/g4/none/0_-1_2 at time 4: the value has 100 bytes, expected 260",
          TestData.refusal(() -> data.number(new DataBlock.Loop("U-0.2", g4, 4))));
    }
  }

  @Test
  void genprop5_blocksThatAreThere() throws IOException {
    S3tWriter writer =
        new S3tWriter(
            ByteOrder.LITTLE_ENDIAN,
            false,
            1 << 20,
            "<a><id>genprop5ElemOp</id><lattSize>4 4 4 6</lattSize><tensorOrder>nNsqgdmtpP</tensorOrder>"
                + "<mass_label>U</mass_label><gammas>8 7</gammas>"
                + "<displacements><elem></elem><elem>3</elem></displacements>"
                + "<moms><elem>0 0 0</elem><elem>0 1 -2</elem></moms></a>",
            T,
            T,
            T,
            2,
            2,
            2,
            4,
            4,
            N,
            N);
    // Sink time 5, source time 0, insertion times 4 and 5; no displacement, both gammas.
    double[] numbers = new double[2 * 2 * 2 * 16 * N * N];
    int at = 0;
    for (int t = 4; t < 6; t++) {
      for (int g : GAMMAS) {
        System.arraycopy(expected(g, 1, 5, t, 0, 1), 0, numbers, at, 32 * N * N);
        at += 32 * N * N;
      }
    }
    writer.block(
        new int[] {5, 0, 4, 1, 0, 0, 0, 0, 0, 0},
        new int[] {1, 1, 2, 1, 1, 2, 4, 4, N, N},
        numbers);
    Path file = Files.write(folder.resolve("g.s3t"), writer.bytes());
    try (DistillationData data = open(DataRequest.of(List.of(file.toString())))) {
      assertEquals(2, data.generalizedPerambulators().size());
      assertEquals(T, data.header().temporalExtent());
      for (int g : GAMMAS) {
        CurrentVertex vertex = vertex(g, "none", Q);
        assertEquals(
            Map.of(new CurrentName.Ends(5, 0), BitSet.valueOf(new long[] {0b110000})),
            data.generalizedTimes("U", "U", vertex));
        for (int t = 4; t < 6; t++) {
          assertArrayEquals(
              expected(g, 1, 5, t, 0, 1),
              TestData.load(data, new Input.Generalized("U", "U", vertex, 5, t, 0), N));
        }
      }
    }
  }

  private Path npy(String mapping) throws IOException {
    for (int source = 0; source < T; source += 3) {
      for (int sink = 2; sink < 4; sink++) {
        double[] numbers = new double[2 * 2 * 2 * T * 16 * N * N];
        int at = 0;
        for (int gamma : GAMMAS) {
          for (int p = 0; p < 2; p++) {
            for (int t = 0; t < T; t++) {
              System.arraycopy(expected(gamma, p, sink, t, source, 1), 0, numbers, at, 32 * N * N);
              at += 32 * N * N;
            }
          }
        }
        NpyWriter.write(
            folder.resolve("gp_%d_%d.npy".formatted(source, sink)),
            "<c16",
            new long[] {2, 2, T, 4, 4, N, N},
            numbers);
      }
    }
    return Files.writeString(folder.resolve("mapping.yaml"), mapping);
  }

  private static final String MAPPING =
      """
      spatial_extent: 4
      generalized_perambulators:
        light:
          file: "gp_{t0}_{tf}.npy"
          axes: [gamma, momentum, t, alpha_snk, beta_src, i_snk, j_src]
          gammas: [8, g4g5]
          momenta: [[0, 0, 0], [0, 1, -2]]
          phase: plus
      """;

  /** Arrays of EasyDistillation's GeneralizedPerambulatorGenerator. */
  @Test
  void npy_withAMappingFile() throws IOException {
    Path mapping = npy(MAPPING);
    try (DistillationData data = open(DataRequest.of(List.of(mapping.toString())))) {
      CurrentVertex g4 = vertex(8, "none", Q);
      assertEquals(4, data.blocks().generalized(new CurrentName("light", "light", g4)).size());
      assertArrayEquals(
          expected(8, 1, 3, 4, 0, 1),
          TestData.load(data, new Input.Generalized("light", "light", g4, 3, 4, 0), N));
      // g4 g5 = -g1 g2 g3, and the file has g4 g5 there.
      assertArrayEquals(
          expected(7, 0, 2, 5, 3, -1),
          TestData.load(
              data,
              new Input.Generalized("light", "light", vertex(7, "none", Momentum.ZERO), 2, 5, 3),
              N));
    }
    String two =
        MAPPING
            .replace("  light:", "  light-strange:")
            .replace("phase:", "displacement: D_t\n    phase:");
    Files.writeString(mapping, two);
    try (DistillationData data = open(DataRequest.of(List.of(mapping.toString())))) {
      assertArrayEquals(
          expected(8, 1, 3, 4, 0, 1),
          TestData.load(
              data, new Input.Generalized("light", "strange", vertex(8, "D_t", Q), 3, 4, 0), N));
    }
  }

  @Test
  void npy_faults() throws IOException {
    assertFails(
        MAPPING.replace("gammas: [8, g4g5]", "gammas: [8]"),
        "has 2 gammas, 'gammas' of the mapping file (line 4) lists 1");
    assertFails(
        MAPPING.replace("gammas: [8, g4g5]", "gammas: [g4g5, 7]"), "two are the same up to a sign");
    assertFails(MAPPING.replace("    gammas: [8, g4g5]\n", ""), "expected a key 'gammas'");
    assertFails(MAPPING.replace("_{tf}", "_*"), "the sink time is missing: expected t_snk");
    assertFails(MAPPING.replace("[8, g4g5]", "[8, g6]"), "unknown gamma structure");
    String again = MAPPING.substring(MAPPING.indexOf("  light:"));
    assertFails(MAPPING + again.replace("light", "light-light"), "which another entry has");
  }

  private void assertFails(String mapping, String message) throws IOException {
    String found = fails(mapping);
    assertTrue(found.contains(message), found);
  }

  private String fails(String mapping) throws IOException {
    Path file = npy(mapping);
    return TestData.refusal(() -> open(DataRequest.of(List.of(file.toString()))));
  }
}
