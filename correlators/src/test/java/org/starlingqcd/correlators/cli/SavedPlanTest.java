package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.RotatedBasis;
import org.starlingqcd.correlators.result.ResultAssert;

/** Plans kept by {@code starling plan --save} and used by {@code starling run --plan}. */
final class SavedPlanTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";
  private static final List<String> NAMES = List.of("rho_pipi", "nucleon");

  @TempDir Path folder;
  private Path saved = Path.of("");

  @BeforeEach
  void save() {
    saved = folder.resolve("plan.txt");
    Cli.run("plan", "rho_pipi", "nucleon", "--save", saved.toString()).ok();
  }

  private Cli run(String out, List<String> names, String... more) {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(names);
    all.addAll(List.of("--out", folder.resolve(out).toString(), "--separations", "0-3"));
    all.addAll(List.of(more));
    if (!all.contains("--data")) {
      all.addAll(List.of("--data", DATA));
    }
    return Cli.run(all.toArray(String[]::new));
  }

  @Test
  void run_withASavedPlan_givesTheSameBits() {
    assertEquals(0, run("planned", NAMES).status());
    run("reused", NAMES, "--plan", saved.toString()).ok();
    for (String name : NAMES) {
      assertArrayEquals(numbers("planned", name), numbers("reused", name), name);
    }
  }

  private double[] numbers(String out, String name) {
    return ResultAssert.numbers(folder.resolve(out).resolve(name + ".h5"), "cfg_0001/correlator");
  }

  @Test
  void dataThatMixComponentsOfBaryons_needAPlanForThem() throws IOException {
    String data = Files.copy(Path.of(DATA), folder.resolve("mixed.h5")).toString();
    RotatedBasis.declare(Path.of(data), RotatedBasis.withinChiralities(0.3, -0.8));
    assertRefused(
        run("other", NAMES, "--plan", saved.toString(), "--data", data),
        saved
            + ": made for data whose spin basis keeps the components of baryons apart; the basis of"
            + " these data mixes them; plan again with --mixed-components and save anew");
    assertEquals(0, run("planned", NAMES, "--data", data).status());
    List<String> plan = new ArrayList<>(List.of("plan", "--mixed-components"));
    plan.addAll(NAMES);
    plan.addAll(List.of("--save", saved.toString()));
    assertEquals(0, Cli.run(plan.toArray(String[]::new)).status());
    run("reused", NAMES, "--plan", saved.toString(), "--data", data).ok();
    for (String name : NAMES) {
      assertArrayEquals(numbers("planned", name), numbers("reused", name), name);
    }
    assertRefused(
        run("usual", NAMES, "--plan", saved.toString()),
        "plan again without --mixed-components and save anew");
  }

  @Test
  void settingsFile_namesThePlanFromItsOwnFolder() throws IOException {
    Path settings = folder.resolve("run.yaml");
    Files.writeString(settings, "plan: plan.txt\nvector_size: 3\nwithout: [trace_blocks]\n");
    run("reused", NAMES, "--settings", settings.toString()).ok();
    Files.writeString(settings, "plan: elsewhere.txt\n");
    assertRefused(run("other", NAMES, "--settings", settings.toString()), "elsewhere.txt: no such");
  }

  @Test
  void planOfOtherDefinitionsOrOptions_isRefused() {
    String file = saved.toString();
    assertRefused(
        run("other", List.of("pion"), "--plan", file),
        file + ": made for the definitions [rho_pipi, nucleon], not for [pion]; plan again");
    assertRefused(
        run("other", List.of("nucleon", "rho_pipi"), "--plan", file),
        "not for [nucleon, rho_pipi]");
    assertRefused(
        run("other", NAMES, "--plan", file, "--without", "accumulation"),
        file + ": made with the options");
  }

  @Test
  void changedDefinition_isRefused() throws IOException {
    Path definition = folder.resolve("rho_pipi.yaml");
    String text = Files.readString(Path.of("../examples/definitions/rho_pipi.yaml"));
    Files.writeString(definition, text.replaceFirst("isospin: .1, -1.", "isospin: [1, 0]"));
    assertRefused(
        run("other", List.of(definition.toString(), "nucleon"), "--plan", saved.toString()),
        "made for another definition of the name rho_pipi");
  }

  @Test
  void truncatedOrDamagedOrOtherVersion_isRefused() throws IOException {
    String text = Files.readString(saved);
    Files.writeString(saved, text.substring(0, text.length() / 2));
    assertRefused(run("other", NAMES, "--plan", saved.toString()), "cut short");
    Files.writeString(saved, text.replaceFirst("\"destination\":4", "\"destination\":5"));
    assertRefused(run("other", NAMES, "--plan", saved.toString()), "damaged");
    Files.writeString(saved, text.replaceFirst("starling-plan 8", "starling-plan 9"));
    assertRefused(run("other", NAMES, "--plan", saved.toString()), "version 9 of the plan format");
    Files.write(saved, new byte[] {(byte) 0xff, 0, 1});
    assertRefused(run("other", NAMES, "--plan", saved.toString()), "not a plan file");
    assertRefused(run("other", NAMES, "--plan", folder.toString()), "cannot be read");
  }

  private void assertRefused(Cli result, String reason) {
    assertEquals(2, result.status(), result.err());
    // Lines before the error are progress.
    List<String> lines = result.err().lines().toList();
    String error = lines.get(lines.size() - 1);
    assertTrue(error.startsWith("starling: --plan "), result.err());
    assertTrue(error.contains(reason), error);
    assertFalse(Files.exists(folder.resolve("other").resolve("rho_pipi.h5")));
  }
}
