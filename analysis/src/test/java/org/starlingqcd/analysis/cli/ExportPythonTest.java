package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.PythonProgram;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;

/** Python's own readers of JSON, HDF5 and CSV find every number in every export. */
@Tag("slow")
final class ExportPythonTest {
  @TempDir private Path folder;

  @Test
  void exports_haveTheNumbersOfTheResult() throws IOException, InterruptedException {
    PythonProgram python = PythonProgram.withLibraries();
    Path script = folder.resolve("read_exports.py");
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("read_exports.py"))) {
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
}
