package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose standard output takes nothing more, or that may open few files. */
@Tag("slow")
final class StandardOutputTest {
  @TempDir static Path folder;
  private static Path launcher = Path.of("");

  @BeforeAll
  static void install() throws Exception {
    launcher = TestInstallation.make(folder.resolve("program")).launcher();
  }

  /** Runs the program in a shell; {@code $@} is its command line. */
  private static Cli shell(String script, String... args) throws Exception {
    ProcessBuilder process = TestInstallation.process(folder, launcher.toString(), args);
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.addAll(process.command());
    return TestInstallation.finish(process.command(command).start(), folder);
  }

  @Test
  void fullStandardOutput_isAFailure() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no Linux");
    for (String[] args : new String[][] {{"plan", "pion", "--json"}, {"expand", "pion"}}) {
      shell("exec \"$@\" > /dev/full", args)
          .failedAs("standard output cannot be written: No space left on device");
    }
  }

  @Test
  void readerThatHasSeenEnough_isNone() throws Exception {
    Cli result = shell("set -o pipefail; \"$@\" | true", "plan", "pion", "--json").ok();
    assertEquals("", result.err());
  }

  @Test
  void fewDescriptors_areOneMessage() throws Exception {
    shell("ulimit -n 32; exec \"$@\"", "plan", "pion")
        .refusedAs(
            "only 32 files may be open at once, which is too few for Java and its libraries;"
                + " allow more: ulimit -n 1024");
    String data = Path.of("../examples/data").toAbsolutePath().toString();
    shell("ulimit -n 160; exec \"$@\"", "run", "pion", "--data", data, "--out", "few").ok();
  }
}
