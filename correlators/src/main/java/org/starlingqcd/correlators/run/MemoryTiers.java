package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;

/**
 * What evicted elements may take beneath the device.
 *
 * @param hostMemory RAM for them, or null for the program's choice
 * @param spillDirectory where the spill file goes, or null for the folder of the results
 * @param spillLimit bound on the spill file, or null for the room there is
 * @param recompute floating-point operations that take as long as moving a byte between the device
 *     and there, 0 to compute nothing again, or null for the program's choice
 */
public record MemoryTiers(
    @Nullable MemorySize hostMemory,
    @Nullable Path spillDirectory,
    @Nullable MemorySize spillLimit,
    @Nullable Integer recompute) {
  /** The program's choice of everything. */
  public static MemoryTiers defaults() {
    return new MemoryTiers(null, null, null, null);
  }

  /** What was set, under the names in a settings file. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (hostMemory != null) {
      map.put("host_memory", hostMemory.toString());
    }
    if (spillDirectory != null) {
      map.put("spill_directory", spillDirectory.toString());
    }
    if (spillLimit != null) {
      map.put("spill_limit", spillLimit.toString());
    }
    if (recompute != null) {
      map.put("recompute", recompute);
    }
    return map;
  }
}
