package org.starlingqcd.correlators.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.correlators.TextFile;
import org.starlingqcd.hadron.yaml.YamlDocument;
import org.starlingqcd.hadron.yaml.YamlException;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * What a cluster asks for; every value is in the words of its batch system. Keys of the file
 * (YAML), all optional: {@code partition}, {@code account}, {@code qos}, {@code time} (wall time),
 * {@code memory}, {@code gpus_per_node}, {@code processes} ({@code node} for one process with all
 * GPUs of a task, {@code gpu} for one process a GPU), {@code cpus_per_task}, {@code at_once} (tasks
 * of the array that run at once), {@code options} (further options of the batch system, a list) and
 * {@code setup} (shell commands before the program, a list).
 *
 * @param partition partition, or empty
 * @param account account, or empty
 * @param qos quality of service, or empty
 * @param time wall time, or empty
 * @param memory memory of a task, or empty
 * @param gpusPerNode GPUs of a task; 0 for none
 * @param processPerGpu whether each of several GPUs has a process of its own
 * @param cpusPerTask processors of a task; 0 for the site's default
 * @param atOnce tasks that may run at once; 0 for no bound
 * @param options further options, as {@code --constraint=a100}
 * @param setup shell commands
 */
public record Site(
    String partition,
    String account,
    String qos,
    String time,
    String memory,
    int gpusPerNode,
    boolean processPerGpu,
    int cpusPerTask,
    int atOnce,
    List<String> options,
    List<String> setup) {
  /** Nothing set; the defaults of the cluster apply. */
  public static final Site DEFAULTS =
      new Site("", "", "", "", "", 0, false, 0, 0, List.of(), List.of());

  private static final List<String> TEXTS =
      List.of("partition", "account", "qos", "time", "memory", "processes");
  private static final List<String> NUMBERS = List.of("gpus_per_node", "cpus_per_task", "at_once");
  private static final List<String> LISTS = List.of("options", "setup");

  /** The values of {@code processes}: one for all GPUs of a node, one for each GPU. */
  private static final List<String> PROCESSES = List.of("node", "gpu");

  /** The characters that a directive of a script may have. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:,/@=+*%-]+");

  /** Copies the lists. */
  public Site {
    options = List.copyOf(options);
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
    if (!(root instanceof YamlNode.Mapping mapping)) {
      throw error(file, root.line(), "expected a mapping, found " + root.kind());
    }
    YamlNode.Repeated repeated = mapping.repeated();
    if (repeated != null) {
      throw error(
          file,
          repeated.line(),
          "'" + repeated.key() + "' stands in line " + repeated.firstLine() + " too");
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    mapping.entries().forEach((key, entry) -> values.put(key, value(file, key, entry)));
    return new Site(
        one(values, "partition"),
        one(values, "account"),
        one(values, "qos"),
        one(values, "time"),
        one(values, "memory"),
        number(values, "gpus_per_node"),
        one(values, "processes").equals("gpu"),
        number(values, "cpus_per_task"),
        number(values, "at_once"),
        values.getOrDefault("options", List.of()),
        values.getOrDefault("setup", List.of()));
  }

  private static List<String> value(Path file, String key, YamlNode.Entry entry) {
    boolean list = LISTS.contains(key);
    if (!list && !TEXTS.contains(key) && !NUMBERS.contains(key)) {
      List<String> known = new ArrayList<>(TEXTS);
      known.addAll(NUMBERS);
      known.addAll(LISTS);
      throw error(
          file,
          entry.line(),
          "unknown key '"
              + key
              + "'; there are: "
              + String.join(", ", known)
              + Suggestion.text(key, known));
    }
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
      if (!key.equals("setup") && !WORD.matcher(scalar.text()).matches()) {
        throw error(
            file,
            node.line(),
            "'" + key + "': a value of the batch system has no such characters: " + scalar.text());
      }
      if (key.equals("processes") && !PROCESSES.contains(scalar.text())) {
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
