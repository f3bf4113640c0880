package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;

/** {@code starling check-precision} on the example data. */
@Tag("slow")
final class CheckPrecisionTest {
  private static final String DATA = "../examples/data";

  @TempDir private Path folder;

  private Cli check(String... more) {
    String start = "check-precision rho_pipi --data %s --backend cpu --separations 0-3";
    return Cli.run(words(start, DATA), more).ok();
  }

  @Test
  void errors_areRelativeToDiagonalsAndStatistics() throws IOException {
    String out = folder.resolve("results").toString();
    JsonNode alone = json(check("--out", out, "--json"));
    assertEquals(0, alone.get("configurations_of_statistical_errors").asInt());
    assertEquals(9 * 4, alone.get("elements").size());
    assertTrue(alone.get("elements").get(0).get("statistical").isNull());
    double largest = alone.get("largest_relative").asDouble();
    assertTrue(largest > 1e-12 && largest < 256 * 0x1p-24, "largest " + largest);
    assertFalse(Files.exists(Path.of(out)));
    Cli.run(words("run rho_pipi --data %s --backend cpu --separations 0-3 --out %s", DATA, out))
        .ok();
    JsonNode known = json(check("--out", out, "--json"));
    assertEquals(2, known.get("configurations_of_statistical_errors").asInt());
    for (JsonNode element : known.get("elements")) {
      assertTrue(element.get("statistical").asDouble() >= 0, element.toString());
    }
    String text = check("--out", out).out();
    assertTrue(text.contains("of statistical"), text);
    assertEquals(3 + 9, text.lines().count(), text);
  }

  private static JsonNode json(Cli result) throws IOException {
    return result.json().get("definitions").get(0);
  }
}
