package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TextFile;
import org.starlingqcd.hadron.text.Printable;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;

/**
 * What a cluster asks for; every value is in the words of its batch system. Keys of the file
 * (YAML), all optional: those of {@link Needs} for the tasks of the array, {@code processes}
 * ({@code node} for one process with all GPUs of a task, {@code gpu} for one process a GPU), {@code
 * at_once} (tasks that run at once), {@code setup} (shell commands before the program, a list) and
 * {@code merge}, a mapping with the needs of the merge job. What {@code merge} does not name of
 * partition, account, qos and time is that of the tasks.
 *
 * @param task needs of a task
 * @param merge needs of the merge job
 * @param processPerGpu whether each of several GPUs has a process of its own
 * @param atOnce tasks that may run at once; 0 for no bound
 * @param setup shell commands
 */
public record Site(Needs task, Needs merge, boolean processPerGpu, int atOnce, List<String> setup) {
  /**
   * What a job needs.
   *
   * @param partition partition or queue, or empty
   * @param account account or project, or empty
   * @param qos quality of service, or empty
   * @param time wall time, or empty
   * @param memory memory, or empty
   * @param gpusPerNode GPUs; 0 for none
   * @param cpusPerTask processors; 0 for the site's default
   * @param options further options, as {@code --constraint=a100}
   */
  public record Needs(
      String partition,
      String account,
      String qos,
      String time,
      String memory,
      int gpusPerNode,
      int cpusPerTask,
      List<String> options) {
    /** Copies the list. */
    public Needs {
      options = List.copyOf(options);
    }
  }

  private static final Needs NOTHING = new Needs("", "", "", "", "", 0, 0, List.of());

  /** Nothing set; the defaults of the cluster apply. */
  public static final Site DEFAULTS = new Site(NOTHING, NOTHING, false, 0, List.of());

  private static final String NEEDS =
      "partition account qos time memory gpus_per_node cpus_per_task options";
  private static final List<String> OF_NEEDS = List.of(NEEDS.split(" "));
  private static final List<String> OF_SITE =
      List.of((NEEDS + " processes at_once setup merge").split(" "));

  /** The characters that a directive of a script may have. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:,/@=+*%-]+");

  /** An option, which is a line of a script. */
  private static final Pattern LINE = Pattern.compile("\\P{Cntrl}+");

  /** Copies the list. */
  public Site {
    setup = List.copyOf(setup);
  }

  /**
   * Reads a site file.
   *
   * @throws InputException naming file and line when it cannot be read or a value is wrong
   */
  public static Site read(Path file) {
    Fields fields = TextFile.settings(file, "a site file").allow(OF_SITE);
    Needs task = needs(fields, NOTHING);
    Needs inherited =
        new Needs(task.partition, task.account, task.qos, task.time, "", 0, 0, List.of());
    return new Site(
        task,
        fields.has("merge")
            ? needs(fields.fields("merge", "merge").allow(OF_NEEDS), inherited)
            : inherited,
        fields.value("processes", "node", Site::processes).equals("gpu"),
        number(fields, "at_once"),
        fields.oneOrMore("setup", text -> text));
  }

  /** The needs under the keys of a mapping; four of them may be those of others. */
  private static Needs needs(Fields fields, Needs others) {
    return new Needs(
        fields.value("partition", others.partition, text -> matching(WORD, text)),
        fields.value("account", others.account, text -> matching(WORD, text)),
        fields.value("qos", others.qos, text -> matching(WORD, text)),
        fields.value("time", others.time, text -> matching(WORD, text)),
        fields.value("memory", "", text -> matching(WORD, text)),
        number(fields, "gpus_per_node"),
        number(fields, "cpus_per_task"),
        fields.oneOrMore("options", text -> matching(LINE, text)));
  }

  private static int number(Fields fields, String key) {
    return fields.value(key, 0, text -> (int) Fields.integer(text, 0, 999_999));
  }

  private static String matching(Pattern form, String text) {
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a value of the batch system has no such characters: " + Printable.of(text));
    }
    return text;
  }

  private static String processes(String text) {
    if (!List.of("node", "gpu").contains(text)) {
      throw new IllegalArgumentException(
          "expected node, for one process with all GPUs of a node, or gpu, for one process a GPU,"
              + " found "
              + Quoted.of(text));
    }
    return text;
  }
}
