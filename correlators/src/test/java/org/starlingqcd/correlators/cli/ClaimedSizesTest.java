package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Files that claim sizes and numbers which no lattice has: one message, at once. */
final class ClaimedSizesTest {
  @TempDir Path folder;

  private void assertRefused(String what, String... args) {
    Cli result = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Cli.run(args));
    assertEquals(2, result.status(), result.err());
    List<String> said =
        result.err().lines().filter(line -> !line.endsWith("looking for data")).toList();
    assertEquals(1, said.size(), result.err());
    assertTrue(said.get(0).contains(what), result.err());
  }

  /** {@code inspect} goes on after a fault and counts them. */
  private static void assertReported(String what, String... args) {
    Cli result = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Cli.run(args));
    String said = result.out() + result.err();
    assertTrue(result.status() != 0 && said.contains(what), said);
    assertTrue(!said.contains("internal error"), said);
  }

  @ParameterizedTest
  @CsvSource({
    "num_eigenvectors,2000000000,16384",
    "temporal_extent,2147483647,65536",
    "spatial_extent,2147483647,65536",
    "configuration,2147483648,2147483647",
    "configuration,1099511627776,2147483647"
  })
  void data(String name, long claimed, int most) throws IOException {
    Path file =
        Files.copy(Path.of("../examples/data/quenched_4x8_cfg0001.h5"), folder.resolve("data.h5"));
    try (Hdf5File open = Hdf5File.openForUpdate(file)) {
      open.attributes("/").put(name, claimed);
    }
    String what = file + ": attribute '" + name + "' must be >= ";
    String out = folder.resolve("out").toString();
    assertRefused(what, "run", "pion", "--data", file.toString(), "--out", out);
    assertReported("&& <= " + most + ": " + name + "=" + claimed, "inspect", file.toString());
    String again = folder.resolve("again").toString();
    assertRefused(
        what, "submit", "pion", "--data", file.toString(), "--scheduler=slurm", "--out", again);
  }

  private String result(Consumer<Hdf5File> change) throws IOException {
    Path file = folder.resolve("pion.h5");
    Files.copy(ResultFixture.reference("pion.h5"), file, StandardCopyOption.REPLACE_EXISTING);
    try (Hdf5File open = Hdf5File.openForUpdate(file)) {
      change.accept(open);
    }
    return file.toString();
  }

  private void assertResultRefused(String what, String file) {
    assertReported(what, "inspect", "--verify", file);
    String other = folder.resolve("other").toString();
    assertRefused(what, "merge", file, "--out", other);
    assertRefused(
        what, Cli.words("run pion --data ../examples/data --separations=all --out %s", folder));
  }

  @Test
  void results() throws IOException {
    assertResultRefused(
        "found 1099511627776",
        result(file -> file.attributes("cfg_0001").put("separations", new long[] {1L << 40})));
    assertResultRefused(
        "1099511627776",
        result(file -> file.attributes("cfg_0001").put("source_times", new long[] {1L << 40})));
    assertResultRefused(
        "'cfg_2147483648': expected the number of a configuration from 0 to 2147483647",
        result(file -> file.move("cfg_0001", "cfg_2147483648")));
    assertResultRefused(
        "attribute 'temporal_extent': expected 1 to 65536, found 2147483647",
        result(file -> file.attributes("/").put("temporal_extent", Integer.MAX_VALUE)));
    assertResultRefused(
        "'cfg_0001/correlator' has extents [1099511627776, ",
        result(
            file -> {
              file.delete("cfg_0001/correlator");
              file.createDataset(
                      "cfg_0001/correlator",
                      ElementType.COMPLEX,
                      new long[] {1L << 40, 8, 1, 1},
                      DatasetOptions.chunked(0, false, 1, 1, 1, 1))
                  .close();
            }));
  }
}
