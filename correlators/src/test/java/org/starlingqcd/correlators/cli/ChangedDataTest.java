package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
      assertTrue(cli.err().contains(phrase), cli.err());
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
