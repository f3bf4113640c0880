package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.blockcache.BlockCacheOptions;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.batch.BatchSystem;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;
import org.starlingqcd.correlators.batch.Site;
import org.starlingqcd.correlators.batch.Submission;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.Shard;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.text.Suggestion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling submit}: submits a run as an array job on a cluster, followed by a merge job. */
@Command(
    description = {
      "Submits a run as an array job with one shard for each task, and a job that merges the parts"
          + " when all tasks have succeeded.",
      "After a failure, submit again: the shards continue from their parts."
    })
public final class SubmitCommand implements Callable<Integer> {
  /** The system property in which the launcher passes its own path. */
  private static final String LAUNCHER = "starling.launcher";

  @Spec private @Nullable CommandSpec spec;

  @Mixin(name = RunSettings.NAME)
  private RunSettings options = new RunSettings();

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      required = true,
      description = "Batch system: slurm, pbs or lsf.")
  private String schedulerName = "";

  @Option(
      names = "--site",
      paramLabel = "FILE",
      description =
          "YAML file with what this cluster asks for: partition, account, qos, time, memory,"
              + " gpus_per_node, processes, cpus_per_task, at_once, options, setup, merge.")
  private @Nullable Path site;

  @Option(
      names = "--shards",
      paramLabel = "N",
      converter = WholeNumber.Shards.class,
      description = "Number of tasks. Default: one for each configuration.")
  private @Nullable Integer shards;

  @Option(names = "--dry-run", description = "Print the scripts; submit nothing.")
  private boolean dryRun;

  @Override
  public Integer call() {
    BatchSystem scheduler = scheduler();
    RunSettings settings = options.checked();
    if (settings.shard != null || settings.overwrite) {
      throw new InputException(
          "submit takes neither --shard nor --overwrite: it divides the run into shards itself, and"
              + " they continue existing results");
    }
    List<Definition> definitions = new DefinitionLoader().loadAll(settings.definitions);
    Path out = settings.out.toAbsolutePath().normalize();
    int count = shards == null ? configurations(settings) : shards;
    if (count < 1 || count > Shard.MOST) {
      throw InputException.of(
          "--shards N: a run is divided into 1 to %s parts; there are data of %s configurations",
          Shard.MOST, count);
    }
    String name = definitions.size() == 1 ? definitions.get(0).name() : "starling";
    BatchJob job =
        new BatchJob(
            name, count, out.resolve("batch"), site == null ? Site.DEFAULTS : Site.read(site));
    Map<String, List<String>> given = SettingsFile.given(Objects.requireNonNull(spec));
    given.put("out", List.of(out.toString()));
    Submission submission =
        Submission.prepare(
            scheduler,
            job,
            launcher(),
            given,
            definitions.stream().map(Definition::name).toList(),
            out);
    PrintWriter target = Console.out(spec);
    if (settings.input.cache != null) {
      Path directory = settings.input.cacheDirectory;
      target.println(
          "# tasks that run on one node share the block cache in "
              + (directory == null
                  ? BlockCacheOptions.defaultDirectory()
                  : directory.toAbsolutePath().normalize()));
    }
    if (dryRun) {
      target.println("# " + job.folder().resolve("run.yaml"));
      target.println(submission.settings());
      target.println("# " + job.folder().resolve("array.sh"));
      target.println(submission.arrayScript());
      target.println("# " + job.folder().resolve("merge.sh"));
      target.print(submission.mergeScript());
    } else {
      List<String> ids = submission.submit();
      target.println("array job " + ids.get(0) + ": " + count + " tasks");
      target.println("merge job " + ids.get(1) + ": runs when all tasks have succeeded");
      target.println("scripts and logs in " + job.folder());
    }
    return ErrorReport.SUCCESS;
  }

  private BatchSystem scheduler() {
    List<String> names = Submission.SYSTEMS.stream().map(BatchSystem::name).toList();
    int at = names.indexOf(schedulerName);
    if (at < 0) {
      throw InputException.of(
          "no batch system is called '%s'; there are: %s%s",
          schedulerName, String.join(", ", names), Suggestion.text(schedulerName, names));
    }
    return Submission.SYSTEMS.get(at);
  }

  private static int configurations(RunSettings settings) {
    return (int)
        DistillationFiles.discover(settings.data()).stream()
            .filter(found -> settings.configurations.contains(Math.toIntExact(found.number())))
            .count();
  }

  private static Path launcher() {
    String launcher = System.getProperty(LAUNCHER);
    if (launcher == null) {
      throw new InputException(
          "the program was not started through its launcher, which the jobs call;"
              + " start it as bin/starling or ./starling");
    }
    return Path.of(launcher);
  }
}
