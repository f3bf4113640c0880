package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.cli.TestInstallation;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/** Commands as processes that are killed at any moment; {@code -Psoak} kills them more often. */
@Tag("slow")
final class KilledCommandsTest {
  private static final int KILLS = Integer.getInteger("starling.mutants", 1) > 1 ? 20 : 3;
  private static final int LONGEST_MILLIS = 1500;

  @TempDir Path folder;
  private Path launcher = Path.of("");
  private final Random random = new Random(41);

  @BeforeEach
  void install() throws IOException {
    launcher = TestInstallation.make(folder.resolve("program")).launcher();
  }

  private Process start(String... args) throws IOException {
    return TestInstallation.process(folder, launcher.toString(), args).start();
  }

  private void complete(String... args) throws Exception {
    TestInstallation.finish(start(args), folder).ok();
  }

  private interface Check {
    void run() throws IOException;
  }

  /** Kills a command several times, looks at what it left, and lets it finish. */
  private void kill(Check check, String... args) throws Exception {
    for (int k = 0; k < KILLS; k++) {
      Process process = start(args);
      process.waitFor(random.nextInt(LONGEST_MILLIS), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      check.run();
    }
    complete(args);
    check.run();
  }

  @Test
  void analyze_leavesWholeFiles() throws Exception {
    Path result = Path.of("../examples/reference/rho_pipi.h5").toAbsolutePath();
    String line = "analyze %s --t0 1 --formats csv,hdf5 --out %s";
    Cli.line(line, result, folder.resolve("whole")).ok();
    String[] words = Cli.words(line, result, folder.resolve("out"));
    kill(() -> assertPartOf(folder.resolve("out"), folder.resolve("whole")), words);
    try (Stream<Path> written = Files.list(folder.resolve("whole"))) {
      List<Path> all = written.toList();
      assertTrue(all.size() > 1);
      all.forEach(
          file -> assertTrue(Files.exists(folder.resolve("out").resolve(file.getFileName()))));
    }
  }

  /** The visible files of a folder are those of another. */
  private static void assertPartOf(Path some, Path all) throws IOException {
    if (Files.exists(some)) {
      try (Stream<Path> files = Files.list(some)) {
        for (Path file : files.filter(f -> !f.getFileName().toString().startsWith(".")).toList()) {
          assertArrayEquals(
              Files.readAllBytes(all.resolve(file.getFileName())),
              Files.readAllBytes(file),
              file.toString());
        }
      }
    }
  }

  /** A file that was continued may place its datasets elsewhere; their numbers are the same. */
  private static void assertSameDatasets(Path expected, Path actual) {
    try (Hdf5File a = Hdf5File.open(expected);
        Hdf5File b = Hdf5File.open(actual)) {
      assertTrue(assertSameDatasets(a, b, "/") > 0);
    }
  }

  private static int assertSameDatasets(Hdf5File a, Hdf5File b, String group) {
    int datasets = 0;
    assertEquals(Set.copyOf(a.children(group)), Set.copyOf(b.children(group)), group);
    for (String child : a.children(group)) {
      String object = group + child;
      if (a.kind(object) == ObjectKind.GROUP) {
        datasets += assertSameDatasets(a, b, object + "/");
      } else if (a.dataset(object).type() == ElementType.COMPLEX) {
        assertArrayEquals(a.dataset(object).readAll(), b.dataset(object).readAll(), object);
        datasets++;
      }
    }
    return datasets;
  }

  /** Three-point functions, whose units have several datasets. */
  @Test
  void run_losesNothing() throws Exception {
    Path definition = folder.resolve("pi_to_pi.yaml");
    Files.writeString(
        definition,
        """
        name: pi_to_pi
        source:
          isospin: [1, 1]
          irrep: A1-
          operators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]
        insertions: [{name: j, gamma: g4, flavours: {u: 2/3, d: -1/3}}]
        disconnected: true
        """);
    Path data = folder.resolve("data");
    Cli.line(
            "synth -N 4 -T 8 -L 4 --configurations 1-8 --labels light --currents g4 --sources all"
                + " --out %s",
            data)
        .ok();
    String line = "run %s --data %s --sources all --backend cpu --out %s";
    Cli.line(line, definition, data, folder.resolve("whole")).ok();
    kill(() -> {}, Cli.words(line, definition, data, folder.resolve("out")));
    ResultAssert.assertSame(folder.resolve("whole/pi_to_pi.h5"), folder.resolve("out/pi_to_pi.h5"));
    assertFalse(Files.exists(folder.resolve("out/pi_to_pi.journal")));
  }

  @Test
  void transform_continues() throws Exception {
    Path data = folder.resolve("data");
    Cli.line("synth -N 8 -T 16 -L 4 --momentum-squared 3 --labels light --baryons --out %s", data)
        .ok();
    Path out = folder.resolve("out.h5");
    Path whole = folder.resolve("whole.h5");
    String line = "transform %s --eigenvectors 6 --out %s";
    // Another process: without the launcher's options zeros may have another sign.
    complete(Cli.words(line, data, whole));
    String[] words = Cli.words(line, data, out);
    kill(
        () -> {
          if (Files.exists(out)) {
            assertSameDatasets(whole, out);
            Files.delete(out);
          }
        },
        words);
    complete(words);
    assertSameDatasets(whole, out);
    assertFalse(Files.exists(folder.resolve("out.h5.part")));
  }
}
