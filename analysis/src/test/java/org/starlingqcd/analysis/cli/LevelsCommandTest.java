package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Levels of known energies. */
final class LevelsCommandTest {
  private static final double ENERGY = 1.1;

  @TempDir private Path folder;

  /** Two pions of energy 0.3 each, with the same noise, on a periodic lattice. */
  private static double pions(Random random, int c, int dt, int hadrons, double shift) {
    double common = 1 + 0.02 * new Random(c).nextGaussian();
    return Math.pow(common * (Math.exp(-0.3 * dt) + Math.exp(-0.3 * (8 - dt))), hadrons)
        * Math.exp(-shift * dt)
        * (1 + 0.001 * random.nextGaussian());
  }

  private String pions(String name, String text, Random random, int hadrons, double shift) {
    return AverageCommandTest.result(
        folder, name, text, List.of("o"), (c, s, dt) -> pions(random, c, dt, hadrons, shift), 0);
  }

  @Test
  void levels_comeFromRatios_withErrorsOfMasses() throws Exception {
    Random random = new Random(7);
    String hadron = "{meson: pi, momentum: [0, 0, 0]}";
    String definition =
        "isospin: [%1$d, %1$d]\nirrep: A1%2$s\noperators: [{name: o, hadrons: [%3$s]}]";
    String pion = pions("pi", definition.formatted(1, "-", hadron), random, 1, 0);
    String two =
        pions("two", definition.formatted(2, "+", hadron + ", " + hadron), random, 2, 0.02);
    Path hdf5 = folder.resolve("levels.h5");
    Path gvar = folder.resolve("gvar.h5");
    Path pyerrors = folder.resolve("levels.json.gz");
    Cli cli =
        Cli.run(
                words(
                    "levels %s --masses pi=%s --ratios pi=%s -L 16 --json --out %s --gvar %s --pyerrors %s",
                    two, pion, pion, hdf5, gvar, pyerrors))
            .ok();
    JsonNode json = cli.json();
    JsonNode level = json.get("levels").get(0);
    assertEquals(0.02, level.get("shift").asDouble(), 4 * level.get("shift_error").asDouble());
    assertTrue(level.get("shift_error").asDouble() < 0.001, cli.out());
    assertEquals("pi[0] pi[0]", level.get("hadrons").asText());
    double mass = json.get("mass_pi").asDouble();
    assertEquals(2 * mass + level.get("shift").asDouble(), level.get("energy").asDouble(), 1e-12);
    // E/m = 2 + ΔE/m: the noise of the mass cancels.
    assertTrue(
        level.get("energy_cm_by_mass_error").asDouble()
            < 2 * level.get("shift_error").asDouble() / mass,
        cli.out());
    assertEquals(2 * mass, json.get("non_interacting").get(0).get("energy").asDouble(), 1e-12);
    String name = "A1+/0_0_0/level_0/k_squared";
    double k2 = level.get("k_squared").asDouble();
    double error = level.get("k_squared_error").asDouble();
    try (Hdf5File tags = Hdf5File.open(gvar);
        Hdf5File levels = Hdf5File.open(hdf5)) {
      double[] measured = tags.dataset(name.replace('/', '.')).readAll();
      assertEquals(k2, StatUtils.mean(measured), 1e-12);
      assertEquals(error, Math.sqrt(StatUtils.variance(measured) / 40), 1e-9);
      assertEquals(k2, levels.dataset(name + "/mean").readAll()[0]);
    }
    JsonNode list = Written.json(pyerrors).get("obsdata").get(0);
    assertEquals("List", list.get("type").asText());
    for (int k = 0; k < list.get("tag").size(); k++) {
      if (list.get("tag").get(k).asText().equals(name)) {
        assertEquals(k2, list.get("value").get(k).asDouble(), 1e-12);
      }
    }
    Cli.run("levels", two, "--masses", "pi=" + pion, "-L", "16", "--configurations", "1-30").ok();
    Cli.run("levels", two, "--masses", "pi=nofile.h5", "-L", "16")
        .notes("--masses takes a number or an existing result file");
    Cli.run("levels", two, "--masses", "pi=0.3", "--ratios", "K=" + pion, "-L", "16")
        .notes("--ratios takes NAME=RESULT");
  }

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
    Cli cli = Cli.run(words("levels %s --masses pi=0.3,K=0.4 -L 16 --json", file)).ok();
    JsonNode level = cli.json().get("levels").get(0);
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
    Cli.line("levels %s --masses pi=0.3 -L 16 --xi 2 --out %s", file, out)
        .ok()
        .prints("A1     0_0_1");
    try (Hdf5File hdf5 = Hdf5File.open(out)) {
      double[] mean = Written.numbers(hdf5, "A1/0_0_1/level_0/energy_cm/mean", 1);
      assertEquals(Math.sqrt(e * e - p * p / 4), mean[0], 1e-12);
      Written.numbers(hdf5, "A1/0_0_1/level_0/k_squared/samples", 40, 1);
    }
  }

  @Test
  void whatHasNoPlace_isRefused() {
    String file = moving("a");
    Cli.run("levels", file, moving("b"), "--masses", "pi=0.3", "-L", "16")
        .refused("b: another result has levels of irrep A1");
    Cli.run("levels", file, "--masses", "pi=0.3", "-L", "4")
        .ok()
        .prints("the energy is below that of the momentum");
    Map.of(
            "-L must be at least 1", "-L 0 --masses pi=0.3",
            "--masses must be positive", "-L 4 --masses pi=-1",
            "--masses takes one or two", "-L 4 --masses a=1,b=1,c=1",
            "--xi must be positive", "-L 4 --masses a=1 --xi 0")
        .forEach((message, options) -> Cli.line("levels %s " + options, file).refused(message));
  }
}
