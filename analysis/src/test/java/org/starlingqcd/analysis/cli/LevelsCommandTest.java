package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Levels of known energies. */
final class LevelsCommandTest {
  private static final double ENERGY = 1.1;

  @TempDir private Path folder;

  private String moving(String name) {
    Random random = new Random(5);
    String definition =
        """
        isospin: [1, 1]
        momentum: [0, 0, 1]
        irrep: A1
        operators:
          - name: o
            hadrons: [{meson: rho, momentum: [0, 0, 1], polarization: z}]
        """;
    return AverageCommandTest.result(
        folder,
        name,
        definition,
        List.of("o"),
        (c, s, dt) ->
            (Math.exp(-ENERGY * dt) + Math.exp(-ENERGY * (8 - dt)))
                * (1 + 0.01 * random.nextGaussian()),
        0);
  }

  @Test
  void levels_areBoosted_andWritten() throws Exception {
    String file = moving("rho_001");
    Path out = folder.resolve("levels.h5");
    String[] options = {"levels", file, "--masses", "pi=0.3,K=0.4", "-L", "16", "--json"};
    Cli cli = Cli.run(options);
    assertEquals(0, cli.status(), cli.err());
    JsonNode level = new ObjectMapper().readTree(cli.out()).get("levels").get(0);
    assertEquals("A1", level.get("irrep").asText());
    double e = level.get("energy").asDouble();
    assertEquals(ENERGY, e, 3 * level.get("energy_error").asDouble());
    double p = 2 * Math.PI / 16;
    double rest = Math.sqrt(e * e - p * p);
    assertEquals(rest, level.get("energy_cm").asDouble(), 1e-12);
    assertEquals(rest / 0.3, level.get("energy_cm_by_mass").asDouble(), 1e-12);
    double k2 = level.get("k_squared").asDouble();
    assertEquals(rest, Math.sqrt(k2 + 0.09) + Math.sqrt(k2 + 0.16), 1e-12);
    double error = level.get("energy_error").asDouble() * e / rest;
    assertEquals(error, level.get("energy_cm_error").asDouble(), 0.01 * error);
    Cli written =
        Cli.run(
            "levels", file, "--masses", "pi=0.3", "-L", "16", "--xi", "2", "--out", out.toString());
    assertEquals(0, written.status(), written.err());
    assertTrue(written.out().contains("A1     0_0_1"), written.out());
    try (Hdf5File hdf5 = Hdf5File.open(out);
        Hdf5Dataset mean = hdf5.dataset("A1/0_0_1/level_0/energy_cm/mean");
        Hdf5Dataset samples = hdf5.dataset("A1/0_0_1/level_0/k_squared/samples")) {
      assertEquals(Math.sqrt(e * e - p * p / 4), mean.readAll()[0], 1e-12);
      assertEquals(40, samples.readAll().length);
    }
  }

  @Test
  void whatHasNoPlace_isRefused() {
    String file = moving("a");
    Cli twice = Cli.run("levels", file, moving("b"), "--masses", "pi=0.3", "-L", "16");
    assertEquals(2, twice.status());
    assertTrue(twice.err().contains("b: another result has levels of irrep A1"), twice.err());
    Cli small = Cli.run("levels", file, "--masses", "pi=0.3", "-L", "4");
    assertEquals(0, small.status(), small.err());
    assertTrue(small.out().contains("the energy is below that of the momentum"), small.out());
    for (String[] wrong :
        new String[][] {
          {"-L must be at least 1", "-L", "0", "--masses", "pi=0.3"},
          {"--masses must be positive", "-L", "4", "--masses", "pi=-1"},
          {"--masses takes one or two", "-L", "4", "--masses", "a=1,b=1,c=1"},
          {"--xi must be positive", "-L", "4", "--masses", "a=1", "--xi", "0"},
        }) {
      List<String> args = new ArrayList<>(List.of(wrong));
      args.set(0, file);
      args.add(0, "levels");
      Cli cli = Cli.run(args.toArray(String[]::new));
      assertEquals(2, cli.status(), cli.out());
      assertTrue(cli.err().contains(wrong[0]), cli.err());
    }
  }
}
