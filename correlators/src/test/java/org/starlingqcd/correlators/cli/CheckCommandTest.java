package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What the tests find is a matter of {@code ConventionCheckTest}; here is how it is said. */
final class CheckCommandTest {
  private static final Path DATA = Path.of("../examples/data");

  @TempDir private Path folder;

  @Test
  void soundData() throws Exception {
    Cli text = Cli.run("check", DATA.toString());
    assertEquals(0, text.status(), text.err());
    assertTrue(text.out().startsWith("quenched_4x8: conventions of the data\n"), text.out());
    assertTrue(text.out().contains("  spin-indices strange          passed: x = "), text.out());
    Cli one = Cli.run("check", DATA.toString(), "--configurations", "2", "--json");
    JsonNode json = new ObjectMapper().readTree(one.out());
    assertEquals("[2]", json.get("configurations").toString());
    assertEquals("quenched_4x8", json.get("ensemble").asText());
    assertEquals(0, json.get("failed").asInt());
    assertEquals(14, json.get("tests").size());
    for (JsonNode test : json.get("tests")) {
      assertEquals("passed", test.get("verdict").asText(), test.toString());
      assertEquals("", test.get("meaning").asText());
      assertTrue(test.get("measured").size() > 0, test.toString());
      assertTrue(test.has("label") && test.has("expected"), test.toString());
    }
  }

  @Test
  void wrongData_fail() throws Exception {
    Path file = Files.copy(DATA.resolve("quenched_4x8_cfg0001.h5"), folder.resolve("a.h5"));
    try (Hdf5File data = Hdf5File.openForUpdate(file);
        Hdf5Dataset dataset = data.dataset("elementals/meson/none/0_0_0")) {
      double[] values = dataset.readAll();
      values[0] = 2;
      dataset.writeAll(values);
    }
    Cli result = Cli.run("check", file.toString());
    assertEquals(2, result.status());
    assertEquals("starling: 1 test failed\n", result.err());
    assertTrue(result.out().contains("failed: deviation = 1 (expected"), result.out());
    assertTrue(result.out().contains("is not the unit matrix: a factor is missing"), result.out());
  }

  @Test
  void wrongUse() {
    Cli result = Cli.run("check", DATA.toString(), "--configurations", "7,9");
    assertEquals(2, result.status());
    assertEquals("starling: --configurations 7,9: the data have 1, 2\n", result.err());
    assertEquals(2, Cli.run("check", "no-such-file.h5").status());
  }
}
