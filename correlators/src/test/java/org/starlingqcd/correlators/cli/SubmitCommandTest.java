package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubmitCommandTest {
  private static final String LAUNCHER = "starling.launcher";

  @TempDir Path folder;

  @BeforeEach
  void nameTheLauncher() {
    System.setProperty(LAUNCHER, "/opt/star ling/bin/starling");
  }

  @AfterEach
  void forgetTheLauncher() {
    System.clearProperty(LAUNCHER);
  }

  private Cli submit(String... more) {
    List<String> args = new ArrayList<>(List.of("submit", "pion", "--data", "../examples/data"));
    if (!List.of(more).contains("--out")) {
      args.addAll(List.of("--out", folder.resolve("o'ut").toString()));
    }
    args.addAll(List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  private Path site(String text) throws IOException {
    return Files.writeString(folder.resolve("site.yaml"), text);
  }

  @Test
  void blockCache_isSharedByTheTasksOfANode_andSubmitSaysSo() {
    Path cache = folder.resolve("cache");
    Cli done =
        submit(
                Cli.words(
                    "--scheduler slurm --dry-run --block-cache 1GiB --block-cache-directory %s",
                    cache))
            .ok();
    assertTrue(
        done.out()
            .startsWith("# tasks that run on one node share the block cache in " + cache + "\n"),
        done.out());
    done.prints("block_cache_directory: ['" + cache + "']");
  }

  @Test
  void dryRun_showsTheScriptsAndWritesNothing() throws IOException {
    Path site =
        site(
            """
            partition: gpu
            account: lqcd
            time: 12:00:00
            memory: 64G
            gpus_per_node: 1
            cpus_per_task: 8
            at_once: 16
            options: [--constraint=a100]
            setup:
              - module load java/17
            """);
    Cli result =
        submit("--scheduler", "slurm", "--site", site.toString(), "--dry-run", "--sources", "0,4")
            .ok();
    String out = folder.resolve("o'ut").toString();
    for (String line :
        List.of(
            "#SBATCH --job-name=pion",
            "#SBATCH --array=1-2%16",
            "#SBATCH --partition=gpu",
            "#SBATCH --account=lqcd",
            "#SBATCH --time=12:00:00",
            "#SBATCH --mem=64G",
            "#SBATCH --gpus-per-node=1",
            "#SBATCH --cpus-per-task=8",
            "#SBATCH --constraint=a100",
            "module load java/17",
            "exec '/opt/star ling/bin/starling' run --settings '"
                + out.replace("'", "'\\''")
                + "/batch/run.yaml' --shard ${SLURM_ARRAY_TASK_ID}/2",
            "sources: ['0,4']",
            "out: ['" + out.replace("'", "''") + "']",
            "data: ['" + Path.of("").toAbsolutePath().resolve("../examples/data") + "']",
            "#SBATCH --job-name=pion-merge")) {
      assertTrue(result.out().lines().anyMatch(line::equals), line + " in\n" + result.out());
    }
    result.prints("pion.shard-1-of-2.h5");
    result.prints("pion.shard-2-of-2.h5");
    assertFalse(Files.exists(folder.resolve("o'ut")));
  }

  @Test
  void severalGpus_haveOneProcessOrOneEachAsTheSiteSays() throws IOException {
    List<String> options = List.of("--scheduler=slurm", "--dry-run");
    Path site = site("gpus_per_node: 4\nmemory: 64G\n");
    Cli together = submit(options.get(0), options.get(1), "--site=" + site);
    assertHasLine(together, "#SBATCH --gpus-per-node=4");
    together.prints("/2 --device all\n");
    Cli two = submit(options.get(0), options.get(1), "--site=" + site, "--device=0,1");
    assertFalse(two.out().contains("--device all"), two.out());
    assertHasLine(two, "device: ['0,1']");
    site("gpus_per_node: 4\nprocesses: gpu\n");
    Cli each = submit(options.get(0), options.get(1), "--site=" + site);
    assertHasLine(each, "#SBATCH --ntasks-per-node=4");
    assertHasLine(each, "#SBATCH --gpus-per-task=1");
    each.prints("exec srun '/opt/star ling/bin/starling' run ");
    assertFalse(each.out().contains("--device all"), each.out());
    for (Cli result : List.of(together, each)) {
      String merge = result.out().substring(result.out().indexOf("--job-name=pion-merge"));
      assertFalse(merge.contains("gpu"), merge);
    }
    assertRefused(
        "'processes: gpu' of the site file is not possible with lsf; with 'processes: node' one"
            + " process uses all GPUs",
        "--scheduler=lsf",
        "--out",
        folder.resolve("out").toString(),
        "--site=" + site);
  }

  private static void assertHasLine(Cli result, String line) {
    assertTrue(result.out().lines().anyMatch(line::equals), line + " in\n" + result.out());
  }

  /** A site with everything, and a merge job with needs of its own. */
  private static final String SITE =
      """
      partition: gpu
      account: lqcd
      time: "12:00"
      memory: 64G
      gpus_per_node: 1
      cpus_per_task: 8
      at_once: 16
      options: [-l place=pack]
      setup: [module load java/17]
      merge: {partition: cpu, time: "1:00", memory: 4G, cpus_per_task: 2}
      """;

  private List<String> script(String scheduler, String site, String... more) throws IOException {
    Cli result =
        submit(
                Cli.and(
                    Cli.words(
                        "--scheduler %s --dry-run --site %s --out %s",
                        scheduler, site(site), folder.resolve("out")),
                    more))
            .ok();
    return result.out().lines().filter(line -> line.matches("#(SBATCH|PBS|BSUB) .*")).toList();
  }

  @Test
  void slurm_mergeJob_hasNeedsOfItsOwn() throws IOException {
    List<String> lines = script("slurm", SITE + "qos: high\n");
    List<String> merge =
        lines.subList(lines.indexOf("#SBATCH --job-name=pion-merge"), lines.size());
    assertEquals(
        List.of(
            "#SBATCH --job-name=pion-merge",
            "#SBATCH --output=\"" + folder.resolve("out/batch") + "/merge.log\"",
            "#SBATCH --partition=cpu",
            "#SBATCH --account=lqcd",
            "#SBATCH --qos=high",
            "#SBATCH --time=1:00",
            "#SBATCH --mem=4G",
            "#SBATCH --cpus-per-task=2"),
        merge);
  }

  @Test
  void pbs_hasItsDirectives() throws IOException {
    String logs = folder.resolve("out/batch").toString();
    assertEquals(
        List.of(
            "#PBS -N pion",
            "#PBS -S /bin/bash",
            "#PBS -V",
            "#PBS -j oe",
            "#PBS -o " + logs + "/shard-^array_index^.log",
            "#PBS -q gpu",
            "#PBS -A lqcd",
            "#PBS -l walltime=12:00",
            "#PBS -l select=1:ncpus=8:ngpus=1:mem=64G",
            "#PBS -l place=pack",
            "#PBS -J 1-2%16",
            "#PBS -N pion-merge",
            "#PBS -S /bin/bash",
            "#PBS -V",
            "#PBS -j oe",
            "#PBS -o " + logs + "/merge.log",
            "#PBS -q cpu",
            "#PBS -A lqcd",
            "#PBS -l walltime=1:00",
            "#PBS -l select=1:ncpus=2:mem=4G"),
        script("pbs", SITE));
    // PBS refuses an array of one.
    assertFalse(script("pbs", SITE, "--shards", "1").toString().contains("-J"));
  }

  @Test
  void lsf_hasItsDirectives() throws IOException {
    String logs = folder.resolve("out/batch").toString();
    assertEquals(
        List.of(
            "#BSUB -J \"pion[1-2]%16\"",
            "#BSUB -o " + logs + "/shard-%I.log",
            "#BSUB -q gpu",
            "#BSUB -P lqcd",
            "#BSUB -W 12:00",
            "#BSUB -n 8",
            "#BSUB -R \"span[hosts=1]\"",
            "#BSUB -M 64G",
            "#BSUB -R \"rusage[mem=64G]\"",
            "#BSUB -gpu \"num=1\"",
            "#BSUB -l place=pack",
            "#BSUB -wa TERM",
            "#BSUB -wt 1",
            "#BSUB -J pion-merge",
            "#BSUB -o " + logs + "/merge.log",
            "#BSUB -q cpu",
            "#BSUB -P lqcd",
            "#BSUB -W 1:00",
            "#BSUB -n 2",
            "#BSUB -R \"span[hosts=1]\"",
            "#BSUB -M 4G",
            "#BSUB -R \"rusage[mem=4G]\""),
        script("lsf", SITE));
    // LSF takes no seconds.
    List<String> seconds = script("lsf", SITE.replace("\"12:00\"", "12:00:00"));
    assertTrue(seconds.contains("#BSUB -W 12:00"), seconds.toString());
  }

  @ParameterizedTest
  @CsvSource({"pbs, PBS, -l qos=NAME", "lsf, LSF, -sla NAME"})
  void whatABatchSystemLacks_isRefused(String scheduler, String title, String option)
      throws IOException {
    String site = site("qos: high\n").toString();
    assertRefused(
        "--site: 'qos': "
            + title
            + " knows none; leave it out, or write your site's option for it under options, such as"
            + " "
            + option,
        Cli.words("--scheduler %s --site %s --out %s", scheduler, site, folder.resolve("out")));
    Cli quote = submit("--scheduler", scheduler, "--out", folder.resolve("a b").toString());
    assertEquals(2, quote.status(), quote.out());
    assertTrue(
        quote.err().startsWith("starling: --out: " + title + " cannot write its logs to"),
        quote.err());
  }

  @Test
  void settingsFile_isWrittenOutWithPathsThatHoldInAnyFolder() throws IOException {
    Path settings =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            data: [a.h5, 'b "c', 'd,e']
            definitions: [own, rho_pipi]
            sources: [1, 5]
            without: [search, end_gammas]
            keep_going: true
            exact: false
            spill_directory: spill
            device_memory: 50%
            """);
    Path own = Files.copy(Path.of("../examples/definitions/pion.yaml"), folder.resolve("own.yaml"));
    Cli result =
        Cli.line(
                "submit --scheduler=slurm --shards=2 --dry-run %s --keep-going --trace=t "
                    + "--device-memory=1GiB",
                "--settings=" + settings)
            .ok();
    Path here = Path.of("").toAbsolutePath();
    for (String line :
        List.of(
            "definitions: ['" + own + "', 'rho_pipi']",
            "data: ['%s/a.h5', '%s/b \"c', '%s/d,e']".formatted(folder, folder, folder),
            "sources: ['1', '5']",
            "out: ['" + here.resolve("results") + "']",
            "without: ['search', 'end_gammas']",
            "keep_going: ['true']",
            "exact: ['false']",
            "spill_directory: ['" + folder.resolve("spill") + "']",
            "trace: ['" + here.resolve("t") + "']",
            "device_memory: ['1GiB']")) {
      assertTrue(result.out().lines().anyMatch(line::equals), line + " in\n" + result.out());
    }
    assertFalse(result.out().contains("overwrite"), result.out());
  }

  @Test
  void wrongInput_isOneMessage() throws IOException {
    assertRefused(
        "no batch system is called 'slrum'; there are: slurm, pbs, lsf; did you mean slurm?",
        "--scheduler",
        "slrum");
    assertRefused(
        "--shards must be between 1 and 999999, not 0", "--scheduler", "slurm", "--shards", "0");
    Path site = site("partition: gpu\nqueue: long\n");
    assertRefused(
        site
            + ":2: unknown key 'queue' in a site file: expected one of partition, account, qos, time, memory,"
            + " gpus_per_node, cpus_per_task, options, processes, at_once, setup, merge",
        Cli.words("--scheduler slurm --site %s", site));
    site("partition: \"gpu; rm -r /\"\n");
    assertRefused(
        site + ":1: partition: a value of the batch system has no such characters: gpu; rm -r /",
        Cli.words("--scheduler slurm --site %s", site));
    site("processes: core\n");
    assertRefused(
        site
            + ":1: processes: expected node, for one process with all GPUs of a node, or gpu, for"
            + " one process a GPU, found 'core'",
        "--scheduler=slurm",
        "--site=" + site);
    site("merge: {at_once: 3}\n");
    assertRefused(
        site
            + ":1: unknown key 'at_once' in merge: expected one of partition, account, qos, time, memory,"
            + " gpus_per_node, cpus_per_task, options",
        Cli.words("--scheduler slurm --site %s", site));
    site("merge: small\n");
    assertRefused(
        site + ":1: expected merge as key: value pairs, found a single value",
        Cli.words("--scheduler slurm --site %s", site));
    site("options: [\"--a\\n--b\"]\n");
    assertRefused(
        site + ":1: options: a value of the batch system has no such characters: --a\\u000a--b",
        Cli.words("--scheduler slurm --site %s", site));
    site("gpus_per_node: many\n");
    assertRefused(
        site + ":1: gpus_per_node: expected an integer from 0 to 999999, found 'many'",
        Cli.words("--scheduler slurm --site %s", site));
    assertRefused(
        "submit takes neither --shard nor --overwrite: it divides the run into shards itself, and"
            + " they continue existing results",
        "--scheduler",
        "slurm",
        "--overwrite");
    System.clearProperty(LAUNCHER);
    assertRefused(
        "the program was not started through its launcher, which the jobs call; start it"
            + " as bin/starling or ./starling",
        "--scheduler",
        "slurm");
  }

  @Test
  void nameThatWouldChangeTheScript_isRefused() {
    String injected = folder.resolve("a\ntouch pwned").toString();
    submit("--scheduler", "slurm", "--dry-run", "--out", injected)
        .refusedAs(
            "--out: control characters cannot stand in a job's script: '"
                + folder
                + "/a\\u000atouch pwned'; give another name");
    Cli setting = submit("--scheduler", "slurm", "--dry-run", "--trace", "a\rb");
    assertEquals(2, setting.status(), setting.out());
    for (String name : List.of("a\" --wrap=\"touch pwned", "a\\")) {
      Cli quote =
          submit("--scheduler", "slurm", "--dry-run", "--out", folder.resolve(name).toString());
      assertEquals(2, quote.status(), quote.out());
      assertTrue(quote.err().startsWith("starling: --out: Slurm cannot write its"), quote.err());
    }
  }

  private void assertRefused(String message, String... more) {
    submit(more).refusedAs(message);
  }
}
