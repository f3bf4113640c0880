package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;

/**
 * Python reads what this program writes: the example of {@code docs/analysis.md}, readers of JSON,
 * HDF5 and CSV, and the package {@code python/} with its tests and the examples of its README.
 */
@Tag("slow")
final class PythonReadersTest {
  private static final Path PACKAGE = Path.of("../python");

  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- read by a test -->\n```python\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void example_findsTheSameMeansAndErrors() throws Exception {
    PythonProgram python = PythonProgram.withLibraries();
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/analysis.md")));
    assertTrue(example.find(), "the page has lost its example");
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(
            CorrelatorData.load(List.of(ResultFixture.reference("pion.h5")), SelectionSettings.ALL)
                .get(0),
            FormulaData.OPTIONS);
    analysis.write(folder.resolve("pion_analysis.h5"));
    String[] numbers = python.run(folder, "-c", example.group(1)).strip().split(" ");
    assertEquals(16, numbers.length, String.join(" ", numbers));
    for (int t = 0; t < 8; t++) {
      Estimate expected = analysis.correlator().real(t, 0, 0);
      assertEquals(expected.value(), Double.parseDouble(numbers[t]));
      assertEquals(expected.error(), Double.parseDouble(numbers[8 + t]), 1e-12 * expected.value());
    }
  }

  @Test
  void exports_haveTheNumbersOfTheResult() throws IOException, InterruptedException {
    PythonProgram python = PythonProgram.withLibraries();
    Path script = folder.resolve("read_exports.py");
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("cli/read_exports.py"))) {
      Files.copy(in, script);
    }
    for (String name : new String[] {"a1_rhopi", "pion"}) {
      String result = ResultFixture.reference(name + ".h5").toAbsolutePath().toString();
      for (String format : new String[] {"pyerrors", "gvar", "sigmond", "csv"}) {
        Cli.run("export", result, "--format", format, "--out", folder.toString()).ok();
      }
      String numbers = name.equals("pion") ? "16" : "256";
      assertEquals(
          "same numbers: " + numbers + "\n",
          python.run(folder, script.toString(), result, folder.toString()));
    }
  }

  @Test
  void testsOfThePackage_pass() throws Exception {
    String output =
        PythonProgram.withLibraries().run(PACKAGE, "-m", "unittest", "discover", "-v", "tests");
    assertTrue(output.strip().lines().reduce("", (a, line) -> line).startsWith("OK"), output);
    assertTrue(output.contains("test_examples"), output);
  }

  /** The package is tested with what this version of the program prints. */
  @Test
  void theExpansionOfItsTests_isWhatExpandPrints() throws Exception {
    Cli expanded = Cli.run("expand", "a1_rhopi", "--json").ok();
    assertEquals(Files.readString(PACKAGE.resolve("tests/a1_rhopi.json")), expanded.out());
  }
}
