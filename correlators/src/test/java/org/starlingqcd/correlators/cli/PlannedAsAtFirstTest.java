package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;

/**
 * Units that are computed later have the bits of an undisturbed run, whichever definitions are
 * computed with them then.
 */
@Tag("slow")
final class PlannedAsAtFirstTest {
  @TempDir Path folder;

  private void run(String out, String configurations, String... definitions) {
    List<String> args = new ArrayList<>(List.of("run"));
    args.addAll(List.of(definitions));
    args.addAll(
        List.of(
            Cli.words(
                "--data ../examples/data --backend cpu --threads 1 --configurations %s --out %s",
                configurations, folder.resolve(out))));
    Cli.run(args.toArray(String[]::new)).ok();
  }

  private void assertSame(String out, String definition) throws Exception {
    ResultAssert.assertSame(
        folder.resolve("whole").resolve(definition + ".h5"),
        folder.resolve(out).resolve(definition + ".h5"));
  }

  @Test
  void laterUnits_haveTheBitsOfTheFirstRun() throws Exception {
    run("whole", "1,2", "kpi_i32", "rho_pipi");

    // How definitions are planned matters to bits, or this test could not fail.
    run("alone", "1,2", "kpi_i32");
    assertThrows(AssertionError.class, () -> assertSame("alone", "kpi_i32"));

    run("parts", "1", "kpi_i32", "rho_pipi");
    run("parts", "1,2", "kpi_i32");
    assertSame("parts", "kpi_i32");
    run("parts", "1,2", "pion", "rho_pipi");
    assertSame("parts", "rho_pipi");

    Path lost = folder.resolve("parts/kpi_i32.h5");
    Files.delete(lost);
    run("parts", "1,2", "rho_pipi", "kpi_i32");
    assertSame("parts", "kpi_i32");
    assertFalse(Files.exists(folder.resolve("parts/kpi_i32.journal")));
  }
}
