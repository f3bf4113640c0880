package org.starlingqcd.correlators.batch;

import java.util.List;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;

/**
 * PBS (OpenPBS and PBS Professional): a job array, and a merge job that depends on the success of
 * all of its subjobs. PBS sends SIGTERM at the end of the wall time, and SIGKILL {@code kill_delay}
 * seconds later.
 */
final class Pbs implements BatchSystem {
  private static final String TITLE = "PBS";

  @Override
  public String name() {
    return "pbs";
  }

  @Override
  public String taskNumber() {
    // PBS knows no array of one job.
    return "${PBS_ARRAY_INDEX:-1}";
  }

  @Override
  public String arrayScript(BatchJob job, List<String> commands) {
    Site site = job.site();
    boolean array = job.shards() > 1;
    String log = array ? "shard-^array_index^.log" : "shard-1.log";
    Script script = head(job, job.name(), log, site.task());
    if (array) {
      script.add("-J 1-" + job.shards() + (site.atOnce() > 0 ? "%" + site.atOnce() : ""));
    }
    return script.with(site, commands);
  }

  @Override
  public String mergeScript(BatchJob job, List<String> commands) {
    return head(job, job.name() + "-merge", "merge.log", job.site().merge())
        .with(job.site(), commands);
  }

  private static Script head(BatchJob job, String name, String log, Site.Needs needs) {
    Script.refuseQos(TITLE, job.site(), "-l qos=NAME");
    String select =
        (needs.cpusPerTask() > 0 ? ":ncpus=" + needs.cpusPerTask() : "")
            + (needs.gpusPerNode() > 0 ? ":ngpus=" + needs.gpusPerNode() : "")
            + (needs.memory().isEmpty() ? "" : ":mem=" + needs.memory());
    return new Script("#PBS")
        .add("-N " + name)
        // Without it PBS feeds the script to the login shell.
        .add("-S /bin/bash")
        // The environment of the submission, as in Slurm.
        .add("-V")
        .add("-j oe")
        .add("-o " + Script.plainLog(TITLE, job.folder(), log))
        .set("-q ", needs.partition())
        .set("-A ", needs.account())
        .set("-l walltime=", needs.time())
        .add("-l select=1" + select)
        .addAll(needs.options());
  }

  @Override
  public List<String> submitArray() {
    return List.of("qsub");
  }

  @Override
  public List<String> submitMerge(String id) {
    return List.of("qsub", "-W", "depend=afterok:" + id);
  }

  @Override
  public String jobId(String printed) {
    return printed.strip();
  }
}
