package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What the tests find is a matter of {@code ConventionCheckTest}; here is how it is said. */
final class CheckCommandTest {
  private static final Path DATA = Path.of("../examples/data");

  @TempDir private Path folder;

  @Test
  void soundData() throws Exception {
    Cli text = Cli.run("check", DATA.toString()).ok();
    assertTrue(text.out().startsWith("quenched_4x8: conventions of the data\n"), text.out());
    text.prints("  spin-indices strange          passed: x = ");
    Cli one = Cli.run("check", DATA.toString(), "--configurations", "2", "--json");
    JsonNode json = one.json();
    assertEquals("[2]", json.get("configurations").toString());
    assertEquals("quenched_4x8", json.get("ensemble").asText());
    assertEquals(0, json.get("failed").asInt());
    assertEquals(15, json.get("tests").size());
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
    Cli.run("check", file.toString())
        .refusedAs("1 test failed")
        .prints("failed: deviation = 1 (expected")
        .prints("is not the unit matrix: a factor is missing");
  }

  @Test
  void wrongUse() {
    Cli.run("check", DATA.toString(), "--configurations", "7,9")
        .refusedAs("--configurations 7,9: the data have 1, 2");
    assertEquals(2, Cli.run("check", "no-such-file.h5").status());
  }

  private static final Path CURRENTS = Path.of("../examples/data-currents");

  /** A meson, two hadrons and a baryon: two-point runs alone give the same. */
  @ParameterizedTest
  @ValueSource(strings = {"rho_to_pi", "pipi_to_rho", "nucleon_ff"})
  void threePointFunctions_areThoseOfTwoPointRuns(String definition) throws Exception {
    Cli check =
        Cli.line("check --three-point %s --data %s --sources 0,4 --json", definition, CURRENTS)
            .ok();
    JsonNode json = check.json();
    int connected = 0;
    for (JsonNode test : json.get("tests")) {
      if (test.get("test").asText().equals("connected")) {
        connected++;
        assertEquals("passed", test.get("verdict").asText(), test.toString());
        double difference = test.get("measured").get("difference").asDouble();
        assertTrue(difference >= 0 && difference < 1e-12, test.toString());
      }
    }
    assertEquals(definition.equals("nucleon_ff") ? 3 : 2, connected);
  }

  @Test
  void alteredBlock_isFound() throws Exception {
    Path file = folder.resolve("currents.h5");
    Files.copy(CURRENTS.resolve("quenched_4x8_currents_cfg0001.h5"), file);
    Path out = folder.resolve("out");
    Cli.run("run", "ff_pion", "--data", file.toString(), "--out", out.toString()).ok();
    String result = out.resolve("ff_pion.h5").toString();
    Cli.run("check", "--three-point", result, file.toString()).ok().prints("separations 1-3, 5-7");
    try (Hdf5File data = Hdf5File.openForUpdate(file);
        Hdf5Dataset dataset = data.dataset("generalized_perambulators/light-light/g4/none/0_0_1")) {
      double[] values = dataset.readAll();
      // The block with sink and insertion times 4 and 2 and source time 0, of [2, 8, 2, 256].
      int block = 2 * 256 * ((8 + 2) * 2);
      for (int k = 0; k < 2 * 256; k++) {
        values[block + k] *= 1.001;
      }
      dataset.writeAll(values);
    }
    Cli.run("check", "--three-point", result, file.toString())
        .failedAs("1 test failed")
        .prints("connected conserved           passed")
        .prints("'insertion/local/connected', insertion separation 2, separation 4, sink operator");
    Cli.run("check", "--three-point", result, file.toString(), "--insertion-separations", "0-1")
        .ok();
  }

  @Test
  void whatCannotBeChecked_isSaid() throws Exception {
    Cli.run("check", CURRENTS.toString(), "--three-point", "kaon_to_pion")
        .refused("'vector': it changes flavour");
    Cli.run("check", CURRENTS.toString(), "--three-point", "pion")
        .refused("needs three-point functions");
    Cli nothing = Cli.run("check", "--three-point", "ff_pion");
    assertEquals("starling: no data given; name files, folders or globs\n", nothing.err());
    Path file = folder.resolve("currents.h5");
    Files.copy(CURRENTS.resolve("quenched_4x8_currents_cfg0001.h5"), file);
    String out = folder.resolve("out").toString();
    assertEquals(0, Cli.run("run", "ff_pion", "--data", file.toString(), "--out", out).status());
    try (Hdf5File data = Hdf5File.openForUpdate(file)) {
      data.delete("generalized_perambulators/light-light/g4/none");
    }
    Cli.run("check", "--three-point", out + "/ff_pion.h5", file.toString())
        .ok()
        .prints("connected local               not measured\n")
        .prints("'light-light/g4/none/0_0_1'");
  }
}
