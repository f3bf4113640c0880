package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;

/** Runs in two tiers of memory that are killed, whose slow memory is full, or whose node is not. */
@Tag("slow")
final class TieredKillTest {
  private static final String RESULT = "f0d2.h5";

  @TempDir static Path installation;
  @TempDir Path folder;
  private static Path launcher = Path.of("");
  private static Path undisturbed = Path.of("");

  /** One tier, one source after the other. */
  @BeforeAll
  static void computeUndisturbed() throws Exception {
    launcher = TestInstallation.make(installation.resolve("program")).launcher();
    undisturbed = installation.resolve("undisturbed");
    Cli.run(arguments(undisturbed)).ok();
  }

  private static String[] arguments(Path out, String... more) {
    return Cli.and(
        Cli.words(
            "run f0d2 --separations 1 --data %s --sources 0,4 --backend cpu --out %s",
            Path.of("../examples/data").toAbsolutePath(), out),
        more);
  }

  /** Fast and slow memory that both are full, and inputs that lie in the block cache. */
  private String[] tiers() {
    return new String[] {
      "--fast-memory", "100000",
      "--device-memory", "400000",
      "--block-cache", "64MiB",
      "--block-cache-directory", folder.resolve("cache").toString()
    };
  }

  static void awaitText(Process process, Path err, String text) throws Exception {
    while (process.isAlive() && !Files.readString(err).contains(text)) {
      Thread.sleep(1);
    }
  }

  @Test
  void killedRuns_loseNothing() throws Exception {
    Path out = folder.resolve("killed");
    int kills = 0;
    List<String> points = List.of("planning", "(1 of 4)", "(2 of", "(1 of 2)", "planning");
    for (int k = 0; k < points.size(); k++) {
      Path working = Files.createDirectory(folder.resolve("run" + k));
      Process process =
          TestInstallation.process(working, launcher.toString(), arguments(out, tiers())).start();
      awaitText(process, working.resolve("err.txt"), points.get(k));
      kills += process.isAlive() ? 1 : 0;
      process.destroyForcibly().waitFor();
    }
    assertTrue(kills >= 2, "runs that were killed: " + kills);
    Cli.run(arguments(out, tiers())).ok();
    ResultAssert.assertSame(undisturbed.resolve(RESULT), out.resolve(RESULT));
    assertEquals(files(undisturbed), files(out), "no spill file is left");
    Cli.run("cache", "audit", "--block-cache-directory", folder.resolve("cache").toString()).ok();
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** What has no room in slow memory goes to a file. */
  @Test
  void fullSlowMemory_losesNothing() throws Exception {
    Path out = folder.resolve("full");
    String[] little = {"--fast-memory", "200000", "--device-memory", "330000", "--json"};
    Cli run = Cli.run(arguments(out, little)).ok();
    JsonNode memory = run.json().get("memory");
    assertTrue(memory.get("spilled_bytes").asLong() > 0, memory.toString());
    assertTrue(memory.get("peak_slow_bytes").asLong() > 130_000 - 16_384, memory.toString());
    ResultAssert.assertSame(undisturbed.resolve(RESULT), out.resolve(RESULT));
  }

  @Test
  void absentNode_isOneWarning() throws Exception {
    Path out = folder.resolve("absent");
    Path working = Files.createDirectory(folder.resolve("working"));
    String[] absent = {"--fast-memory", "100000", "--slow-memory", "node:9999"};
    Process process =
        TestInstallation.process(working, launcher.toString(), arguments(out, absent)).start();
    Cli run = TestInstallation.finish(process, working).ok();
    List<String> warnings = run.err().lines().filter(line -> line.contains("node")).toList();
    assertEquals(1, warnings.size(), run.err());
    assertTrue(warnings.get(0).contains("9999"), warnings.get(0));
    assertFalse(Files.exists(out.resolve("f0d2.journal")));
    ResultAssert.assertSame(undisturbed.resolve(RESULT), out.resolve(RESULT));
  }
}
