package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Where and how contractions run.
 *
 * @param backend name of a backend, or {@link Backends#AUTO}
 * @param devices numbers of the devices within the backend, each of which computes units
 * @param devicesPerUnit how many of them compute a unit together
 * @param unitsAtOnce how many units are computed side by side on one processor
 * @param memory device memory that may be used, or null for the program's choice
 * @param eviction name of the eviction policy
 * @param cache how elements are kept on the device
 * @param threads host threads that may compute; 0 for the backend's choice
 * @param tiers what evicted elements may take beneath the device
 * @param trace file to which all accesses to elements are recorded, or null
 * @param exact whether to keep to conventional products, whose error is bounded element by element
 * @param precision in which elements are kept and multiplied
 */
public record DeviceSettings(
    String backend,
    NumberSelection devices,
    int devicesPerUnit,
    int unitsAtOnce,
    @Nullable MemorySize memory,
    String eviction,
    CacheSettings cache,
    int threads,
    MemoryTiers tiers,
    @Nullable Path trace,
    boolean exact,
    Precision precision) {
  /** Whatever works, all of it. */
  public static DeviceSettings defaults() {
    return new DeviceSettings(
        Backends.AUTO,
        NumberSelection.parse("0"),
        1,
        1,
        null,
        MemHCOptions.DEFAULT_POLICY,
        CacheSettings.defaults(),
        0,
        MemoryTiers.defaults(),
        null,
        false,
        Precision.DOUBLE);
  }

  /** The same on another device. */
  public DeviceSettings withBackend(String name, int number) {
    return new DeviceSettings(
        name,
        NumberSelection.parse(Integer.toString(number)),
        1,
        1,
        memory,
        eviction,
        cache,
        threads,
        tiers,
        trace,
        exact,
        precision);
  }

  /** Number of the device where the settings name exactly one, or else of the first. */
  int device() {
    return devices.ranges().isEmpty() ? 0 : devices.ranges().get(0).first();
  }

  /** Whether the settings name one device. */
  boolean isOneDevice() {
    return devices.ranges().size() == 1
        && devices.ranges().get(0).first() == devices.ranges().get(0).last();
  }

  /** The same with another bound on the device memory. */
  public DeviceSettings withMemory(MemorySize bound) {
    return new DeviceSettings(
        backend,
        devices,
        devicesPerUnit,
        unitsAtOnce,
        bound,
        eviction,
        cache,
        threads,
        tiers,
        trace,
        exact,
        precision);
  }

  /** The same with this many threads. */
  DeviceSettings withThreads(int count) {
    return new DeviceSettings(
        backend,
        devices,
        devicesPerUnit,
        unitsAtOnce,
        memory,
        eviction,
        cache,
        count,
        tiers,
        trace,
        exact,
        precision);
  }

  /** The same in another precision. */
  public DeviceSettings in(Precision other) {
    return new DeviceSettings(
        backend,
        devices,
        devicesPerUnit,
        unitsAtOnce,
        memory,
        eviction,
        cache,
        threads,
        tiers,
        trace,
        exact,
        other);
  }

  /** The settings under their names in a settings file. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("backend", backend);
    map.put("device", isOneDevice() ? device() : devices.toString());
    if (devicesPerUnit > 1) {
      map.put("devices_per_unit", devicesPerUnit);
    }
    if (unitsAtOnce > 1) {
      map.put("units_at_once", unitsAtOnce);
    }
    if (memory != null) {
      map.put("device_memory", memory.toString());
    }
    map.put("eviction", eviction);
    map.putAll(cache.describe());
    map.put("threads", threads);
    map.putAll(tiers.describe());
    if (trace != null) {
      map.put("trace", trace.toString());
    }
    map.put("exact", exact);
    map.put("precision", precision.label());
    return map;
  }
}
