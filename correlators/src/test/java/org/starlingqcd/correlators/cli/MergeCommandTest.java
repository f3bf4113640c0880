package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.starlingqcd.correlators.result.ResultAssert.numbers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class MergeCommandTest {
  private static final String DATA = "../examples/data";

  @TempDir Path folder;

  private Path out() {
    return folder.resolve("out");
  }

  private void shard(String shard, String... more) {
    Cli.run(
            Cli.words(
                "run sigma pion --data %s --sources 0,3 --shard %s --out %s", DATA, shard, out()),
            more)
        .ok();
  }

  private Cli merge(String... more) {
    return Cli.run(Cli.words("merge %s --out %s", out(), out()), more);
  }

  @Test
  void shards_joinToTheResultOfOneRun() {
    // Three shards of four units: one configuration is cut in the middle.
    shard("1/3");
    shard("3/3");
    shard("2/3");
    merge().ok();
    Path whole = folder.resolve("whole");
    Cli.run("run", "sigma", "pion", "--data", DATA, "--sources", "0,3", "--out", whole.toString());
    for (String dataset :
        List.of("cfg_0001/correlator", "cfg_0002/correlator", "cfg_0001/vev", "cfg_0002/vev")) {
      assertArrayEquals(
          numbers(whole.resolve("sigma.h5"), dataset),
          numbers(out().resolve("sigma.h5"), dataset),
          dataset);
    }
    assertArrayEquals(
        numbers(whole.resolve("pion.h5"), "cfg_0002/correlator"),
        numbers(out().resolve("pion.h5"), "cfg_0002/correlator"));
    try (Hdf5File hdf5 = Hdf5File.open(out().resolve("pion.h5"))) {
      assertEquals(3, hdf5.attributes("/").strings("runs").size());
    }
    // The merged file is whole: a run has nothing to do.
    Cli.run("run", "pion", "--data", DATA, "--sources", "0,3", "--out", out().toString())
        .prints("4 finished before, 0 computed");
  }

  @Test
  void missingUnits_areNamedAndNothingIsWrittenUnlessPartial() {
    shard("2/4");
    shard("3/4");
    Cli merged = merge();
    assertEquals(1, merged.status());
    assertEquals(
        "starling: pion: 2 units are missing: configuration 1 source 0; configuration 2 source 3;"
            + " run their shards again, or use --partial to write the others",
        merged.err().lines().findFirst().orElse(""));
    assertFalse(Files.exists(out().resolve("pion.h5")));
    merge("--partial").ok().prints("2 units of 2 parts");
    // What is missing can be added to what was merged.
    shard("1/4");
    shard("4/4");
    merge().ok().prints("4 units of 5 parts");
  }

  @Test
  void partsThatDoNotBelongTogether_areRefused() {
    shard("1/2");
    Path first = out().resolve("pion.shard-1-of-2.h5");
    Path other = folder.resolve("other");
    Cli.run("run", "pion", "--data", DATA, "--separations", "0", "--out", other.toString());
    Cli.line("merge %s %s --out %s", first, other.resolve("pion.h5"), folder.resolve("merged"))
        .refusedAs(
            other.resolve("pion.h5")
                + " does not belong to "
                + first
                + ": it has results with separations [0] instead of [0, 1, 2, 3, 4, 5, 6, 7]");
  }

  @Test
  void unitsThatDiffer_areRefused() {
    shard("1/2");
    Path first = out().resolve("pion.shard-1-of-2.h5");
    Path copy = folder.resolve("copy.h5");
    try {
      Files.copy(first, copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(copy)) {
      hdf5.dataset("cfg_0001/correlator")
          .write(new long[] {1, 2, 0, 0}, new long[] {1, 1, 1, 1}, new double[] {1, 2});
    }
    Cli.line("merge %s %s --partial --out %s", first, copy, folder.resolve("merged"))
        .refusedAs(first + " and " + copy + " contradict each other: configuration 1, source 3");
  }

  @Test
  void whatIsNoPart_isRefused() throws IOException {
    Files.createDirectories(out());
    assertEquals(
        "starling: " + out() + ": the folder has no parts of results (*.shard-*.h5)\n",
        merge().err());
    Cli.run("merge", DATA + "/quenched_4x8_cfg0001.h5", "--out", out().toString())
        .refused("is not a result file");
    Cli.run("merge", folder.resolve("none.h5").toString(), "--out", out().toString())
        .refusedAs(folder.resolve("none.h5") + ": no such file");
  }
}
