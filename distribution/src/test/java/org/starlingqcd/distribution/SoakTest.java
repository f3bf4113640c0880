package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.cli.TestInstallation;
import org.starlingqcd.correlators.result.ResultAssert;

/**
 * The program under bad luck, by the hundred: kills, signals, several processes, all budgets and
 * policies, thousands of units. Whatever happens, the result in the end is that of an undisturbed
 * run, bit for bit. {@code mvn -Psoak verify} runs it; {@code -Dstarling.soak=N} divides all counts
 * by N.
 */
@Tag("soak")
final class SoakTest {
  private static final int SHARE = Integer.getInteger("starling.soak", 1);
  private static final long LONGEST_SECONDS = 600;
  private static final long SEED = 20260712;
  private static final List<String> POLICIES =
      List.of(
          "car",
          "clock-pro",
          "cost-aware",
          "fifo",
          "first-unused",
          "furthest-next-use",
          "lfu",
          "lru",
          "mru",
          "pre-protected-lru",
          "random");

  @TempDir Path folder;
  private Path launcher = Path.of("");
  private int processes;

  @BeforeEach
  void install() throws IOException {
    launcher = TestInstallation.make(folder.resolve("starling")).launcher();
  }

  private static int count(int whole) {
    return Math.max(2, whole / SHARE);
  }

  /** Starts the program; its output goes to a folder of its own. */
  private Process start(List<String> args) throws IOException {
    Path own = Files.createDirectories(folder.resolve("process" + processes++));
    return TestInstallation.process(own, launcher.toString(), args.toArray(String[]::new)).start();
  }

  private Cli finish(List<String> args) throws Exception {
    Path own = folder.resolve("process" + processes);
    Process process = start(args);
    assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), () -> "hangs: " + args);
    return TestInstallation.finish(process, own);
  }

  private void succeed(List<String> args) throws Exception {
    finish(args).ok();
  }

  private static List<String> run(Path out, Object... more) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "rho_pipi",
                "--data",
                Path.of("../examples/data").toAbsolutePath().toString(),
                "--backend",
                "cpu",
                "--threads",
                "1",
                "--out",
                out.toString()));
    Arrays.stream(more).map(Object::toString).forEach(args::add);
    return args;
  }

  private Path undisturbed() throws Exception {
    Path out = folder.resolve("undisturbed");
    succeed(run(out));
    return out.resolve("rho_pipi.h5");
  }

  /** Ends every run at a random moment, and begins anew when one got through. */
  private void disturb(Path expected, Path out, int times, String... signals) throws Exception {
    Random random = new Random(SEED);
    Path result = out.resolve("rho_pipi.h5");
    for (int k = 0; k < times; k++) {
      String signal = signals[k % signals.length];
      Process process = start(run(out));
      if (!process.waitFor(random.nextInt(2500), TimeUnit.MILLISECONDS)) {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      }
      assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), "hangs after " + signal);
      int status = process.exitValue();
      assertTrue(
          List.of(0, 128 + 1, 128 + 2, 128 + 9, 128 + 15).contains(status),
          "status " + status + " after " + signal + " in round " + k);
      if (status == 0) {
        ResultAssert.assertSame(expected, result);
        Files.delete(result);
      }
    }
    succeed(run(out));
    ResultAssert.assertSame(expected, result);
    assertFalse(Files.exists(out.resolve("rho_pipi.journal")));
  }

  @Test
  void killedAHundredTimes() throws Exception {
    disturb(undisturbed(), folder.resolve("killed"), count(100), "KILL");
  }

  @Test
  void signalledAtEveryStage() throws Exception {
    disturb(undisturbed(), folder.resolve("signalled"), count(60), "INT", "TERM", "HUP");
  }

  @Test
  void fourProcessesOfWhichSomeAreKilled() throws Exception {
    Path expected = undisturbed();
    Random random = new Random(SEED);
    for (int round = 0; round < count(10); round++) {
      Path out = folder.resolve("four" + round);
      List<Process> running = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        running.add(start(run(out)));
      }
      for (int k = 0; k < 2; k++) {
        Process victim = running.get(k);
        if (!victim.waitFor(500 + random.nextInt(3000), TimeUnit.MILLISECONDS)) {
          victim.destroyForcibly();
        }
      }
      for (int k = 2; k < 4; k++) {
        assertTrue(running.get(k).waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), "hangs");
        assertEquals(0, running.get(k).exitValue());
      }
      succeed(run(out));
      ResultAssert.assertSame(expected, out.resolve("rho_pipi.h5"));
    }
  }

  @Test
  void allPoliciesAndBudgets() throws Exception {
    Path expected = undisturbed();
    Cli refused = finish(run(folder.resolve("refused"), "--device-memory", "4096"));
    assertEquals(2, refused.status(), refused.err());
    int at = 0;
    for (String policy : POLICIES) {
      for (String budget : List.of("60000", "80000", "100000", "150000", "250000", "1GiB")) {
        if (at++ % SHARE == 0) {
          Path out = folder.resolve("budget" + at);
          Cli result = finish(run(out, "--device-memory", budget, "--eviction", policy));
          if (result.status() == 2) {
            result.notes("would do");
          } else {
            result.ok();
            ResultAssert.assertSame(expected, out.resolve("rho_pipi.h5"));
          }
        }
      }
    }
  }

  @Test
  void eightThousandUnits() throws Exception {
    int configurations = count(500);
    Path data = folder.resolve("many");
    succeed(
        List.of(
            "synth",
            "-N",
            "2",
            "-T",
            "16",
            "--momentum-squared",
            "0",
            "--configurations",
            "1-" + configurations,
            "--out",
            data.toString()));
    List<String> whole =
        List.of(
            "run",
            "pion",
            "--data",
            data.toString(),
            "--backend",
            "cpu",
            "--threads",
            "1",
            "--separations",
            "1",
            "--out");
    List<String> quiet = new ArrayList<>(whole);
    quiet.add(folder.resolve("quiet").toString());
    succeed(quiet);
    List<String> killed = new ArrayList<>(whole);
    killed.add(folder.resolve("disturbed").toString());
    Random random = new Random(SEED);
    for (int k = 0; k < count(20); k++) {
      Process process = start(killed);
      if (!process.waitFor(1500 + random.nextInt(3000), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    succeed(killed);
    ResultAssert.assertSame(folder.resolve("quiet/pion.h5"), folder.resolve("disturbed/pion.h5"));
  }
}
