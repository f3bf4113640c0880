package org.starlingqcd.elementals;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.cli.StarlingCommand;
import org.starlingqcd.elementals.vectors.EigenvectorFile;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The command from end to end. */
class ElementalsCommandTest {
  private static final int L = 4;
  private static final int T = 4;

  /** Enough for the tests of conventions, which are statistical. */
  private static final int N = 12;

  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private static Cli sound(String line, Object... values) {
    return Cli.line(line, values).ok();
  }

  /** Refused with one message that names the file and has no trace of the program's inside. */
  private static void assertRefused(Cli cli, String... parts) {
    assertEquals(2, cli.status(), cli.err());
    String messages = cli.err().replaceAll("time slice .*\n", "").strip();
    assertEquals(1, messages.lines().count(), cli.err());
    assertFalse(cli.err().contains("internal"), cli.err());
    for (String part : parts) {
      cli.notes(part);
    }
  }

  private static void create(Hdf5File file, String object, double[] numbers, long... extents) {
    try (var dataset =
        file.createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(numbers);
    }
  }

  /** Perambulators of synthetic data, and on request elementals by their definition. */
  private Path perambulators(String name, RandomVectors elementals) {
    sound(
        "synth --overwrite -N %s -T %s -L %s --momentum-squared 0 --labels light --out %s",
        N, T, L, path("synthetic"));
    double[] tau;
    try (Hdf5File file = Hdf5File.open(path("synthetic").resolve("synthetic_cfg0001.h5"))) {
      tau = file.dataset("perambulators/light").readAll();
    }
    try (Hdf5File file = Hdf5File.create(path(name))) {
      new DistillationHeader("random", 7, L, T, N, DistillationHeader.DEGRAND_ROSSI, "")
          .write(file);
      create(file, "perambulators/light", tau, T, T, 4, 4, N, N);
      if (elementals != null) {
        double[] numbers = new double[2 * T * N * N];
        for (int time = 0; time < T; time++) {
          double[] one = elementals.meson("none", time, new Momentum(0, 0, 0));
          System.arraycopy(one, 0, numbers, time * one.length, one.length);
        }
        create(file, "elementals/meson/none/0_0_0", numbers, T, N, N);
      }
    }
    return path(name);
  }

  /** For L = 2 the momenta with n² ≤ 3 are the Brillouin zone, up to multiples of L. */
  @Test
  void tetraquarks_passVerification_unlessOneColourIsOff() throws IOException {
    Path vectors = orthonormal(new RandomVectors(2, 2, 8, 41).writeHdf5(path("v.h5"), false));
    Path out = path("k.h5");
    JsonNode json =
        new ObjectMapper()
            .readTree(
                sound(
                        "elementals %s --momentum-squared 3 --tetraquark 3bar3,66bar --out %s "
                            + "--json",
                        vectors, out)
                    .out());
    assertEquals(28, json.get("tetraquark_elementals").asInt());
    sound("inspect --verify %s", out).prints("  tetraquarks          3bar3: [0, 0, 0]");
    try (Hdf5File file = Hdf5File.openForUpdate(out);
        var dataset = file.dataset("elementals/tetraquark/66bar/0_0_1")) {
      long[] first = {1, 0, 0};
      long[] one = {1, 1, 1};
      double[] number = dataset.read(first, one);
      number[0] *= 1.01;
      dataset.write(first, one, number);
    }
    Cli wrong = Cli.line("inspect --verify %s", out);
    assertEquals(2, wrong.status(), wrong.out());
    wrong.prints(
        "elementals/tetraquark/66bar/0_0_1 at time 1 is not such that with 3bar3 it makes"
            + " products of meson elementals, summed over the Brillouin zone: off by");
    wrong.notes("1 fault found");
    assertRefused(
        Cli.line(
            "elementals %s --momentum-squared 0 --tetraquark 8 --out %s --overwrite", vectors, out),
        "--tetraquark",
        "'8' is no colour of a tetraquark; there are 3bar3 and 66bar");
  }

  /** The same file with vectors that are orthonormal at each time. */
  private static Path orthonormal(Path vectors) {
    int size = 2 * 3 * 8;
    try (Hdf5File file = Hdf5File.openForUpdate(vectors);
        var dataset = file.dataset("eigenvectors")) {
      double[] all = dataset.readAll();
      for (int v = 0; v < all.length / size; v++) {
        for (int w = v - v % 8; w <= v; w++) {
          double re = 0;
          double im = 0;
          for (int k = 0; k < size; k += 2) {
            double a = all[w * size + k];
            double b = all[w * size + k + 1];
            re += a * all[v * size + k] + b * all[v * size + k + 1];
            im += a * all[v * size + k + 1] - b * all[v * size + k];
          }
          for (int k = 0; k < size; k += 2) {
            if (w == v) {
              all[v * size + k] /= Math.sqrt(re);
              all[v * size + k + 1] /= Math.sqrt(re);
            } else {
              double a = all[w * size + k];
              double b = all[w * size + k + 1];
              all[v * size + k] -= re * a - im * b;
              all[v * size + k + 1] -= re * b + im * a;
            }
          }
        }
      }
      dataset.write(new long[6], new long[] {2, 8, 2, 2, 2, 3}, all);
    }
    return vectors;
  }

  @Test
  @Tag("slow")
  void elementals_passTheCheck_andARunReadsThem() throws IOException {
    RandomVectors vectors = SmearingField.eigenvectors(L, T, N, 0.05, 31);
    vectors.writeHdf5(path("v.h5"), true);
    sound(
            "elementals %s --momentum-squared 1 --displacements none,nabla_k,D_k,D_jD_k "
                + "--baryons --out %s",
            path("v.h5"), path("phi.h5"))
        .notes("time slice 4 of 4");
    Path tau = perambulators("tau.h5", null);
    sound("inspect --verify %s", path("phi.h5"));
    Cli check = sound("check %s", path("phi.h5"));
    for (String test : List.of("unit-elemental", "opposite-momenta", "derivative-phase")) {
      check.prints(test);
    }
    Path known = perambulators("known.h5", vectors);
    sound("run pion --data %s --data %s --out %s", path("phi.h5"), tau, path("a"));
    sound("run pion --data %s --out %s", known, path("b"));
    double[] found = correlators(path("a"));
    double[] expected = correlators(path("b"));
    assertTrue(expected[0] != 0);
    double size = Math.hypot(expected[0], expected[1]);
    assertArrayEquals(expected, found, 1e-12 * size);
  }

  private static double[] correlators(Path out) throws IOException {
    try (var files = Files.list(out)) {
      Path result = files.filter(p -> p.toString().endsWith(".h5")).findFirst().orElseThrow();
      try (Hdf5File file = Hdf5File.open(result)) {
        return file.dataset("cfg_0007/correlator").readAll();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"none", "write-through", "write-back"})
  void json_countsBytesByTheClosedForms(String protocol) throws IOException {
    RandomVectors vectors = new RandomVectors(L, T, N, 32);
    vectors.writeHdf5(path("v.h5"), false);
    Cli cli =
        sound(
            "elementals %s --momentum-squared 1 --protocol %s --json --out %s",
            path("v.h5"), protocol, path("phi.h5"));
    JsonNode memory = new ObjectMapper().readTree(cli.out()).get("memory");
    long v = 48L * L * L * L * N;
    long phi = 16L * L * L * L;
    long e = 16L * N * N;
    long p = 7;
    long expected =
        switch (protocol) {
          case "none" -> T * p * (phi + 4 * v + e);
          case "write-through" -> T * v + p * phi + T * p * (e + v);
          default -> T * v + p * phi + T * p * e;
        };
    assertEquals(
        expected, memory.get("bytes_to_device").asLong() + memory.get("bytes_to_host").asLong());
  }

  /** A process is killed between time slices; the next one does the rest only. */
  @Test
  @Tag("slow")
  void killed_goesOnWhereItWas() throws Exception {
    int times = 24;
    RandomVectors vectors = new RandomVectors(6, times, 16, 33);
    vectors.writeHdf5(path("v.h5"), false);
    String line = "elementals %s --momentum-squared 1 --baryons --threads 1 --out %s";
    String[] args = Cli.words(line, path("v.h5"), path("killed.h5"));
    Path done = path("killed.h5.part.done");
    int written = 0;
    for (int attempt = 0; attempt < 5 && written == 0; attempt++) {
      Files.deleteIfExists(path("killed.h5"));
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StarlingCommand.class.getName()));
      command.addAll(List.of(args));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(path("out.txt").toFile())
              .start();
      while (process.isAlive() && lines(done) < 3) {
        Thread.sleep(2);
      }
      process.destroyForcibly().waitFor();
      written = Files.exists(path("killed.h5")) ? 0 : lines(done) - 1;
    }
    assertTrue(written >= 2 && written < times, "killed after " + written + " time slices");
    Cli.run(args).ok().notes("going on after " + written + " of " + times);
    sound(line, path("v.h5"), path("whole.h5"));
    for (String object : new String[] {"meson/none/0_0_1", "baryon/none/1_0_0"}) {
      try (Hdf5File a = Hdf5File.open(path("whole.h5"));
          Hdf5File b = Hdf5File.open(path("killed.h5"))) {
        assertArrayEquals(
            a.dataset("elementals/" + object).readAll(),
            b.dataset("elementals/" + object).readAll(),
            object);
      }
    }
    assertFalse(Files.exists(done));
  }

  private static int lines(Path path) throws IOException {
    return Files.exists(path)
        ? (int) Files.readString(path).chars().filter(c -> c == '\n').count()
        : 0;
  }

  @ParameterizedTest
  @CsvSource({
    "num_eigenvectors, 1099511627776",
    "num_eigenvectors, 0",
    "num_eigenvectors, 6",
    "spatial_extent, 1099511627776",
    "spatial_extent, 65536",
    "temporal_extent, -1",
    "temporal_extent, 4294967298",
    "configuration, -1",
    "configuration, 1099511627776",
    "format_version, 2"
  })
  void attributes_thatContradictTheFile_areRefused(String attribute, long value) {
    Path vectors = new RandomVectors(2, 2, 3, 34).writeHdf5(path("v.h5"), false);
    try (Hdf5File file = Hdf5File.openForUpdate(vectors)) {
      file.attributes("/").put(attribute, value);
    }
    assertRefused(
        Cli.line("elementals %s --momentum-squared 1 --out %s", vectors, path("phi.h5")),
        "v.h5",
        attribute.equals("spatial_extent") && value == 65536 ? "L must be" : Long.toString(value));
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = path("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Cli cli =
        assertTimeoutPreemptively(
            Duration.ofMinutes(1),
            () -> Cli.line("elementals %s --momentum-squared 1 --out %s", pipe, path("phi.h5")));
    assertRefused(cli, pipe + ": is a named pipe");
  }

  @Test
  void files_thatLackSomething_areRefused() throws IOException {
    Path vectors = new RandomVectors(2, 2, 3, 35).writeHdf5(path("v.h5"), false);
    assertRefused(
        Cli.line(
            "elementals %s --momentum-squared 1 --displacements D_k --out %s",
            vectors, path("phi.h5")),
        "v.h5",
        "gauge_links");
    assertRefused(
        Cli.line(
            "elementals %s --momentum-squared 1 --configuration 8 --out %s",
            vectors, path("phi.h5")),
        "v.h5",
        "configuration 7",
        "--configuration");
    assertRefused(
        Cli.line("elementals %s --momentum-squared 1 --out %s", path("gone.h5"), path("phi.h5")),
        "gone.h5");
    assertRefused(
        Cli.line(
            "elementals %s --momentum-squared 1 --displacements D_w --out %s",
            vectors, path("phi.h5")),
        "D_w");
    assertRefused(
        Cli.line(
            "elementals %s --momentum-squared 1 --device-memory 1KiB --out %s",
            vectors, path("phi.h5")),
        "--device-memory");
    Path real = path("real.h5");
    try (Hdf5File file = Hdf5File.create(real)) {
      file.attributes("/").put("format", "eigenvectors");
      file.attributes("/").put("format_version", 1);
      file.attributes("/").put("ensemble", "x");
      file.attributes("/").put("configuration", 1);
      file.attributes("/").put("spatial_extent", 2);
      file.attributes("/").put("temporal_extent", 1);
      file.attributes("/").put("num_eigenvectors", 1);
      file.createDataset(
              "eigenvectors",
              ElementType.INTEGER,
              new long[] {1, 1, 2, 2, 2, 3},
              DatasetOptions.CONTIGUOUS)
          .close();
    }
    assertRefused(
        Cli.line("elementals %s --momentum-squared 1 --out %s", real, path("phi.h5")),
        "real.h5",
        "complex");
  }

  @Test
  void otherFormats_withHostileNumbers_areRefused() throws IOException {
    RandomVectors random = new RandomVectors(2, 2, 3, 36);
    Path npy = random.writeNpy(path("v.npy"));
    String bytes = Files.readString(npy, StandardCharsets.ISO_8859_1);
    for (String shape : new String[] {"(2, 1099511627776, 2", "(4294967298, 3, 2", "(0, 3, 2"}) {
      String padding = " ".repeat(Math.max(0, shape.length() - "(2, 3, 2".length()));
      String hostile = bytes.replace("(2, 3, 2", shape).replaceFirst("}" + padding, "}");
      Files.writeString(npy, hostile, StandardCharsets.ISO_8859_1);
      assertRefused(
          Cli.line(
              "elementals %s --ensemble e --configuration 1 --momentum-squared 0 --out %s",
              npy, path("phi.h5")),
          "v.npy");
    }
    Path whole = random.writeNpy(path("w.npy"));
    assertRefused(
        Cli.line(
            "elementals %s --ensemble e --configuration -5 --momentum-squared 0 --out %s",
            whole, path("phi.h5")),
        "configuration=-5");
    Path mod = random.writeMod(path("v.mod"), false);
    byte[] all = Files.readAllBytes(mod);
    for (int at = 37; at < all.length; at += 43) {
      byte[] damaged = all.clone();
      damaged[at] ^= 0x40;
      Files.write(mod, damaged);
      try (Eigenvectors source = EigenvectorFile.open(mod, "e", 1L)) {
        for (int time = 0; time < 2; time++) {
          source.read(time, 0, 3, new double[3 * 2 * 24]);
        }
        // The text of the user is not protected by a checksum.
        assertTrue(at < 41 + 60 + 8, "byte " + at + " is damaged unnoticed");
      } catch (DistillationException e) {
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("v.mod"), message);
      }
    }
    // The last byte that was damaged is one of a vector.
    assertRefused(
        Cli.line(
            "elementals %s --ensemble e --configuration 1 --momentum-squared 0 --out %s",
            mod, path("phi.h5")),
        "v.mod");
  }
}
