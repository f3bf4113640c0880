package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;

/** Slurm: an array job and a merge job that depends on its success. */
final class Slurm extends BatchSystem {
  Slurm() {
    super("slurm", "${SLURM_ARRAY_TASK_ID}", "sbatch", "--parsable");
  }

  /** The tasks of a step share a shard: each takes units that no other has taken. */
  @Override
  String processPerGpu() {
    return "srun ";
  }

  @Override
  Script array(BatchJob job) {
    Site site = job.site();
    int gpus = site.task().gpusPerNode();
    Script script = head(job, job.name(), "shard-%a.log", site.task());
    if (Submission.isProcessPerGpu(site)) {
      script.add("--nodes=1").add("--ntasks-per-node=" + gpus).add("--gpus-per-task=1");
    } else {
      script.set("--gpus-per-node=", gpus);
    }
    return script
        .add("--array=1-" + job.shards() + job.atOnce())
        // The program stops cleanly on SIGTERM, which it gets a minute before the wall time ends.
        // "B:" because the program replaces the script's shell and is not a job step.
        .add("--signal=B:TERM@60");
  }

  @Override
  Script merge(BatchJob job) {
    return super.merge(job).set("--gpus-per-node=", job.site().merge().gpusPerNode());
  }

  @Override
  Script head(BatchJob job, String jobName, String log, Site.Needs needs) {
    return new Script("#SBATCH")
        .add("--job-name=" + jobName)
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
  List<String> after(String id) {
    return List.of("--dependency=afterok:" + id, "--kill-on-invalid-dep=yes");
  }

  @Override
  String jobId(String printed) {
    // With several clusters it is ID;CLUSTER.
    return printed.strip().replaceFirst(";.*", "");
  }
}
