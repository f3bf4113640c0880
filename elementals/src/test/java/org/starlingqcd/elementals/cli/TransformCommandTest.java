package org.starlingqcd.elementals.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class TransformCommandTest {
  private static final int N = 6;
  private static final int T = 4;

  @TempDir Path folder;
  private Path data = Path.of("");

  @BeforeEach
  void synthesize() {
    run(
        "synth -N %s -T %s -L 4 --momentum-squared 1 --labels light --baryons --derivatives 1 "
            + "--out %s",
        N, T, folder);
    data = folder.resolve("synthetic_cfg0001.h5");
  }

  private static Cli run(String line, Object... values) {
    return Cli.line(line, values).ok();
  }

  private static double[] read(Path path, String object, long[] start, long[] count) {
    try (Hdf5File file = Hdf5File.open(path)) {
      return file.dataset(object).read(start, count);
    }
  }

  /** A unitary matrix for each time by Gram and Schmidt. */
  private static double[] unitary(int m, long seed) {
    Random random = new Random(seed);
    double[] u = new double[2 * T * N * m];
    for (int t = 0; t < T; t++) {
      for (int a = 0; a < m; a++) {
        double[] v = random.doubles(2L * N, -1, 1).toArray();
        for (int b = 0; b <= a; b++) {
          double re = 0;
          double im = 0;
          for (int i = 0; i < N && b < a; i++) {
            int at = 2 * ((t * N + i) * m + b);
            re += u[at] * v[2 * i] + u[at + 1] * v[2 * i + 1];
            im += u[at] * v[2 * i + 1] - u[at + 1] * v[2 * i];
          }
          for (int i = 0; i < N && b < a; i++) {
            int at = 2 * ((t * N + i) * m + b);
            v[2 * i] -= re * u[at] - im * u[at + 1];
            v[2 * i + 1] -= re * u[at + 1] + im * u[at];
          }
        }
        double norm = 0;
        for (double x : v) {
          norm += x * x;
        }
        for (int i = 0; i < N; i++) {
          u[2 * ((t * N + i) * m + a)] = v[2 * i] / Math.sqrt(norm);
          u[2 * ((t * N + i) * m + a) + 1] = v[2 * i + 1] / Math.sqrt(norm);
        }
      }
    }
    return u;
  }

  private Path writeRotation(double[] u, int m) throws IOException {
    String header =
        "{'descr': '<c16', 'fortran_order': False, 'shape': (" + T + ", " + N + ", " + m + "), }";
    String padded = header + " ".repeat(117 - header.length()) + "\n";
    ByteBuffer bytes = ByteBuffer.allocate(128 + 8 * u.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
    bytes.put(padded.getBytes(StandardCharsets.US_ASCII));
    bytes.asDoubleBuffer().put(u);
    return Files.write(folder.resolve("u.npy"), bytes.array());
  }

  private static double[] times(double a, double b, double c, double d) {
    return new double[] {a * c - b * d, a * d + b * c};
  }

  @Test
  void rotation_ofAllBlocks_isTheirSum_andSound() throws IOException {
    int m = 4;
    double[] u = unitary(m, 5);
    Path made = folder.resolve("rotated.h5");
    Cli cli =
        run(
            "transform %s --rotation %s --out %s --backend cpu --json",
            data, writeRotation(u, m), made);
    JsonNode json = new ObjectMapper().readTree(cli.out());
    assertEquals(m, json.get("num_eigenvectors").asInt());
    int sink = 3;
    int source = 1;
    long[] whole = {1, 1, 4, 4, N, N};
    double[] tau = read(data, "perambulators/light", new long[] {sink, source, 0, 0, 0, 0}, whole);
    double[] changed =
        read(
            made,
            "perambulators/light",
            new long[] {sink, source, 0, 0, 0, 0},
            new long[] {1, 1, 4, 4, m, m});
    for (int s = 0; s < 16; s++) {
      for (int a = 0; a < m; a++) {
        for (int b = 0; b < m; b++) {
          double re = 0;
          double im = 0;
          for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
              int l = 2 * ((sink * N + i) * m + a);
              int r = 2 * ((source * N + j) * m + b);
              int x = 2 * ((s * N + i) * N + j);
              double[] p = times(u[l], -u[l + 1], tau[x], tau[x + 1]);
              double[] q = times(p[0], p[1], u[r], u[r + 1]);
              re += q[0];
              im += q[1];
            }
          }
          assertEquals(re, changed[2 * ((s * m + a) * m + b)], 1e-13);
          assertEquals(im, changed[2 * ((s * m + a) * m + b) + 1], 1e-13);
        }
      }
    }
    double[] old = read(data, "elementals/baryon/none/0_0_1", new long[4], new long[] {1, N, N, N});
    double[] now = read(made, "elementals/baryon/none/0_0_1", new long[4], new long[] {1, m, m, m});
    double re = 0;
    double im = 0;
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        for (int k = 0; k < N; k++) {
          int x = 2 * ((i * N + j) * N + k);
          double[] p = times(u[2 * (i * m)], u[2 * (i * m) + 1], old[x], old[x + 1]);
          double[] q = times(p[0], p[1], u[2 * (j * m + 2)], u[2 * (j * m + 2) + 1]);
          double[] r = times(q[0], q[1], u[2 * (k * m + 3)], u[2 * (k * m + 3) + 1]);
          re += r[0];
          im += r[1];
        }
      }
    }
    assertEquals(re, now[2 * (2 * m + 3)], 1e-13);
    assertEquals(im, now[2 * (2 * m + 3) + 1], 1e-13);
    run("inspect --verify %s", made);
  }

  /** Generalized perambulators with the numbers of perambulators still have them. */
  @Test
  void rotation_ofGeneralizedPerambulators() throws IOException {
    int m = 4;
    String object = "generalized_perambulators/light-light/g4/none/0_0_0";
    String tau = "perambulators/light";
    long[] block = {T, 1, T, 4, 4, N, N};
    int[] times = {0, 1, 2, 3};
    double[] loop = {1, 2, 3, 4, 5, 6, 7, 8};
    try (Hdf5File file = Hdf5File.openForUpdate(data)) {
      write(file, object, block, file.dataset(tau).readAll());
      file.attributes(object).put("sink_times", times);
      file.attributes(object).put("source_times", times);
      file.attributes(object).put("insertion_times", new int[] {2});
      write(file, "loops/light/g4/none/0_0_1", new long[] {T}, loop);
    }
    Path made = folder.resolve("currents.h5");
    run(
        "transform %s --rotation %s --out %s --backend cpu",
        data, writeRotation(unitary(m, 5), m), made);
    double[] expected = read(made, tau, new long[6], new long[] {T, T, 4, 4, m, m});
    double[] actual =
        read(made, object, new long[] {0, 2, 0, 0, 0, 0, 0}, new long[] {T, 1, T, 4, 4, m, m});
    assertArrayEquals(expected, actual);
    assertArrayEquals(loop, read(made, "loops/light/g4/none/0_0_1", new long[1], new long[] {T}));
  }

  private static void write(Hdf5File file, String object, long[] extents, double[] numbers) {
    try (Hdf5Dataset dataset =
        file.createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(numbers);
    }
  }

  @Test
  void fewerVectors_atSomeTimes_areTheFirstOnes() {
    Path made = folder.resolve("fewer.h5");
    run("transform %s --eigenvectors 3 --times 0-2 --out %s --backend cpu", data, made);
    double[] old =
        read(data, "elementals/meson/D_x/1_0_0", new long[] {2, 0, 0}, new long[] {1, 3, 3});
    double[] now =
        read(made, "elementals/meson/D_x/1_0_0", new long[] {2, 0, 0}, new long[] {1, 3, 3});
    assertEquals(Arrays.toString(old), Arrays.toString(now));
    run("inspect --verify %s", made);
    Cli.line("inspect %s", made);
  }

  /** Real data pass all tests of `check`, and so do their first vectors. */
  @Test
  void fewerVectors_ofRealData_passTheTestsOfData() throws IOException {
    Path real = Path.of("..", "examples", "data", "quenched_4x8_cfg0001.h5");
    Cli cli =
        run(
            "transform %s --eigenvectors 6 --out %s --backend cpu --json",
            real, folder.resolve("real.h5"));
    JsonNode check = new ObjectMapper().readTree(cli.out()).get("check");
    assertEquals(0, check.get("failed").asInt(), check.toString());
  }

  @Test
  void elementalsOfTetraquarks_areSaidToBeLeftOut() {
    Path real = Path.of("..", "examples", "data-tetraquark", "quenched_4x6_tetraquark_cfg0001.h5");
    String made = folder.resolve("without.h5").toString();
    run("transform %s --eigenvectors 3 --out %s --backend cpu", real, made)
        .notes("elementals of tetraquarks are not transformed");
    assertFalse(run("inspect %s", made).out().contains("3bar3"));
  }

  @Test
  void rotations_thatAreNotUnitary_areRefused() throws IOException {
    double[] u = unitary(N, 6);
    u[5] += 0.1;
    Cli.line(
            "transform %s --rotation %s --out %s --backend cpu",
            data, writeRotation(u, N), folder.resolve("x.h5"))
        .refused("u.npy: columns 0 and 2");
    Cli.line("transform %s --eigenvectors 9 --out %s", data, folder.resolve("y.h5"))
        .refused("--eigenvectors");
  }

  @Test
  void pipeWithARotation_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe.npy");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    String out = folder.resolve("out").toString();
    Cli cli =
        assertTimeoutPreemptively(
            Duration.ofMinutes(1),
            () -> Cli.line("transform %s --rotation %s --out %s", data, pipe, out));
    cli.refused(pipe + ": is a named pipe, expected a file");
  }
}
