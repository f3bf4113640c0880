package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.correlators.InputException;

/** A batch system: how a script states its needs, and how it is submitted. */
public abstract class BatchSystem {
  /** The shell expression for the number of a task, from 1. */
  final String taskNumber;

  /** The command that submits an array, the script on its standard input, and prints its number. */
  final List<String> submit;

  private final String name;

  BatchSystem(String name, String taskNumber, String... submit) {
    this.name = name;
    this.taskNumber = taskNumber;
    this.submit = List.of(submit);
  }

  /** Its name, as {@code --scheduler} takes it. */
  public String name() {
    return name;
  }

  /** The directives of a job with these needs. */
  abstract Script head(BatchJob job, String jobName, String log, Site.Needs needs);

  /** The directives of an array job, one task for each shard. */
  abstract Script array(BatchJob job);

  /** The directives of the job that runs when all tasks have succeeded. */
  Script merge(BatchJob job) {
    return head(job, job.name() + "-merge", "merge.log", job.site().merge());
  }

  /**
   * Shell words before a command that make one task of the array run it in as many processes as the
   * node has GPUs, each of which sees one; {@link #array} asks for what they need.
   */
  String processPerGpu() {
    throw new InputException(
        "'processes: gpu' of the site file is not possible with "
            + name
            + "; with 'processes: node' one process uses all GPUs");
  }

  /** What {@link #submit} has besides for a job that waits for the success of the array. */
  abstract List<String> after(String id);

  /** The identifier of a job in what a submitting command printed. */
  String jobId(String printed) {
    return printed.strip();
  }

  /** A run divided into shards for a batch system. */
  public record BatchJob(String name, int shards, Path folder, Site site) {
    /** How many tasks may run at once, behind the numbers of the tasks; empty for any. */
    String atOnce() {
      return site.atOnce() > 0 ? "%" + site.atOnce() : "";
    }
  }
}
