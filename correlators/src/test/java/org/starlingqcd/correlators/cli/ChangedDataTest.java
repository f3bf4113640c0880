package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Data of one ensemble that change between runs of one result. */
final class ChangedDataTest {
  @TempDir Path folder;

  private Path data(int n, int seed) {
    Path data = folder.resolve("data_" + n + "_" + seed);
    if (Files.exists(data)) {
      return data;
    }
    succeed(
        Cli.words(
            "synth -N %s -T 4 -L 4 --momentum-squared 1 --labels light --seed %s --out %s",
            n, seed, data));
    return data;
  }

  /** Data of another configuration whose quarks have a mass. */
  private Path quark(int configuration, Object mass) {
    Path data = folder.resolve("mass" + configuration);
    succeed(
        Cli.words(
            "synth -N 2 -T 4 -L 4 --momentum-squared 1 --labels light --configurations %s --out %s",
            configuration, data));
    try (Hdf5File file =
        Hdf5File.openForUpdate(data.resolve("synthetic_cfg000" + configuration + ".h5"))) {
      Hdf5Attributes attributes = file.attributes("perambulators/light");
      if (mass instanceof Double number) {
        attributes.put("mass", number);
      } else {
        attributes.put("mass", mass.toString());
      }
    }
    return data;
  }

  private static Cli succeed(String... args) {
    Cli cli = Cli.run(args).ok();
    return cli;
  }

  private Cli run(Path data, String out, String source, String... more) {
    return Cli.run(
        Cli.words(
            "run pion --data %s --backend cpu --sources %s --out %s",
            data, source, folder.resolve(out)),
        more);
  }

  private static void assertRefused(Cli cli, String... phrases) {
    assertEquals(2, cli.status(), cli.err());
    for (String phrase : phrases) {
      cli.notes(phrase);
    }
  }

  private List<String> recorded(String out) {
    try (Hdf5File file = Hdf5File.open(folder.resolve(out).resolve("pion.h5"))) {
      return file.attributes("cfg_0001").strings("data");
    }
  }

  @Test
  void anotherNumberOfEigenvectors_isRefused() {
    assertEquals(0, run(data(4, 1), "out", "0").status());
    assertRefused(
        run(data(2, 1), "out", "1", "--allow-changed-data"),
        "holds results of data with N = 4 instead of 2; give another --out");
    assertEquals(0, run(data(2, 1), "out", "1", "--overwrite").status());
  }

  @Test
  void otherNumbersOfOneConfiguration_areRefused_unlessTheyAreAllowed() {
    Path first = data(4, 1);
    Path second = data(4, 2);
    assertEquals(0, run(first, "out", "0").status());
    assertEquals(2, recorded("out").size());
    assertRefused(
        run(second, "out", "1"),
        "pion.h5: units of configuration 1 were computed from other data: now perambulators/light at"
            + " (sink, source) = (0, 0): ",
        ", not ",
        "--allow-changed-data");
    // The same data with more sources are the same.
    assertEquals(0, run(first, "out", "2").status());
    assertEquals(2, recorded("out").size());
    assertEquals(0, run(second, "out", "1", "--allow-changed-data").status());
    assertEquals(4, recorded("out").size());
    // Both stand in the result now.
    assertEquals(0, run(first, "out", "3").status());
    assertEquals(4, recorded("out").size());
  }

  @Test
  void anotherMassOfAQuark_isRefused_unlessItIsAllowed() {
    Path first = quark(1, "-0.0840");
    Path same = quark(2, -0.084);
    Path other = quark(3, "-0.0743");
    assertEquals(0, run(first, "out", "0").status());
    assertTrue(recorded("out").contains("mass of light: -0.084"));
    assertEquals(0, run(same, "out", "0").status());
    assertRefused(
        run(other, "out", "0"),
        "pion.h5: other configurations were computed from other data: configuration 3 has mass of"
            + " light: -0.0743, not -0.084",
        "--allow-changed-data");
    assertEquals(0, run(other, "b", "0").status());
    String[] merge =
        Cli.words(
            "merge %s %s --partial --out %s",
            folder.resolve("out/pion.h5"), folder.resolve("b/pion.h5"), folder.resolve("joined"));
    assertRefused(
        Cli.run(merge),
        folder.resolve("b/pion.h5")
            + ": configuration 3 is of other data than others: mass of light: -0.0743, not -0.084");
    assertEquals(0, run(other, "out", "0", "--allow-changed-data").status());
    assertEquals(0, run(other, "out", "1").status());
    assertEquals(0, run(first, "out", "1").status());
    // Within one run; a copy has the mass too.
    Path all = folder.resolve("all");
    succeed(
        Cli.words("convert %s --no-check --out %s/{cfg}.h5", folder.resolve("mass*/*.h5"), all));
    assertRefused(run(all, "c", "0"), "configuration 3 has mass of light: -0.0743, not -0.084");
  }

  @Test
  void partsOfOtherData_areNotMerged() {
    assertEquals(0, run(data(4, 1), "a", "0").status());
    assertEquals(0, run(data(4, 2), "b", "1").status());
    Path joined = folder.resolve("joined");
    String[] merge =
        Cli.words(
            "merge %s %s --partial --out %s",
            folder.resolve("a/pion.h5"), folder.resolve("b/pion.h5"), joined);
    assertRefused(
        Cli.run(merge),
        folder.resolve("b/pion.h5") + ": configuration 1 is of other data than in ",
        folder.resolve("a/pion.h5") + ": elementals/meson/none/",
        "--allow-changed-data joins them");
    List<String> allowed = new ArrayList<>(List.of(merge));
    allowed.add("--allow-changed-data");
    succeed(allowed.toArray(String[]::new));
    assertEquals(4, recorded("joined").size());
  }
}
