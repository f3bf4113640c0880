package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultFixture;

/** Another program reads the analysis file: the Python example of {@code docs/analysis.md}. */
@Tag("slow")
final class AnalysisPythonTest {
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
            CorrelatorData.load(List.of(ResultFixture.reference("pion.h5")), Selection.ALL).get(0),
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
}
