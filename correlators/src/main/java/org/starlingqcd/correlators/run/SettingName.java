package org.starlingqcd.correlators.run;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What can be set for a run, in a settings file by its key, on the command line by its option. */
public enum SettingName {
  /** Paths or names of definitions. */
  DEFINITIONS,
  /** Files, folders and globs of data. */
  DATA,
  /** Configurations. */
  CONFIGURATIONS,
  /** Source times. */
  SOURCES,
  /** Most sources of a configuration that are computed together. */
  SOURCES_AT_ONCE,
  /** Separations. */
  SEPARATIONS,
  /** Folder of the results. */
  OUT,
  /** Name of a backend. */
  BACKEND,
  /** Number of a device. */
  DEVICE,
  /** Device memory that may be used. */
  DEVICE_MEMORY,
  /** Name of an eviction policy. */
  EVICTION,
  /** Host threads that may compute. */
  THREADS,
  /** RAM for evicted elements. */
  HOST_MEMORY,
  /** Where the spill file goes. */
  SPILL_DIRECTORY,
  /** Bound on the spill file. */
  SPILL_LIMIT,
  /** Flops that take as long as moving a byte. */
  RECOMPUTE,
  /** File to which accesses to elements are recorded. */
  TRACE,
  /** Whether to keep to conventional products. */
  EXACT,
  /** Part of the work to do. */
  SHARD,
  /** Whether existing results are thrown away. */
  OVERWRITE,
  /** Whether a bad configuration is skipped. */
  KEEP_GOING,
  /** Host memory for data read ahead. */
  READ_AHEAD,
  /** File with a saved plan. */
  PLAN,
  /** Most contractions of a vector. */
  VECTOR_SIZE,
  /** Order of the contractions. */
  ORDER,
  /** Optimizations that are left out. */
  WITHOUT;

  /** Its key in a settings file, as {@code device_memory}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its option on the command line, as {@code --device-memory}. */
  public String option() {
    return "--" + key().replace('_', '-');
  }

  /** The setting of a key. */
  static Optional<SettingName> find(String key) {
    return Arrays.stream(values()).filter(name -> name.key().equals(key)).findFirst();
  }

  /** All keys. */
  static List<String> keys() {
    return Arrays.stream(values()).map(SettingName::key).toList();
  }
}
