package org.starlingqcd.correlators.batch;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;

/** LSF: a job array, and a merge job that depends on the success of all of its elements. */
final class Lsf extends BatchSystem {
  private static final String TITLE = "LSF";
  private static final Pattern HOURS_MINUTES_SECONDS = Pattern.compile("(\\d+:\\d+):\\d+");
  private static final Pattern SUBMITTED = Pattern.compile("Job <(\\d+)>");

  Lsf() {
    super("lsf", "${LSB_JOBINDEX}", "bsub");
  }

  @Override
  Script array(BatchJob job) {
    String tasks = "\"" + job.name() + "[1-" + job.shards() + "]" + job.atOnce() + "\"";
    return head(job, tasks, "shard-%I.log", job.site().task())
        // The program stops cleanly on SIGTERM, which it gets a minute before the wall time ends.
        .add("-wa TERM")
        .add("-wt 1");
  }

  @Override
  Script head(BatchJob job, String jobName, String log, Site.Needs needs) {
    Script.refuseQos(TITLE, job.site(), "-sla NAME");
    Script script =
        new Script("#BSUB")
            .add("-J " + jobName)
            .add("-o " + Script.plainLog(TITLE, job.folder(), log))
            .set("-q ", needs.partition())
            .set("-P ", needs.account())
            .set("-W ", hoursAndMinutes(needs.time()))
            .set("-n ", needs.cpusPerTask());
    if (needs.cpusPerTask() > 0) {
      script.add("-R \"span[hosts=1]\"");
    }
    if (!needs.memory().isEmpty()) {
      script.add("-M " + needs.memory()).add("-R \"rusage[mem=" + needs.memory() + "]\"");
    }
    if (needs.gpusPerNode() > 0) {
      script.add("-gpu \"num=" + needs.gpusPerNode() + "\"");
    }
    return script.addAll(needs.options());
  }

  /** A time of three numbers without its seconds, which LSF refuses; another one as it is. */
  private static String hoursAndMinutes(String time) {
    Matcher matcher = HOURS_MINUTES_SECONDS.matcher(time);
    return matcher.matches() ? matcher.group(1) : time;
  }

  @Override
  List<String> after(String id) {
    // -ti: the merge job goes when the array has failed.
    return List.of("-w", "done(" + id + ")", "-ti");
  }

  @Override
  String jobId(String printed) {
    Matcher found = SUBMITTED.matcher(printed);
    if (!found.find()) {
      throw new ComputationException(
          "bsub: expected 'Job <NUMBER> is submitted', found: " + printed.strip());
    }
    return found.group(1);
  }
}
