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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What the scripts of {@code starling submit} do when bash runs them, with awkward names. */
@Tag("slow")
final class SubmittedScriptTest {
  /** Everything that a shell acts upon and a file system takes. */
  private static final String AWKWARD = "o'u t$(touch pwned)`touch pwned`;touch pwned&*#%j";

  /**
   * In the place of Slurm's: runs the script at once, with standard output away from its own, after
   * another user has changed the files of a folder that both may write to.
   */
  private static final String SBATCH =
      """
      #!/usr/bin/env bash
      for file in */batch/*.sbatch; do echo 'touch pwned' >"$file"; done
      script=job.sh
      cat >"$script"
      grep '^#SBATCH' "$script" >>directives.txt
      SLURM_ARRAY_TASK_ID=1 bash "$script" >>log.txt 2>&1 || exit
      echo 7
      """;

  @TempDir Path folder;

  @Test
  void awkwardNames_reachTheProgramAsTheyAre() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("star'ling $HOME")).launcher();
    makeCommand("sbatch", SBATCH);
    Path working = Files.createDirectory(folder.resolve("work"));
    Path data = Files.createDirectory(working.resolve("data " + AWKWARD));
    Files.copy(Path.of("../examples/data/quenched_4x8_cfg0001.h5"), data.resolve("a.h5"));
    submit(
        launcher,
        working,
        Cli.words(
            "submit pion --data %s --separations=0 --out %s --scheduler slurm", data, AWKWARD));
    assertTrue(Files.exists(working.resolve(AWKWARD).resolve("pion.h5")));
    assertEquals(List.of(), pwned(folder));
    String output = working.resolve(AWKWARD).resolve("batch").toString().replace("%", "%%");
    assertTrue(
        Files.readAllLines(working.resolve("directives.txt"))
            .contains("#SBATCH --output=\"" + output + "/shard-%a.log\""));
  }

  /**
   * In the place of PBS's: takes a script that bash can read, runs it for each task at once, knows
   * the dependency of the second job.
   */
  private static final String QSUB =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      script=job.sh
      cat >"$script"
      bash -n "$script"
      [ ! -e jobs.txt ] || [ "$*" = "-W depend=afterok:1[].host" ]
      echo "$*" >>jobs.txt
      range=$(sed -n 's/^#PBS -J 1-\\([0-9]*\\).*/\\1/p' "$script")
      if [ -n "$range" ]; then
        for k in $(seq "$range"); do PBS_ARRAY_INDEX=$k bash "$script" >>log.txt 2>&1; done
      else
        bash "$script" >>log.txt 2>&1
      fi
      echo "$(wc -l <jobs.txt)[].host"
      """;

  /** In the place of LSF's, which reads the script from its standard input. */
  private static final String BSUB =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      [ ! -e jobs.txt ] || [ "$*" = "-w done(1) -ti" ]
      echo "$*" >>jobs.txt
      job=job$(wc -l <jobs.txt).sh
      cat >"$job"
      bash -n "$job"
      range=$(sed -n 's/^#BSUB -J .*\\[1-\\([0-9]*\\)\\].*/\\1/p' "$job")
      for k in $(seq "${range:-1}"); do LSB_JOBINDEX=$k bash "$job" >>log.txt 2>&1; done
      echo "Job <$(wc -l <jobs.txt)> is submitted to default queue <normal>."
      """;

  /** The jobs of PBS and LSF compute the shards and merge them. */
  @ParameterizedTest
  @ValueSource(strings = {"pbs", "lsf"})
  void otherBatchSystems_computeAndMerge(String scheduler) throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    makeCommand(scheduler.equals("pbs") ? "qsub" : "bsub", scheduler.equals("pbs") ? QSUB : BSUB);
    Path working = Files.createDirectory(folder.resolve("work"));
    Cli submitted =
        submit(
            launcher,
            working,
            Cli.words(
                "submit pion --data %s --separations=0 --scheduler %s",
                Path.of("../examples/data").toAbsolutePath(), scheduler));
    assertTrue(submitted.out().contains("array job 1"), submitted.out());
    try (Hdf5File file = Hdf5File.open(working.resolve("results/pion.h5"))) {
      assertEquals(List.of("cfg_0001", "cfg_0002"), file.children("/"));
    }
  }

  private void makeCommand(String name, String text) throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    assertTrue(Files.writeString(bin.resolve(name), text).toFile().setExecutable(true));
  }

  /** Submits with the commands made before, whose jobs run at once. */
  private Cli submit(Path launcher, Path working, String... command) throws Exception {
    ProcessBuilder submit = TestInstallation.process(working, launcher.toString(), command);
    submit
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, first) -> first + ":" + path);
    Cli submitted = TestInstallation.finish(submit.start(), working);
    Path log = working.resolve("log.txt");
    assertEquals(
        0, submitted.status(), submitted.err() + (Files.exists(log) ? Files.readString(log) : ""));
    return submitted;
  }

  private static List<Path> pwned(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.endsWith("pwned")).toList();
    }
  }
}
