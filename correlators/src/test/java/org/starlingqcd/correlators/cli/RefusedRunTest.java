package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** That a run which is refused before its first unit is computed leaves everything as it was. */
final class RefusedRunTest {
  private static final Path DATA = Path.of("../examples/data");
  private static final Path ONE = DATA.resolve("quenched_4x8_cfg0001.h5");
  private static final Path TWO = DATA.resolve("quenched_4x8_cfg0002.h5");

  @TempDir Path folder;
  private Path out = Path.of("");

  @BeforeEach
  void nameOut() {
    out = folder.resolve("results/mine");
  }

  private Cli run(String... args) {
    return Cli.run(Cli.words("run --backend cpu --out %s", out), args);
  }

  private void assertLeavesEverything(String reason, String... args) throws IOException {
    Map<String, String> before = ResultAssert.everything(folder);
    run(args).refused(reason);
    // By name first, since whole files make poor messages.
    Map<String, String> after = ResultAssert.everything(folder);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((name, contents) -> assertEquals(contents, after.get(name), name));
  }

  /** Without a result, with one to be continued, and with one to be overwritten. */
  private void assertLeavesEverything(String reason, List<String> args) throws IOException {
    assertLeavesEverything(reason, args.toArray(String[]::new));
    assertFalse(Files.exists(out.getParent()));
    assertEquals(0, run("pion", "rho_pipi", "--data", ONE.toString(), "--sources", "5,7").status());
    assertLeavesEverything(reason, args.toArray(String[]::new));
    List<String> overwriting = new ArrayList<>(args);
    overwriting.add("--overwrite");
    assertLeavesEverything(reason, overwriting.toArray(String[]::new));
    try (Hdf5File result = Hdf5File.open(out.resolve("pion.h5"))) {
      assertEquals(
          "[5, 7]", Arrays.toString(result.attributes("cfg_0001").integers("source_times")));
    }
  }

  @Test
  void tooLittleMemory() throws IOException {
    assertLeavesEverything(
        "device memory of 1000 bytes is too small for these definitions",
        List.of(Cli.words("pion rho_pipi --data %s --sources 5,6 --device-memory 1000", DATA)));
  }

  @Test
  void tooLittleFastMemory() throws IOException {
    assertLeavesEverything(
        "fast memory of 4.80 KiB is too small for these definitions at N = 8: the largest"
            + " contraction needs 49152 bytes (--fast-memory 48.00KiB would do)",
        List.of(
            Cli.words(
                "rho_pipi --data %s --sources 5,6 --device-memory 48KiB --fast-memory 10%", DATA)));
  }

  @Test
  void damagedData() throws IOException {
    Path bad = folder.resolve("bad.h5");
    byte[] two = Files.readAllBytes(TWO);
    Files.write(bad, Arrays.copyOf(two, two.length / 2));
    assertLeavesEverything(
        bad + ": is truncated",
        List.of("pion", "rho_pipi", "--data", ONE.toString(), "--data", bad.toString()));
  }

  @Test
  void missingData() throws IOException {
    Path definition = folder.resolve("far.yaml");
    Files.writeString(
        definition,
        """
        name: far
        momentum: [3, 3, 3]
        operators:
          - {name: pi, terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [3, 3, 3]}]}]}
        """);
    assertLeavesEverything(
        "3_3_3", List.of("pion", definition.toString(), "--data", ONE.toString()));
  }

  /** Data that pass all checks and turn out to be none when the first unit is read. */
  private Path withoutNumbers() throws IOException {
    Path bad = folder.resolve("bad.h5");
    Files.copy(ONE, bad);
    try (Hdf5File file = Hdf5File.openForUpdate(bad);
        Hdf5Dataset dataset = file.dataset("perambulators/light")) {
      double[] numbers = dataset.readAll();
      Arrays.fill(numbers, Double.NaN);
      dataset.writeAll(numbers);
    }
    return bad;
  }

  @Test
  void numbersThatAreNone() throws IOException {
    assertLeavesEverything(
        "perambulators/light", List.of("pion", "rho_pipi", "--data", withoutNumbers().toString()));
  }

  @Test
  void everythingLeftOut_replacesNothing() throws IOException {
    assertEquals(0, run("pion", "--data", ONE.toString()).status());
    String bad = withoutNumbers().toString();
    Map<String, String> before = ResultAssert.everything(folder);
    Cli kept = run("pion", "rho_pipi", "--data", bad, "--keep-going", "--overwrite", "--json");
    assertEquals(1, kept.status(), kept.err());
    assertEquals(before, ResultAssert.everything(folder));
    // What is not there is not named either.
    kept.prints("pion.h5");
    assertFalse(kept.out().contains("rho_pipi.h5"), kept.out());
  }

  @Test
  void anotherDefinition() throws IOException {
    assertEquals(0, run("pion", "rho_pipi", "--data", ONE.toString()).status());
    Path other = folder.resolve("pion.yaml");
    Files.writeString(
        other,
        """
        name: rho_pipi
        operators:
          - {name: pi, terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]}
        """);
    assertLeavesEverything(
        "holds results of another definition of the name 'rho_pipi'",
        "a1_rhopi",
        other.toString(),
        "--data",
        ONE.toString());
    Path broken = folder.resolve("broken.yaml");
    Files.writeString(broken, "name: rho_pipi\noperators: [{name: a, hadrons: []}]\n");
    assertLeavesEverything(
        broken + ", line 2", "pion", broken.toString(), "--data", ONE.toString(), "--overwrite");
  }

  @Test
  void planOfSomethingElse() throws IOException {
    Path plan = folder.resolve("pion.plan");
    assertEquals(0, Cli.run("plan", "pion", "--save", plan.toString()).status());
    assertLeavesEverything(
        "pion.plan", List.of("rho_pipi", "--data", ONE.toString(), "--plan", plan.toString()));
  }

  @Test
  void nothingToCompute_makesAResultOfNoUnits() throws IOException {
    // Two units in three parts: one of them is empty, and yet a part.
    for (String shard : List.of("1/3", "2/3", "3/3")) {
      assertEquals(0, run("pion", "--data", DATA.toString(), "--shard", shard).status());
      assertTrue(Files.exists(out.resolve("pion.shard-" + shard.charAt(0) + "-of-3.h5")), shard);
    }
    assertEquals(0, Cli.run("merge", out.toString(), "--out", out.toString()).status());
  }
}
