package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /** What a Python program prints, or why it fails. */
  private String run(String python, String program) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(python, "-c", program)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? output : "failed: " + output;
  }

  /** The first Python that has the libraries; the test is skipped where none has. */
  private String pythonWithLibraries() throws IOException, InterruptedException {
    String why = "";
    for (String python : List.of("python3", "/usr/bin/python3")) {
      String answer = run(python, "import h5py, numpy; print('there')");
      if (answer.equals("there\n")) {
        return python;
      }
      why += python + ": " + answer.strip() + "; ";
    }
    assumeTrue(false, "needs python3 with h5py and numpy: " + why);
    return "";
  }

  @Test
  void example_findsTheSameMeansAndErrors() throws Exception {
    String python = pythonWithLibraries();
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/analysis.md")));
    assertTrue(example.find(), "the page has lost its example");
    CorrelatorAnalysis analysis =
        CorrelatorAnalysis.of(
            CorrelatorLoader.load(List.of(ResultFixture.reference("pion.h5")), Selection.ALL)
                .get(0),
            AnalysisOptions.DEFAULT);
    AnalysisFile.write(folder.resolve("pion_analysis.h5"), analysis);
    String[] numbers = run(python, example.group(1)).strip().split(" ");
    assertEquals(16, numbers.length, String.join(" ", numbers));
    for (int t = 0; t < 8; t++) {
      Estimate expected = analysis.correlator().real(t, 0, 0);
      assertEquals(expected.value(), Double.parseDouble(numbers[t]));
      assertEquals(expected.error(), Double.parseDouble(numbers[8 + t]), 1e-12 * expected.value());
    }
  }
}
