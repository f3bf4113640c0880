package org.starlingqcd.correlators.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.SettingName;
import picocli.CommandLine.Option;

/** The options that say where and how contractions run, for every command that runs some. */
final class DeviceOptionGroup {
  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description = "auto, cpu, cuda or hip. Default: auto, the first that works.")
  private @Nullable String backend;

  @Option(
      names = "--device",
      paramLabel = "K",
      description = "Number of the device within its backend. Default: 0.")
  private @Nullable String device;

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description =
          "Device memory that may be used, as 4GiB or 80%%. Default: most of what is free.")
  private @Nullable String memory;

  @Option(
      names = "--eviction",
      paramLabel = "NAME",
      description = "What leaves the device when it is full: the name of an eviction policy.")
  private @Nullable String eviction;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Host threads that may compute. Default: one for each processor.")
  private @Nullable String threads;

  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      description =
          "RAM for elements evicted from the device, as 4GiB or 20%%. Default: half of what is"
              + " free; none for the cpu backend, whose device is RAM.")
  private @Nullable String hostMemory;

  @Option(
      names = "--spill-directory",
      paramLabel = "DIR",
      description = "Where a file is made for what does not fit there. Default: with the results.")
  private @Nullable String spillDirectory;

  @Option(
      names = "--spill-limit",
      paramLabel = "SIZE",
      description = "Bound on that file, as 100GiB. Default: the room there is.")
  private @Nullable String spillLimit;

  @Option(
      names = "--recompute",
      paramLabel = "FLOPS",
      description =
          "Floating-point operations that take as long as moving a byte to either, by which MemHC"
              + " decides whether an evicted node or product is copied or computed again; 0:"
              + " never again. Default: 100 for a file, 10 for RAM, 400 on a GPU.")
  private @Nullable String recompute;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Record all accesses to elements, for `starling replay`.")
  private @Nullable String trace;

  @Option(
      names = "--exact",
      description = "Conventional complex products only, whose error is bounded for each element.")
  private boolean exact;

  /** Adds what was given. */
  void putInto(Map<SettingName, List<String>> values) {
    RunOptionGroup.put(values, SettingName.BACKEND, backend);
    RunOptionGroup.put(values, SettingName.DEVICE, device);
    RunOptionGroup.put(values, SettingName.DEVICE_MEMORY, memory);
    RunOptionGroup.put(values, SettingName.EVICTION, eviction);
    RunOptionGroup.put(values, SettingName.THREADS, threads);
    RunOptionGroup.put(values, SettingName.HOST_MEMORY, hostMemory);
    RunOptionGroup.put(values, SettingName.SPILL_DIRECTORY, spillDirectory);
    RunOptionGroup.put(values, SettingName.SPILL_LIMIT, spillLimit);
    RunOptionGroup.put(values, SettingName.RECOMPUTE, recompute);
    RunOptionGroup.put(values, SettingName.TRACE, trace);
    RunOptionGroup.put(values, SettingName.EXACT, exact ? "true" : null);
  }
}
