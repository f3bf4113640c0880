package org.starlingqcd.simulator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.cache.MemoryStatistics;

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
  /** Copies the lists. */
  public BenchResult {
    seconds = List.copyOf(seconds);
    counts = List.copyOf(counts);
  }

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
}
