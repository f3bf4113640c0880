package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Definitions with stochastic lines on the bundled data. */
final class StochasticRunTest {
  private static final Path EXAMPLES = Path.of("../examples");
  private static final String EXACT = EXAMPLES.resolve("data/quenched_4x8_cfg0001.h5").toString();
  private static final String SINKS =
      EXAMPLES.resolve("data-stochastic/quenched_4x8_stochastic_cfg0001.h5").toString();

  @TempDir Path folder;

  private static double[] numbers(Path file, String dataset) {
    try (Hdf5File hdf5 = Hdf5File.open(file)) {
      return hdf5.dataset(dataset).readAll();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diluted_pion",
        "diluted_rho_pipi",
        "diluted_rho_relative",
        "diluted_kpi",
        "diluted_kpi_mixed",
        "diluted_nucleon",
        "diluted_conjugate"
      })
  void run_isTheReference(String name) {
    String definition = EXAMPLES.resolve("stochastic/" + name + ".yaml").toString();
    Cli cli =
        Cli.run(
            "run",
            definition,
            "--data",
            EXACT,
            SINKS,
            "--sources",
            "0,3",
            "--out",
            folder.toString());
    assertEquals(0, cli.status(), cli.err());
    double[] expected =
        numbers(EXAMPLES.resolve("reference-stochastic/" + name + ".h5"), "cfg_0001/correlator");
    double[] actual = numbers(folder.resolve(name + ".h5"), "cfg_0001/correlator");
    double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
    assertArrayEquals(expected, actual, 1e-12 * largest);
  }
}
