package org.starlingqcd.correlators.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * What a run did.
 *
 * @param configurations configurations asked for and found
 * @param finishedBefore units that were there already
 * @param computed units computed by this run
 * @param elsewhere units that other processes were computing at the end
 * @param failures configuration (or file) to the reason why it was left out
 * @param backend name of the backend; empty when there was nothing to compute
 * @param device the device, or the first of several, or null
 * @param devices what each device did, where there are several, as objects of JSON; else empty
 * @param precision in which elements are kept and multiplied
 * @param kernel the kernel that multiplied nodes, or empty where the device has only one
 * @param prepareSeconds time for definitions, the device and checks of the data, without planning
 * @param calibrationSeconds time for measuring kernels, once for a machine
 * @param planSeconds time for planning
 * @param readSeconds time for reading data, on whatever thread
 * @param stallSeconds the part of it that the computation waited for
 * @param writeSeconds time for results, until they are durable
 * @param blocks blocks of data from files and from the block cache of the node, or null without one
 */
public record RunSummary(
    List<String> definitions,
    List<Integer> configurations,
    List<String> results,
    int units,
    int finishedBefore,
    int computed,
    int elsewhere,
    Map<String, String> failures,
    String backend,
    @Nullable DeviceInfo device,
    List<Map<String, Object>> devices,
    Precision precision,
    String kernel,
    double prepareSeconds,
    double calibrationSeconds,
    double planSeconds,
    double readSeconds,
    double stallSeconds,
    double writeSeconds,
    double wallSeconds,
    ExecutionStatistics execution,
    MemoryStatistics memory,
    @Nullable BlockCounts blocks) {

  /** Useful flops per second of the whole run, in 10⁹. */
  public double gflops() {
    return wallSeconds > 0 ? 1e-9 * execution.work().flops() / wallSeconds : 0;
  }

  /** The JSON object of {@code starling run --json}. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("definitions", definitions);
    map.put("configurations", configurations);
    map.put("wall_seconds", wallSeconds);
    map.put("flops", execution.work().flops());
    map.put("gflops", gflops());
    map.put("contractions", execution.work().contractions());
    map.put("memory", memory.describe());
    map.put("results", results);
    Map<String, Object> count = new LinkedHashMap<>();
    count.put("requested", units);
    count.put("finished_before", finishedBefore);
    count.put("computed", computed);
    count.put("elsewhere", elsewhere);
    map.put("units", count);
    map.put("failed", failures);
    map.put("backend", backend);
    map.put("device", device == null ? "" : device.name());
    if (!devices.isEmpty()) {
      map.put("devices", devices);
    }
    map.put("precision", precision.label());
    if (!kernel.isEmpty()) {
      map.put("kernel", kernel);
    }
    map.put("products", execution.work().products());
    map.put("traces", execution.work().traces());
    map.put("bytes_read", execution.bytesRead());
    if (blocks != null) {
      Map<String, Object> counts = new LinkedHashMap<>();
      counts.put("from_files", blocks.fromFiles());
      counts.put("from_cache", blocks.fromCache());
      map.put("block_cache", counts);
    }
    Map<String, Object> seconds = new LinkedHashMap<>();
    seconds.put("prepare", prepareSeconds);
    seconds.put("calibration", calibrationSeconds);
    seconds.put("plan", planSeconds);
    seconds.put("read", readSeconds);
    seconds.put("read_waited", stallSeconds);
    if (blocks != null) {
      seconds.put("cache", blocks.storeSeconds());
    }
    seconds.put("nodes", execution.buildSeconds());
    seconds.put("products", execution.contractSeconds());
    seconds.put("traces", execution.traceSeconds());
    seconds.put("copies", execution.copySeconds());
    seconds.put("waiting", execution.stallSeconds());
    seconds.put("device_waited", execution.waitSeconds());
    seconds.put("execution", execution.wallSeconds());
    seconds.put("write", writeSeconds);
    map.put("seconds", seconds);
    return map;
  }
}
