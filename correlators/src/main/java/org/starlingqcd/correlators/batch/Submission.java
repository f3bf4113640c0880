package org.starlingqcd.correlators.batch;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.batch.BatchSystem.BatchJob;
import org.starlingqcd.correlators.run.Shard;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.text.Printable;

/**
 * The files of a batch run: its settings and two scripts, in a folder of their own beneath the
 * output folder.
 */
public record Submission(
    BatchSystem batchSystem,
    BatchJob job,
    String settings,
    String arrayScript,
    String mergeScript) {
  /** The batch systems that there are. */
  public static final List<BatchSystem> SYSTEMS = List.of(new Slurm(), new Pbs(), new Lsf());

  private static final String SETTINGS = "run.yaml";
  private static final String ARRAY = "array.sh";
  private static final String MERGE = "merge.sh";

  /**
   * Prepares a submission without writing anything.
   *
   * @param settings settings of the run, key to values; paths absolute
   * @param out the output folder, absolute
   */
  public static Submission prepare(
      BatchSystem batchSystem,
      BatchJob job,
      Path program,
      Map<String, List<String>> settings,
      List<String> definitions,
      Path out) {
    checkName("--out", out.toString());
    checkName("the program's own folder", program.toString());
    settings.forEach((key, values) -> values.forEach(value -> checkName(key, value)));
    String run =
        "exec %s%s run --settings %s --shard %s/%s%s"
            .formatted(
                isProcessPerGpu(job.site()) ? batchSystem.processPerGpu() : "",
                quote(program.toString()),
                quote(job.folder().resolve(SETTINGS).toString()),
                batchSystem.taskNumber,
                job.shards(),
                usesAllGpus(job.site()) && !settings.containsKey("device") ? " --device all" : "");
    StringBuilder merge = new StringBuilder("exec ").append(quote(program.toString()));
    merge.append(" merge --out ").append(quote(out.toString()));
    for (String definition : definitions) {
      for (int k = 1; k <= job.shards(); k++) {
        Path part = out.resolve(new Shard(k, job.shards()).fileName(definition) + ".h5");
        merge.append(" \\\n  ").append(quote(part.toString()));
      }
    }
    return new Submission(
        batchSystem,
        job,
        yaml(settings),
        batchSystem.array(job).with(job.site(), run),
        batchSystem.merge(job).with(job.site(), merge.toString()));
  }

  /** Whether each of several GPUs of a node has a process of its own. */
  static boolean isProcessPerGpu(Site site) {
    return site.task().gpusPerNode() > 1 && site.processPerGpu();
  }

  private static boolean usesAllGpus(Site site) {
    return site.task().gpusPerNode() > 1 && !site.processPerGpu();
  }

  /**
   * Writes the files and submits both jobs.
   *
   * @return identifiers of the array job and the merge job
   * @throws InputException when the files cannot be written or the batch system is not installed
   * @throws ComputationException with the message of the batch system when it refuses a job
   */
  public List<String> submit() {
    try {
      Files.createDirectories(job.folder());
      write(SETTINGS, settings);
      write(ARRAY, arrayScript);
      write(MERGE, mergeScript);
    } catch (IOException e) {
      throw new InputException(job.folder() + ": cannot be written: " + PlainFile.reason(e), e);
    }
    // Not from the files: others may write to a folder that a group shares.
    List<String> command = new ArrayList<>(batchSystem.submit);
    String array = hand(command, arrayScript);
    command.addAll(batchSystem.after(array));
    return List.of(array, hand(command, mergeScript));
  }

  /** Replaces a file; a link in its place is not followed. */
  private void write(String name, String text) throws IOException {
    Path file = job.folder().resolve(name);
    Files.deleteIfExists(file);
    Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private String hand(List<String> command, String script) {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new InputException(
          "%s cannot be started: does this machine belong to a cluster with %s? (%s)"
              .formatted(command.get(0), batchSystem.name(), e.getMessage()),
          e);
    }
    try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
      input.write(script);
    } catch (IOException e) {
      // A command that refuses the job without reading it says why.
    }
    try {
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new ComputationException(
            String.join(" ", command) + " failed with status " + status + ": " + printed.strip());
      }
      return batchSystem.jobId(printed);
    } catch (IOException e) {
      throw new ComputationException(command.get(0) + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ComputationException("interrupted while submitting", e);
    }
  }

  /** Refuses names that would end a line of a script or of the settings. */
  private static void checkName(String what, String name) {
    if (!Printable.of(name).equals(name)) {
      throw InputException.of(
          "%s: control characters cannot stand in a job's script: '%s'; give another name",
          what, Printable.of(name));
    }
  }

  /** The settings as a settings file; every value a quoted text. */
  private static String yaml(Map<String, List<String>> settings) {
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (key, values) -> {
          List<String> quoted = new ArrayList<>();
          values.forEach(value -> quoted.add("'" + value.replace("'", "''") + "'"));
          text.append(key).append(": [").append(String.join(", ", quoted)).append("]\n");
        });
    return text.toString();
  }

  private static String quote(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
