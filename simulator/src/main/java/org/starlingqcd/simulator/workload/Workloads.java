package org.starlingqcd.simulator.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
    AccessTrace make(Map<String, Double> parameters, long seed, boolean inPlace);
  }

  /** A workload with the defaults of its parameters. */
  private record Family(Map<String, Double> defaults, Maker maker) {}

  private static final Map<String, Family> FAMILIES = new TreeMap<>();

  static {
    FAMILIES.put(
        "tree",
        new Family(
            defaults("taxa", 100, "moves", 200, "radius", 5, "patterns", 1000),
            (p, seed, inPlace) ->
                TreeWorkload.draw(
                    whole(p, "taxa"),
                    whole(p, "moves"),
                    whole(p, "radius"),
                    whole(p, "patterns"),
                    seed)));
    FAMILIES.put(
        "vectors",
        new Family(
            defaults("size", 16, "rate", 0.5, "oversubscription", 1, "extent", 64, "gaussian", 0),
            (p, seed, inPlace) ->
                new VectorWorkload(
                        WorkloadRun.vectorsFor(number(p, "oversubscription")),
                        whole(p, "size"),
                        number(p, "rate"),
                        whole(p, "gaussian") == 0
                            ? VectorWorkload.Distribution.UNIFORM
                            : VectorWorkload.Distribution.GAUSSIAN,
                        seed)
                    .trace(whole(p, "extent"))));
    for (TaskGraphWorkload.Graph graph : TaskGraphWorkload.Graph.values()) {
      FAMILIES.put(
          graph.name().toLowerCase(Locale.ROOT),
          new Family(
              defaults("n", 16, "tile", 1024, "window", 64),
              (p, seed, inPlace) ->
                  TaskGraphWorkload.of(
                      graph, whole(p, "n"), whole(p, "tile"), whole(p, "window"), inPlace)));
    }
    FAMILIES.put(
        "calls",
        new Family(
            defaults(
                "gemm", 470, "gesv", 131, "xpy", 394, "copy", 62, "size", 1024, "matrices", 24),
            (p, seed, inPlace) ->
                CallWorkload.draw(
                    whole(p, "gemm"),
                    whole(p, "gesv"),
                    whole(p, "xpy"),
                    whole(p, "copy"),
                    whole(p, "size"),
                    whole(p, "matrices"),
                    seed)));
  }

  private Workloads() {}

  private static Map<String, Double> defaults(Object... pairs) {
    Map<String, Double> map = new LinkedHashMap<>();
    for (int k = 0; k < pairs.length; k += 2) {
      map.put((String) pairs[k], ((Number) pairs[k + 1]).doubleValue());
    }
    return map;
  }

  private static double number(Map<String, Double> parameters, String name) {
    return Objects.requireNonNull(parameters.get(name));
  }

  private static int whole(Map<String, Double> parameters, String name) {
    double value = number(parameters, name);
    if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("must be a whole number: " + name + "=" + value);
    }
    return (int) value;
  }

  /** Every workload with its parameters and their defaults, as a user types them. */
  public static List<String> examples() {
    return FAMILIES.entrySet().stream()
        .map(
            family -> {
              StringBuilder text = new StringBuilder(family.getKey());
              char before = ':';
              for (Map.Entry<String, Double> one : family.getValue().defaults().entrySet()) {
                double value = one.getValue();
                text.append(before).append(one.getKey()).append('=');
                if (value == Math.rint(value)) {
                  text.append((long) value);
                } else {
                  text.append(value);
                }
                before = ',';
              }
              return text.toString();
            })
        .toList();
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
      return family.maker().make(parameters, seed, inPlace);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("workload " + text + ": " + wrong.getMessage(), wrong);
    }
  }
}
