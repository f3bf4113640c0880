package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.correlators.InputException;

/** A batch system: how a script states its needs, and how it is submitted. */
public interface BatchSystem {
  /** Its name, as {@code --scheduler} takes it. */
  String name();

  /**
   * The script of an array job, one task for each shard.
   *
   * @param commands shell commands of a task; {@link #taskNumber} stands for its number from 1
   */
  String arrayScript(BatchJob job, List<String> commands);

  /** The script of the job that runs when all tasks have succeeded. */
  String mergeScript(BatchJob job, List<String> commands);

  /** The shell expression for the number of a task, from 1. */
  String taskNumber();

  /**
   * Shell words before a command that make one task of the array run it in as many processes as the
   * node has GPUs, each of which sees one; {@link #arrayScript} asks for what they need.
   */
  default String processPerGpu() {
    throw new InputException(
        "'processes: gpu' of the site file is not possible with "
            + name()
            + "; with 'processes: node' one process uses all GPUs");
  }

  /**
   * The command that submits the array, the script on its standard input, and prints its number.
   */
  List<String> submitArray();

  /** As {@link #submitArray}, of the merge, to be run when the array {@code id} has succeeded. */
  List<String> submitMerge(String id);

  /** The identifier of a job in what a submitting command printed. */
  String jobId(String printed);

  /** A run divided into shards for a batch system. */
  public record BatchJob(String name, int shards, Path folder, Site site) {}
}
