package org.starlingqcd.simulator.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.simulator.VectorWorkload;
import org.starlingqcd.simulator.WorkloadRun;

/**
 * The built-in workloads by name: {@code tree:taxa=100,moves=200}. Parameters that are left out
 * have their defaults.
 */
public final class Workloads {
  /** Makes a trace from parameters that all have values. */
  @FunctionalInterface
  private interface Maker {
    AccessTrace make(Parameters parameters, long seed, boolean inPlace);
  }

  /** A workload with the defaults of its parameters. */
  private record Family(Map<String, Double> defaults, Maker maker) {}

  /** Values of all parameters. */
  private record Parameters(Map<String, Double> values) {
    double number(String name) {
      return Objects.requireNonNull(values.get(name));
    }

    int whole(String name) {
      double value = number(name);
      if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("must be a whole number: " + name + "=" + value);
      }
      return (int) value;
    }
  }

  private static final Map<String, Family> FAMILIES = new TreeMap<>();
  private static final SortedSet<String> EXAMPLES = new TreeSet<>();

  static {
    add(
        "tree:taxa=100,moves=200,radius=5,patterns=1000",
        (p, seed, inPlace) ->
            TreeWorkload.draw(
                p.whole("taxa"), p.whole("moves"), p.whole("radius"), p.whole("patterns"), seed));
    add(
        "vectors:size=16,rate=0.5,oversubscription=1,extent=64,gaussian=0",
        (p, seed, inPlace) ->
            new VectorWorkload(
                    WorkloadRun.vectorsFor(p.number("oversubscription")),
                    p.whole("size"),
                    p.number("rate"),
                    p.whole("gaussian") == 0
                        ? VectorWorkload.Distribution.UNIFORM
                        : VectorWorkload.Distribution.GAUSSIAN,
                    seed)
                .trace(p.whole("extent")));
    for (TaskGraphWorkload.Graph graph : TaskGraphWorkload.Graph.values()) {
      add(
          graph.name().toLowerCase(Locale.ROOT) + ":n=16,tile=1024,window=64",
          (p, seed, inPlace) ->
              TaskGraphWorkload.of(
                  graph, p.whole("n"), p.whole("tile"), p.whole("window"), inPlace));
    }
  }

  private static void add(String example, Maker maker) {
    EXAMPLES.add(example);
    String[] parts = example.split(":", 2);
    Map<String, Double> defaults = new LinkedHashMap<>();
    for (String one : parts[1].split(",", -1)) {
      String[] pair = one.split("=", 2);
      defaults.put(pair[0], Double.valueOf(pair[1]));
    }
    FAMILIES.put(parts[0], new Family(defaults, maker));
  }

  private Workloads() {}

  /** Every workload with its parameters and their defaults, as a user types them. */
  public static List<String> examples() {
    return List.copyOf(EXAMPLES);
  }

  /** Makes the trace of a workload in which tasks that change a tile make a new element. */
  public static AccessTrace make(String text, long seed) {
    return make(text, seed, false);
  }

  /**
   * Makes the trace of a workload.
   *
   * @param text such as {@code tree:taxa=100,moves=200}
   * @param seed seed of what is drawn
   * @param inPlace whether tiles of task graphs stay one element when they are changed
   * @throws IllegalArgumentException when there is no such workload or parameter, or a value is out
   *     of range; the message says what there is
   */
  public static AccessTrace make(String text, long seed, boolean inPlace) {
    String[] parts = text.split(":", 2);
    Family family = FAMILIES.get(parts[0]);
    if (family == null) {
      throw new IllegalArgumentException(
          "no workload is called '"
              + parts[0]
              + "'; there are: "
              + String.join(", ", FAMILIES.keySet()));
    }
    Map<String, Double> parameters = new LinkedHashMap<>(family.defaults());
    for (String one : parts.length == 1 ? new String[0] : parts[1].split(",", -1)) {
      String[] pair = one.split("=", 2);
      try {
        if (pair.length < 2 || !parameters.containsKey(pair[0].strip())) {
          throw new NumberFormatException();
        }
        parameters.put(pair[0].strip(), Double.parseDouble(pair[1]));
      } catch (NumberFormatException malformed) {
        throw new IllegalArgumentException(
            "workload "
                + text
                + ": '"
                + one
                + "' is no parameter with a number; parameters: "
                + String.join(", ", parameters.keySet()),
            malformed);
      }
    }
    try {
      return family.maker().make(new Parameters(parameters), seed, inPlace);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("workload " + text + ": " + wrong.getMessage(), wrong);
    }
  }
}
