package org.starlingqcd.simulator;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.WritePolicy;

/**
 * The measurements of a synthetic benchmark.
 *
 * @param settings the settings
 * @param flops of all iterations together
 * @param seconds of each iteration, from opening MemHC to closing it
 * @param counts of each iteration
 */
public record BenchResult(
    BenchSettings settings, double flops, List<Double> seconds, List<MemoryStatistics> counts) {
  /** Time of all iterations in seconds. */
  public double wallSeconds() {
    return seconds.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Flops per second over all iterations, in 10⁹. */
  public double gflops() {
    return 1e-9 * flops / wallSeconds();
  }

  /** The memory statistics of an iteration, or their mean; whole numbers stay whole. */
  public Map<String, Object> memory() {
    return mean(counts.stream().map(MemoryStatistics::describe).toList());
  }

  private static Map<String, Object> mean(List<Map<String, Object>> all) {
    Map<String, Object> mean = new LinkedHashMap<>(all.get(0));
    mean.replaceAll(
        (key, first) -> {
          if (first instanceof Map<?, ?>) {
            return mean(all.stream().map(one -> object(one.get(key))).toList());
          }
          if (!(first instanceof Number)) {
            return first;
          }
          double value =
              all.stream()
                  .mapToDouble(one -> ((Number) Objects.requireNonNull(one.get(key))).doubleValue())
                  .average()
                  .orElseThrow();
          return value == Math.rint(value) ? (Object) Math.round(value) : (Object) value;
        });
    return mean;
  }

  @SuppressWarnings("unchecked") // an object of JSON has texts as keys
  private static Map<String, Object> object(@Nullable Object nested) {
    return (Map<String, Object>) Objects.requireNonNull(nested);
  }

  /** Share of look-ups that hit, over all iterations. */
  public double hitRate() {
    double hits = counts.stream().mapToLong(MemoryStatistics::hits).sum();
    return hits / (hits + counts.stream().mapToLong(MemoryStatistics::misses).sum());
  }

  /** Parameters and results under the names of the JSON object. */
  public Map<String, Object> describe(String backend) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("tensor_size", settings.contraction().extent());
    map.put("vector_size", settings.vectorSize());
    map.put("repeated_rate", settings.repeatedRate());
    map.put("distribution", settings.distribution().name().toLowerCase(Locale.ROOT));
    map.put("seed", settings.seed());
    map.put("vectors", settings.vectors());
    map.put("oversubscription", settings.oversubscription());
    map.put("eviction", settings.eviction());
    map.put("organization", settings.cache().organization().label());
    map.put("lines", settings.cache().lines() == 0 ? null : settings.cache().lines());
    map.put("write", settings.cache().write().label());
    map.put("backend", backend);
    map.put("iterations", settings.iterations());
    map.put("reuse", settings.reuse());
    map.put("packing", settings.packing());
    map.put("gpu_only", settings.gpuOnly());
    map.put("rank", settings.contraction().node().rank());
    map.put("spins", settings.contraction().node().spins());
    map.put("contractions", settings.contractions());
    map.put("wall_seconds", wallSeconds());
    map.put("flops", flops);
    map.put("gflops", gflops());
    map.put("memory", memory());
    return map;
  }

  /** Prints a table. */
  public void print(String backend, PrintWriter out) {
    out.printf(
        Locale.US,
        "N %d, vector size %d, repeated rate %s, %s, %d vectors%s%s, %s%s, %s%s%s%s%n%n",
        settings.contraction().extent(),
        settings.vectorSize(),
        settings.repeatedRate(),
        settings.distribution().name().toLowerCase(Locale.ROOT),
        settings.vectors(),
        settings.oversubscription() == null
            ? ""
            : ", oversubscription " + settings.oversubscription(),
        settings.contraction().node().rank() == 2
            ? ""
            : ", baryon nodes of " + settings.contraction().node().spins() + " spin components",
        settings.eviction(),
        cache(settings.cache()),
        backend,
        settings.reuse() ? "" : ", no reuse",
        settings.packing() ? "" : ", no packing",
        settings.gpuOnly() ? "" : ", no GPU-only objects");
    out.println("per iteration");
    memory().forEach((key, value) -> out.printf(Locale.US, "  %-18s %s%n", key, value));
    out.printf(Locale.US, "  %-18s %.2f %%%n%n", "hit rate", 100 * hitRate());
    out.printf(
        Locale.US,
        "%d iterations in %.3f s: %.2f GFLOP/s%n",
        settings.iterations(),
        wallSeconds(),
        gflops());
  }

  private static String cache(CacheSettings cache) {
    return (cache.organization().ways() == 0 ? "" : ", " + cache.organization().label())
        + (cache.lines() == 0 ? "" : ", " + cache.lines() + " lines")
        + (cache.write() == WritePolicy.BACK ? "" : ", write-through");
  }

  /** Appends a row to a CSV file, with a header if the file is new. */
  public void append(Path file, String backend) {
    Map<String, Object> flat = describe(backend);
    flat.remove("memory");
    memory()
        .forEach(
            (key, value) -> {
              if (value instanceof Map<?, ?> nested) {
                nested.forEach((name, number) -> flat.put(key + "_" + name, number));
              } else {
                flat.put(key, value);
              }
            });
    String values =
        flat.values().stream()
            .map(value -> value == null ? "" : value.toString())
            .collect(Collectors.joining(","));
    try {
      boolean begin = Files.notExists(file) || Files.size(file) == 0;
      Files.writeString(
          file,
          (begin ? String.join(",", flat.keySet()) + "\n" : "") + values + "\n",
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new InputException(file + ": cannot append a row: " + failed);
    }
  }
}
