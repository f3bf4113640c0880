package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts of {@code starling submit} do when bash runs them, with awkward names. */
@Tag("slow")
final class SubmittedScriptTest {
  /** Everything that a shell acts upon and a file system takes. */
  private static final String AWKWARD = "o'u t$(touch pwned)`touch pwned`;touch pwned&*#%j";

  /** In the place of Slurm's: runs the script at once, with standard output away from its own. */
  private static final String SBATCH =
      """
      #!/usr/bin/env bash
      script=${!#}
      grep '^#SBATCH' "$script" >>directives.txt
      SLURM_ARRAY_TASK_ID=1 bash "$script" >>log.txt 2>&1 || exit
      echo 7
      """;

  @TempDir Path folder;

  @Test
  void awkwardNames_reachTheProgramAsTheyAre() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("star'ling $HOME")).launcher();
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path sbatch = Files.writeString(bin.resolve("sbatch"), SBATCH);
    assertTrue(sbatch.toFile().setExecutable(true));
    Path working = Files.createDirectory(folder.resolve("work"));
    Path data = Files.createDirectory(working.resolve("data " + AWKWARD));
    Files.copy(Path.of("../examples/data/quenched_4x8_cfg0001.h5"), data.resolve("a.h5"));
    ProcessBuilder submit =
        TestInstallation.process(
            working,
            launcher.toString(),
            "submit",
            "pion",
            "--data",
            data.toString(),
            "--separations=0",
            "--out",
            AWKWARD,
            "--scheduler",
            "slurm");
    submit.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    Cli submitted = TestInstallation.finish(submit.start(), working);
    Path log = working.resolve("log.txt");
    assertEquals(
        0, submitted.status(), submitted.err() + (Files.exists(log) ? Files.readString(log) : ""));
    assertTrue(Files.exists(working.resolve(AWKWARD).resolve("pion.h5")));
    assertEquals(List.of(), pwned(folder));
    String output = working.resolve(AWKWARD).resolve("batch").toString().replace("%", "%%");
    assertTrue(
        Files.readAllLines(working.resolve("directives.txt"))
            .contains("#SBATCH --output=\"" + output + "/shard-%a.log\""));
  }

  private static List<Path> pwned(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.endsWith("pwned")).toList();
    }
  }
}
