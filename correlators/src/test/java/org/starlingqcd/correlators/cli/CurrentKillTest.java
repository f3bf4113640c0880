package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;

/** A run of three-point functions that is killed at any moment gives the bits of a whole one. */
@Tag("slow")
final class CurrentKillTest {
  private static final String DEFINITION =
      """
      name: pi_to_pi
      source:
        isospin: [1, 1]
        irrep: A1-
        operators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]
      insertions: [{name: j, gamma: g4, flavours: {u: 2/3, d: -1/3}}]
      disconnected: true
      """;

  @TempDir Path folder;

  @BeforeEach
  void computeUndisturbed() throws IOException {
    Files.writeString(folder.resolve("pi_to_pi.yaml"), DEFINITION);
    Cli.run(
        Cli.words(
            "synth -N 4 -T 8 -L 4 --configurations 1-8 --labels light --currents g4 --sources all"
                + " --out %s",
            folder.resolve("data")));
    Cli whole = Cli.run(arguments("whole"));
    assertEquals(0, whole.status(), whole.err());
  }

  private String[] arguments(String out) {
    return Cli.words(
        "run %s --data %s --sources all --backend cpu --out %s",
        folder.resolve("pi_to_pi.yaml"), folder.resolve("data"), folder.resolve(out));
  }

  @Test
  void killedTwice_losesNothing() throws Exception {
    killAtRandomMoments(2);
  }

  @Tag("soak")
  @Test
  void killedOften_losesNothing() throws Exception {
    killAtRandomMoments(20);
  }

  private void killAtRandomMoments(int wanted) throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    Random random = new Random(38);
    Path result = folder.resolve("killed/pi_to_pi.h5");
    int kills = 0;
    while (kills < wanted) {
      Process process = start(launcher);
      TieredKillTest.awaitText(process, folder.resolve("err.txt"), "planning");
      if (process.waitFor(random.nextInt(1000), TimeUnit.MILLISECONDS)) {
        finish(process);
        Files.delete(result);
      } else {
        process.destroyForcibly().waitFor();
        kills++;
      }
    }
    finish(start(launcher));
    assertFalse(Files.exists(folder.resolve("killed/pi_to_pi.journal")));
  }

  private Process start(Path launcher) throws IOException {
    return TestInstallation.process(folder, launcher.toString(), arguments("killed")).start();
  }

  private void finish(Process process) throws Exception {
    Cli last = TestInstallation.finish(process, folder);
    assertEquals(0, last.status(), last.err());
    Path whole = folder.resolve("whole/pi_to_pi.h5");
    assertTrue(Files.size(whole) > 0);
    ResultAssert.assertSame(whole, folder.resolve("killed/pi_to_pi.h5"));
  }
}
