package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
    Cli measured = run("backends", "--calibrate").ok();
    List<String> table =
        measured.out().lines().map(String::trim).dropWhile(l -> !l.startsWith("GFLOP/s")).toList();
    assertTrue(table.get(0).endsWith("N=128"), measured.out());
    assertTrue(table.get(1).matches("contractions, double( +\\d+\\.\\d){3}"), measured.out());
    assertEquals("stored in " + kept, table.get(table.size() - 1));
    Properties answer = new Properties();
    try (Reader reader = Files.newBufferedReader(kept)) {
      answer.load(reader);
    }
    String rates = answer.getProperty("rates.single.128");
    assertTrue(rates.matches("[0-9.E]+,[0-9.E]+"), rates);
  }

  @Test
  void firstRun_saysThatItMeasures_andOnlyThat() throws Exception {
    String[] run = {
      "run",
      "pion",
      "--data",
      Path.of("../examples/data").toAbsolutePath().toString(),
      "--separations",
      "0",
      "--backend",
      "cpu",
      "--overwrite",
    };
    String said = "starling: measuring CPU kernels, once for this machine\n";
    run(run).ok().notes(said);
    // The run stored its rates too, so that a plan knows times from then on.
    Cli plan = run("plan", "rho_pipi", "--precision", "single", "--json").ok();
    JsonNode time = plan.json().path("estimated_time");
    assertTrue(time.path("contraction_flops_per_second").asDouble() > 1e8, plan.out());
    assertEquals(
        time.path("seconds").asDouble(),
        time.path("contractions").asDouble()
            + time.path("traces").asDouble()
            + time.path("read").asDouble()
            + time.path("overhead").asDouble(),
        1e-12);
    Cli second = run(run).ok();
    assertFalse(second.err().contains(said), second.err());
  }

  @Test
  void cacheFolderThatCannotBeWritten_costsNoMeasurement() throws Exception {
    Files.writeString(folder.resolve("cache"), "a file where the folder would be");
    Cli run =
        run(Cli.words(
                "run pion --data %s --separations 0 --backend cpu --overwrite",
                Path.of("../examples/data").toAbsolutePath()))
            .ok();
    assertFalse(run.err().contains("measuring CPU kernels"), run.err());
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
