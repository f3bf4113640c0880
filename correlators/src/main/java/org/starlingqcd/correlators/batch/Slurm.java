package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;

/** Slurm: an array job and a merge job that depends on its success. */
final class Slurm implements BatchSystem {
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
    Site site = job.site();
    String atOnce = site.atOnce() > 0 ? "%" + site.atOnce() : "";
    int gpus = site.task().gpusPerNode();
    Script script = head(job, job.name(), "shard-%a.log", site.task());
    if (Submission.isProcessPerGpu(site)) {
      script.add("--nodes=1").add("--ntasks-per-node=" + gpus).add("--gpus-per-task=1");
    } else {
      script.set("--gpus-per-node=", gpus);
    }
    return script
        .add("--array=1-" + job.shards() + atOnce)
        // The program stops cleanly on SIGTERM, which it gets a minute before the wall time ends.
        // "B:" because the program replaces the script's shell and is not a job step.
        .add("--signal=B:TERM@60")
        .with(site, commands);
  }

  @Override
  public String mergeScript(BatchJob job, List<String> commands) {
    return head(job, job.name() + "-merge", "merge.log", job.site().merge())
        .set("--gpus-per-node=", job.site().merge().gpusPerNode())
        .with(job.site(), commands);
  }

  private static Script head(BatchJob job, String name, String log, Site.Needs needs) {
    return new Script("#SBATCH")
        .add("--job-name=" + name)
        .add("--output=" + quoted(job.folder(), log))
        .set("--partition=", needs.partition())
        .set("--account=", needs.account())
        .set("--qos=", needs.qos())
        .set("--time=", needs.time())
        .set("--mem=", needs.memory())
        .set("--cpus-per-task=", needs.cpusPerTask())
        .addAll(needs.options());
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
              + ": a folder's name with \" or \\ cannot stand in a job's script; give another"
              + " --out");
    }
    return "\"" + name.replace("%", "%%") + "/" + log + "\"";
  }

  @Override
  public List<String> submitArray() {
    return List.of("sbatch", "--parsable");
  }

  @Override
  public List<String> submitMerge(String id) {
    return List.of(
        "sbatch", "--parsable", "--dependency=afterok:" + id, "--kill-on-invalid-dep=yes");
  }

  @Override
  public String jobId(String printed) {
    // With several clusters it is ID;CLUSTER.
    return printed.strip().replaceFirst(";.*", "");
  }
}
