package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code starling backends --calibrate}, as a process with a cache folder of its own. */
@Tag("slow")
final class CalibrateTest {
  @TempDir Path folder;

  @Test
  void calibrate_printsWhatItMeasured_andKeepsTheAnswer() throws Exception {
    Path kept = folder.resolve("cache").resolve("starling").resolve("cpu-kernels.properties");
    Cli measured = run("backends", "--calibrate");
    assertEquals(0, measured.status(), measured.err());
    List<String> table =
        measured.out().lines().map(String::trim).dropWhile(l -> !l.startsWith("GFLOP/s")).toList();
    assertTrue(table.get(0).endsWith("N=256"), measured.out());
    String chosen =
        table.stream().filter(line -> line.matches("\\S+ .*\\d\\*$")).findFirst().orElseThrow();
    assertTrue(
        table.stream().anyMatch(line -> line.matches("zgemm( +\\d+\\.\\d\\*?)+")), measured.out());
    assertEquals("* is chosen and stored in " + kept, table.get(table.size() - 1));
    Properties answer = new Properties();
    try (Reader reader = Files.newBufferedReader(kept)) {
      answer.load(reader);
    }
    assertEquals(chosen.split(" ", 2)[0], answer.getProperty("extent.256"));
  }

  private Cli run(String... args) throws IOException, InterruptedException {
    Path installed = folder.resolve("installed");
    if (!Files.exists(installed)) {
      TestInstallation.make(installed);
    }
    ProcessBuilder process =
        TestInstallation.process(folder, installed.resolve("bin/starling").toString(), args);
    process.environment().remove("STARLING_CPU_KERNEL");
    process.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    return TestInstallation.finish(process.start(), folder);
  }
}
