package org.starlingqcd.correlators.batch;

import java.util.List;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;

/**
 * PBS (OpenPBS and PBS Professional): a job array, and a merge job that depends on the success of
 * all of its subjobs. PBS sends SIGTERM at the end of the wall time, and SIGKILL {@code kill_delay}
 * seconds later.
 */
final class Pbs extends BatchSystem {
  private static final String TITLE = "PBS";

  Pbs() {
    // PBS knows no array of one job.
    super("pbs", "${PBS_ARRAY_INDEX:-1}", "qsub");
  }

  @Override
  Script array(BatchJob job) {
    boolean array = job.shards() > 1;
    String log = array ? "shard-^array_index^.log" : "shard-1.log";
    Script script = head(job, job.name(), log, job.site().task());
    return array ? script.add("-J 1-" + job.shards() + job.atOnce()) : script;
  }

  @Override
  Script head(BatchJob job, String jobName, String log, Site.Needs needs) {
    Script.refuseQos(TITLE, job.site(), "-l qos=NAME");
    String select =
        (needs.cpusPerTask() > 0 ? ":ncpus=" + needs.cpusPerTask() : "")
            + (needs.gpusPerNode() > 0 ? ":ngpus=" + needs.gpusPerNode() : "")
            + (needs.memory().isEmpty() ? "" : ":mem=" + needs.memory());
    return new Script("#PBS")
        .add("-N " + jobName)
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
  List<String> after(String id) {
    return List.of("-W", "depend=afterok:" + id);
  }
}
