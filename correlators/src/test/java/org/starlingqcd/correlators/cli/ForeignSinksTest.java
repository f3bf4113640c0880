package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ResultAssert.numbers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.format.SinkLayouts;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Quark sinks of other programs give the correlators of the same set in Starling's own format. */
final class ForeignSinksTest {
  private static final Path DATA = Path.of("../examples/data/quenched_4x8_cfg0001.h5");
  private static final String DEFINITION = "../examples/stochastic/diluted_conjugate.yaml";

  @TempDir Path folder;

  private double[] correlator(String name, Object... data) throws IOException {
    Path definition = folder.resolve("diluted_conjugate.yaml");
    Files.writeString(
        definition,
        Files.readString(Path.of(DEFINITION)).replace("sinks: light_relative", "sinks: light"));
    Path out = folder.resolve(name);
    Cli.run(
            Cli.words("run %s --labels u=light --sources 0,3 --out %s --data", definition, out),
            Stream.of(data).map(Object::toString).toArray(String[]::new))
        .ok();
    return numbers(out.resolve("diluted_conjugate.h5"), "cfg_0001/correlator");
  }

  private static void assertAgree(double[] expected, double[] actual) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
    assertTrue(largest > 0);
    assertArrayEquals(expected, actual, 1e-12 * largest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"slaph", "hadrons", "laph"})
  void correlators_areThoseOfOurOwnFile(String format) throws IOException {
    Path own = folder.resolve("own.h5");
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    // Elementals alone go with any spin basis.
    Path elementals = Files.copy(DATA, folder.resolve("elementals.h5"));
    try (Hdf5File file = Hdf5File.openForUpdate(elementals)) {
      file.delete("perambulators");
    }
    SinkLayouts.write(format, foreign).own(own);
    Object data = format.equals("hadrons") ? "light=" + foreign : foreign;
    double[] expected = correlator("expected", elementals, own);
    assertAgree(expected, correlator("actual", elementals, data));
    Path copy = folder.resolve("copy.h5");
    Cli.line("convert %s %s --labels u=light --out %s", data, elementals, copy).ok();
    assertAgree(expected, correlator("copied", copy));
    String listed = Cli.line("inspect %s", data).ok().out();
    String noise =
        switch (format) {
          case "slaph" -> "u: D = 16, noise u_00";
          case "hadrons" -> "without a label: D = 8, noise h0_aaaa0000";
          default -> "light: D = 6, noise Z8_1";
        };
    assertTrue(listed.contains(noise + ", time classes 0"), listed);
  }
}
