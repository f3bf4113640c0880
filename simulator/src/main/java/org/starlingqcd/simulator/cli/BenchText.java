package org.starlingqcd.simulator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.simulator.BenchResult;
import org.starlingqcd.simulator.BenchSettings;

/** The output of {@code starling bench}: a table, or a row of a CSV file. */
final class BenchText {
  private BenchText() {}

  /** Prints a table. */
  static void print(BenchResult result, String backend, PrintWriter out) {
    BenchSettings settings = result.settings();
    out.printf(
        Locale.ROOT,
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
    result.memory().forEach((key, value) -> out.printf(Locale.ROOT, "  %-18s %s%n", key, value));
    out.printf(Locale.ROOT, "  %-18s %.2f %%%n%n", "hit rate", 100 * result.hitRate());
    out.printf(
        Locale.ROOT,
        "%d iterations in %.3f s: %.2f GFLOP/s%n",
        settings.iterations(),
        result.wallSeconds(),
        result.gflops());
  }

  private static String cache(CacheSettings cache) {
    return (cache.organization().ways() == 0 ? "" : ", " + cache.organization().label())
        + (cache.lines() == 0 ? "" : ", " + cache.lines() + " lines")
        + (cache.write() == WritePolicy.BACK ? "" : ", write-through");
  }

  /** Appends a row to a CSV file, with a header if the file is new. */
  static void append(Path file, BenchResult result, String backend) {
    Map<String, Object> flat = result.describe(backend);
    flat.remove("memory");
    result
        .memory()
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
