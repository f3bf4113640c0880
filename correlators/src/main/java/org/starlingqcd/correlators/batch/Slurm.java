package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.correlators.InputException;

/** Slurm: an array job and a merge job that depends on its success. */
public final class Slurm implements BatchSystem {
  @Override
  public String name() {
    return "slurm";
  }

  @Override
  public String taskNumber() {
    return "${SLURM_ARRAY_TASK_ID}";
  }

  /** The tasks of a step share a shard: each takes units that no other has taken. */
  @Override
  public String processPerGpu() {
    return "srun ";
  }

  @Override
  public String arrayScript(BatchJob job, List<String> commands) {
    StringBuilder script = head(job, job.name(), "shard-%a.log");
    Site site = job.site();
    directive(
        script, "array", "1-" + job.shards() + (site.atOnce() > 0 ? "%" + site.atOnce() : ""));
    if (Submission.isProcessPerGpu(site)) {
      directive(script, "nodes", "1");
      directive(script, "ntasks-per-node", Integer.toString(site.gpusPerNode()));
      directive(script, "gpus-per-task", "1");
    } else if (site.gpusPerNode() > 0) {
      directive(script, "gpus-per-node", Integer.toString(site.gpusPerNode()));
    }
    directive(script, "mem", site.memory());
    if (site.cpusPerTask() > 0) {
      directive(script, "cpus-per-task", Integer.toString(site.cpusPerTask()));
    }
    // The program stops cleanly on SIGTERM, which it gets a minute before the wall time ends. "B:"
    // because the program replaces the script's shell and is not a job step.
    directive(script, "signal", "B:TERM@60");
    site.options().forEach(option -> script.append("#SBATCH ").append(option).append('\n'));
    return body(script, site, commands);
  }

  @Override
  public String mergeScript(BatchJob job, List<String> commands) {
    return body(head(job, job.name() + "-merge", "merge.log"), job.site(), commands);
  }

  private static StringBuilder head(BatchJob job, String name, String log) {
    StringBuilder script = new StringBuilder("#!/usr/bin/env bash\n");
    directive(script, "job-name", name);
    directive(script, "output", quoted(job.folder(), log));
    directive(script, "partition", job.site().partition());
    directive(script, "account", job.site().account());
    directive(script, "qos", job.site().qos());
    directive(script, "time", job.site().time());
    return script;
  }

  /**
   * A file as Slurm reads it: within quotes a name may have blanks; {@code %} begins a pattern, the
   * log's own among them.
   */
  private static String quoted(Path folder, String log) {
    String name = folder.toString();
    if (name.contains("\"") || name.contains("\\")) {
      throw new InputException(
          "--out: Slurm cannot write its logs to "
              + folder
              + ": a folder's name with \" or \\ cannot stand in a job's script; give another --out");
    }
    return "\"" + name.replace("%", "%%") + "/" + log + "\"";
  }

  private static void directive(StringBuilder script, String option, String value) {
    if (!value.isEmpty()) {
      script.append("#SBATCH --").append(option).append('=').append(value).append('\n');
    }
  }

  private static String body(StringBuilder script, Site site, List<String> commands) {
    script.append("set -euo pipefail\n");
    site.setup().forEach(line -> script.append(line).append('\n'));
    commands.forEach(line -> script.append(line).append('\n'));
    return script.toString();
  }

  @Override
  public List<String> submitArray(String script) {
    return List.of("sbatch", "--parsable", script);
  }

  @Override
  public List<String> submitMerge(String script, String id) {
    return List.of(
        "sbatch", "--parsable", "--dependency=afterok:" + id, "--kill-on-invalid-dep=yes", script);
  }

  @Override
  public String jobId(String printed) {
    // With several clusters it is ID;CLUSTER.
    return printed.strip().replaceFirst(";.*", "");
  }
}
