package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.correlators.TextFile;
import org.starlingqcd.hadron.text.Printable;
import org.starlingqcd.hadron.yaml.YamlDocument;
import org.starlingqcd.hadron.yaml.YamlException;
import org.starlingqcd.hadron.yaml.YamlNode;

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

  private static final String PROCESSES = "processes";
  private static final String AT_ONCE = "at_once";
  private static final String SETUP = "setup";
  private static final String OPTIONS = "options";
  private static final String MERGE = "merge";
  private static final List<String> TEXTS =
      List.of("partition", "account", "qos", "time", "memory", PROCESSES);
  private static final List<String> NUMBERS = List.of("gpus_per_node", "cpus_per_task", AT_ONCE);

  /** Keys of a job's needs, and of the whole file. */
  private static final List<String> OF_NEEDS =
      List.of(
          "partition",
          "account",
          "qos",
          "time",
          "memory",
          "gpus_per_node",
          "cpus_per_task",
          OPTIONS);

  private static final List<String> OF_SITE =
      Stream.of(OF_NEEDS, List.of(PROCESSES, AT_ONCE, SETUP, MERGE)).flatMap(List::stream).toList();

  /** The values of {@code processes}: one for all GPUs of a node, one for each GPU. */
  private static final String PER_NODE = "node";

  private static final String PER_GPU = "gpu";

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
    YamlNode root;
    try {
      root = YamlDocument.parse(TextFile.readSettings(file));
    } catch (YamlException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
    YamlNode.Mapping mapping = mapping(file, root, "");
    Map<String, List<String>> values = values(file, mapping, OF_SITE);
    YamlNode.Entry merge = mapping.entries().get(MERGE);
    Map<String, List<String>> ofMerge =
        merge == null
            ? new LinkedHashMap<>()
            : values(file, mapping(file, merge.value(), MERGE + ": "), OF_NEEDS);
    for (String key : List.of("partition", "account", "qos", "time")) {
      if (values.containsKey(key)) {
        ofMerge.putIfAbsent(key, values.get(key));
      }
    }
    return new Site(
        needs(values),
        needs(ofMerge),
        one(values, PROCESSES).equals(PER_GPU),
        number(values, AT_ONCE),
        values.getOrDefault(SETUP, List.of()));
  }

  private static YamlNode.Mapping mapping(Path file, YamlNode node, String what) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      throw error(file, node.line(), what + "expected a mapping, found " + node.kind());
    }
    YamlNode.Repeated repeated = mapping.repeated();
    if (repeated != null) {
      throw error(
          file,
          repeated.line(),
          "'" + repeated.key() + "' stands in line " + repeated.firstLine() + " too");
    }
    return mapping;
  }

  private static Needs needs(Map<String, List<String>> values) {
    return new Needs(
        one(values, "partition"),
        one(values, "account"),
        one(values, "qos"),
        one(values, "time"),
        one(values, "memory"),
        number(values, "gpus_per_node"),
        number(values, "cpus_per_task"),
        values.getOrDefault(OPTIONS, List.of()));
  }

  private static Map<String, List<String>> values(
      Path file, YamlNode.Mapping mapping, List<String> known) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!known.contains(key)) {
                throw error(
                    file,
                    entry.line(),
                    "unknown key '"
                        + key
                        + "'; there are: "
                        + String.join(", ", known)
                        + Suggestion.text(key, known));
              }
              if (!key.equals(MERGE)) {
                values.put(key, value(file, key, entry));
              }
            });
    return values;
  }

  private static List<String> value(Path file, String key, YamlNode.Entry entry) {
    boolean list = !TEXTS.contains(key) && !NUMBERS.contains(key);
    List<YamlNode> nodes =
        list && entry.value() instanceof YamlNode.Sequence sequence
            ? sequence.items()
            : List.of(entry.value());
    List<String> texts = new ArrayList<>();
    for (YamlNode node : nodes) {
      if (!(node instanceof YamlNode.Scalar scalar) || scalar.text().isEmpty()) {
        throw error(file, node.line(), "'" + key + "': expected a value, found " + node.kind());
      }
      if (NUMBERS.contains(key) && !scalar.text().matches("[0-9]{1,6}")) {
        throw error(file, node.line(), "'" + key + "': expected a number: " + scalar.text());
      }
      Pattern form = key.equals(OPTIONS) ? LINE : WORD;
      if (!key.equals(SETUP) && !form.matcher(scalar.text()).matches()) {
        throw error(
            file,
            node.line(),
            "'"
                + key
                + "': a value of the batch system has no such characters: "
                + Printable.of(scalar.text()));
      }
      if (key.equals(PROCESSES) && !List.of(PER_NODE, PER_GPU).contains(scalar.text())) {
        throw error(
            file,
            node.line(),
            "'processes': expected node, for one process with all GPUs of a node, or gpu, for one"
                + " process a GPU: "
                + scalar.text());
      }
      texts.add(scalar.text());
    }
    return texts;
  }

  private static String one(Map<String, List<String>> values, String key) {
    return values.getOrDefault(key, List.of("")).get(0);
  }

  private static int number(Map<String, List<String>> values, String key) {
    return Integer.parseInt(values.getOrDefault(key, List.of("0")).get(0));
  }

  private static InputException error(Path file, int line, String message) {
    return new InputException(file + ":" + line + ": " + message);
  }
}
