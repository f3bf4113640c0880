package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;

final class ExportCommandTest {
  @TempDir private Path folder;

  private Cli export(String result, String format) {
    return Cli.run(
        words("export %s --format %s --out %s", ResultFixture.reference(result), format, folder));
  }

  private static JsonNode correlator(Path file) throws Exception {
    return Cli.run("analyze", file.toString(), "--json").ok().json().get("correlators").get(0);
  }

  /** Errors and effective masses come out the same whichever format they went through. */
  @Test
  void exported_analyzedAgain() throws Exception {
    JsonNode direct = correlator(ResultFixture.reference("a1_rhopi.h5"));
    for (String format : new String[] {"pyerrors", "gvar"}) {
      Cli exported = export("a1_rhopi.h5", format).ok();
      Path file = Path.of(exported.out().strip().substring("wrote ".length()));
      JsonNode again = correlator(file);
      for (int k = 0; k < direct.get("correlator").size(); k++) {
        JsonNode expected = direct.get("correlator").get(k);
        JsonNode found = again.get("correlator").get(k);
        assertEquals(expected.get("sink"), found.get("sink"));
        double scale = 1e-12 * (1 + Math.abs(expected.get("re").asDouble()));
        assertEquals(expected.get("re").asDouble(), found.get("re").asDouble(), scale);
        assertEquals(expected.get("im").asDouble(), found.get("im").asDouble(), scale);
        assertEquals(expected.get("re_error").asDouble(), found.get("re_error").asDouble(), scale);
      }
    }
  }

  @Test
  void everyFormat_isWritten() {
    for (String format : new String[] {"pyerrors", "gvar", "sigmond", "csv"}) {
      Cli result = export("sigma.h5", format).ok();
      assertTrue(Files.exists(Path.of(result.out().strip().substring("wrote ".length()))));
      assertEquals(
          format.equals("pyerrors"), result.err().contains("refuses chains of fewer than 5"));
      assertEquals(format.equals("sigmond"), result.err().contains("one-point functions are not"));
    }
  }

  @Test
  void wrongUse() throws Exception {
    assertEquals(2, export("pion.h5", "word").status());
    assertEquals(2, Cli.run("export", ResultFixture.reference("pion.h5").toString()).status());
    Path file = Files.createFile(folder.resolve("file"));
    Cli.run(words("export %s --format csv --out %s", ResultFixture.reference("pion.h5"), file))
        .refusedAs(file + ": is a file; --out needs a folder");
  }
}
