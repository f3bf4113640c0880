package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultFile.Contents;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Processes killed at any moment, and several at once, give the result of an undisturbed one. */
@Tag("slow")
final class ResultKillTest {
  private static final int CONFIGURATIONS = 10;
  private static final int SOURCES = 4;

  @TempDir Path folder;
  private Path undisturbed = Path.of("");

  @BeforeEach
  void computeUndisturbed() throws Exception {
    undisturbed = folder.resolve("undisturbed/x.h5");
    finish(undisturbed);
  }

  /** Computes a result in this process, or the rest of it. */
  private static void finish(Path file) throws Exception {
    ComputingProcess.main(
        new String[] {file.toString(), "" + CONFIGURATIONS, "" + SOURCES, "0", "1000"});
  }

  @Test
  void killedAtRandomMoments_losesTheUnitsInFlightOnly() throws Exception {
    killAtRandomMoments(40);
  }

  @Tag("soak")
  @Test
  void killedAtManyRandomMoments_losesTheUnitsInFlightOnly() throws Exception {
    killAtRandomMoments(400);
  }

  private void killAtRandomMoments(int wanted) throws Exception {
    Random random = new Random(20240607);
    Path file = folder.resolve("killed/x.h5");
    int kills = 0;
    while (kills < wanted) {
      // Each round resumes what the last one left until the result is whole; then it begins anew.
      Process process = ComputingProcess.start(file, CONFIGURATIONS, SOURCES, 5, 2);
      boolean ended = process.waitFor(150 + random.nextInt(350), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      if (!ended) {
        kills++;
        if (Files.exists(file)) {
          assertSound(file);
        }
      } else {
        assertEquals(0, process.exitValue());
        ResultAssert.assertSame(undisturbed, file);
        Files.delete(file);
      }
    }
    finish(file);
    ResultAssert.assertSame(undisturbed, file);
    assertFalse(Files.exists(folder.resolve("killed/x.journal")));
  }

  /** What is there is right, whatever is missing. */
  private void assertSound(Path file) {
    try (var expected = Hdf5File.open(undisturbed);
        var found = Hdf5File.open(file)) {
      Contents contents = ResultFile.contents(found);
      for (int configuration : contents.finished().keySet()) {
        ResultFile.Configuration whole =
            ResultFile.read(expected, configuration, ComputingProcess.HEADER);
        ResultFile.Configuration part =
            ResultFile.read(found, configuration, ComputingProcess.HEADER);
        whole.correlators.keySet().retainAll(part.correlators.keySet());
        assertEquals(whole.correlators.keySet(), part.correlators.keySet());
        part.correlators.forEach(
            (source, values) -> assertArrayEquals(whole.correlators.get(source), values));
      }
    }
  }

  @Test
  void threeProcesses_shareTheWork() throws Exception {
    Path file = folder.resolve("three/x.h5");
    List<Process> processes = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      processes.add(ComputingProcess.start(file, CONFIGURATIONS, SOURCES, 20, 10));
    }
    for (Process process : processes) {
      finish(process);
    }
    ResultAssert.assertSame(undisturbed, file);
    assertFalse(Files.exists(folder.resolve("three/x.journal")));
  }

  @Test
  void fullDisk_isOneMessageAndLosesTheUnitInFlightOnly() throws Exception {
    // A limit on the size of files stands for a full disk: writing fails in the same place.
    Path file = folder.resolve("full/x.h5");
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 8; exec \"$@\"", "bash"));
    command.addAll(ComputingProcess.command(file, CONFIGURATIONS, SOURCES, 0, 100_000));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, process.waitFor(), output);
    assertTrue(
        output.contains(
            file
                + ": cannot be written: File too large; finished units are kept, and the same"
                + " command continues the run"),
        output);
    ResultFile.contents(file);
    finish(file);
    ResultAssert.assertSame(undisturbed, file);
  }

  private static void finish(Process process) throws IOException, InterruptedException {
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the process hangs");
    assertEquals(0, process.exitValue());
  }
}
