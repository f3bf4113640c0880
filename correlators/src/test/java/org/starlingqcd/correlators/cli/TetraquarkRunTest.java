package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** {@code starling run} on data with tetraquarks, against correlators computed by brute force. */
final class TetraquarkRunTest {
  private static final String DATA =
      "../examples/data-tetraquark/quenched_4x6_tetraquark_cfg0001.h5";
  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir Path folder;

  private Path run(String definition, String... more) {
    String[] all = new String[more.length + 8];
    String out = folder.toString();
    System.arraycopy(
        new String[] {"run", definition, "--data", DATA, "--out", out, "--separations", "0-3"},
        0,
        all,
        0,
        8);
    System.arraycopy(more, 0, all, 8, more.length);
    Cli result = Cli.run(all);
    assertEquals(0, result.status(), result.err());
    return folder.resolve(definition + ".h5");
  }

  private static double[] correlator(Path result) {
    try (Hdf5File file = Hdf5File.open(result);
        Hdf5Dataset dataset = file.dataset("cfg_0001/correlator")) {
      return dataset.readAll();
    }
  }

  /** The largest deviation of an element in terms of those on the diagonal. */
  private static double deviation(Path result, String reference) {
    double[] found = correlator(result);
    double[] expected = correlator(EXAMPLES.resolve(reference + ".h5"));
    assertEquals(expected.length, found.length);
    int n = (int) Math.round(Math.sqrt(found.length / 2.0 / 4));
    double worst = 0;
    for (int dt = 0; dt < 4; dt++) {
      double[] scale = new double[n];
      for (int i = 0; i < n; i++) {
        int at = 2 * ((dt * n + i) * n + i);
        scale[i] = Math.sqrt(Math.hypot(expected[at], expected[at + 1]));
      }
      for (int k = 0; k < n * n; k++) {
        int at = 2 * (dt * n * n + k);
        double error = Math.hypot(found[at] - expected[at], found[at + 1] - expected[at + 1]);
        worst = Math.max(worst, error / (scale[k / n] * scale[k % n]));
      }
    }
    return worst;
  }

  @ParameterizedTest
  @CsvSource({
    "tcc, '', reference/tcc, 1e-11",
    "tcc_flight, '', reference/tcc_flight, 1e-11",
    "zc, '', reference/zc, 1e-11",
    "tcc, '--device-memory 30KiB', reference/tcc, 1e-11",
    "zc, '--device-memory 20KiB', reference/zc, 1e-11",
    "tcc, '--precision single', reference/tcc, 1e-4",
    "zc, '--precision single', reference/zc, 1e-4",
    "tcc, '--tetraquarks sampled', reference-tetraquark/tcc_sampled, 1e-11",
    "tcc, '--tetraquarks sampled --device-memory 30KiB', reference-tetraquark/tcc_sampled, 1e-11",
    "tcc, '--tetraquarks sampled --precision single', reference-tetraquark/tcc_sampled, 1e-4"
  })
  void correlators_agreeWithTheReference(
      String definition, String options, String reference, double tolerance) {
    Path result = run(definition, options.isEmpty() ? new String[0] : options.split(" "));
    double deviation = deviation(result, reference);
    assertTrue(deviation < tolerance, "deviation=" + deviation);
  }

  @Test
  void result_ofSampledPositions_saysSo() {
    Path result = run("tcc", "--tetraquarks", "sampled");
    try (Hdf5File file = Hdf5File.open(result)) {
      assertEquals("sampled", file.attributes("/").string("tetraquarks"));
      assertEquals(8, file.attributes("/").integer("sampled_sites"));
    }
    Cli others = Cli.run("run", "tcc", "--data", DATA, "--out", folder.toString());
    assertNotEquals(0, others.status());
    assertTrue(
        others.err().contains("with sampled sites of tetraquarks 8 instead of 0 (0: elementals)"),
        others.err());
  }

  @Test
  void resultsWithoutTetraquarks_sayNothingOfThem() {
    try (Hdf5File file = Hdf5File.open(run("pion", "--tetraquarks", "sampled"))) {
      assertFalse(file.attributes("/").has("tetraquarks"));
    }
  }

  @Test
  void tetraquarks_ofAnotherKind_areRefused() {
    Cli result =
        Cli.run("run", "tcc", "--data", DATA, "--tetraquarks", "all", "--out", folder.toString());
    assertTrue(
        result.err().contains("--tetraquarks: expected elementals or sampled, found 'all'"),
        result.err());
  }

  @Test
  void memoryThatIsTooSmall_isNamed() {
    Cli result =
        Cli.run(
            "run", "tcc", "--data", DATA, "--out", folder.toString(), "--device-memory", "10KiB");
    assertNotEquals(0, result.status());
    assertTrue(result.err().contains("--device-memory"), result.err());
  }
}
