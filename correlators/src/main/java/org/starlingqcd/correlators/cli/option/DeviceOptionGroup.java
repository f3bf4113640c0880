package org.starlingqcd.correlators.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.MemoryTiers;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.WritePolicy;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the device and its memory. */
final class DeviceOptionGroup {
  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      completionCandidates = KnownNames.OfBackends.class,
      description =
          "auto, cpu, cuda or hip. Default: ${DEFAULT-VALUE}, the first backend that works here.")
  private String backend = Backends.AUTO;

  @Option(
      names = "--device",
      paramLabel = "LIST",
      description =
          "Numbers of the devices within their backend, such as 0 or 0,1,2,3, or all. Each computes units of"
              + " its own. Default: ${DEFAULT-VALUE}.")
  private NumberSelection devices = NumberSelection.parse("0");

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--devices-per-unit",
      paramLabel = "COUNT",
      converter = WholeNumber.Devices.class,
      description =
          "Compute each unit on this many of the devices together. For runs with fewer units than devices,"
              + " or units that need the memory of several. Default: ${DEFAULT-VALUE}.")
  private int devicesPerUnit = 1;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--units-at-once",
      paramLabel = "COUNT",
      converter = WholeNumber.Units.class,
      description =
          "Compute this many units side by side on the processor, with a part each of the threads and the"
              + " device memory and with shared input. For many cores and small N. Default:"
              + " ${DEFAULT-VALUE}.")
  private int unitsAtOnce = 1;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description =
          "Device memory that the run may use, such as 4GiB or 80%%. Default: most of the free memory.")
  private @Nullable MemorySize memory;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      completionCandidates = KnownNames.OfPolicies.class,
      description =
          "Eviction policy, which chooses what leaves a full device. Default: ${DEFAULT-VALUE}.")
  private String eviction = MemHCOptions.DEFAULT_POLICY;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--organization",
      paramLabel = "NAME",
      description =
          "Which lines of device memory an element may take: full (any), 5-way (one of five, or of"
              + " another number) or direct (one). Default: ${DEFAULT-VALUE}.")
  private String organization = Organization.FULL.label();

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--lines",
      paramLabel = "COUNT",
      description =
          "Number of lines, each for one element of any size. Default: as many as the device memory"
              + " has room for the largest element; full: any number.")
  private @Nullable Integer lines;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--write",
      paramLabel = "NAME",
      description =
          "When results are copied to the host: back, when they have to leave the device; through,"
              + " at once. Default: ${DEFAULT-VALUE}.")
  private String write = WritePolicy.BACK.label();

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = WholeNumber.Threads.class,
      description = "Host threads that may compute. Default: one for each processor.")
  private int threads;

  @Mixin private TierOptionGroup tiers = new TierOptionGroup();

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      description =
          "RAM that a run may take beside the device, such as 4GiB or 20%% of what is free. Half of it is"
              + " for elements evicted from the device, the rest for input data and buffers. Default:"
              + " half of what is free; the cpu backend then evicts to a file.")
  private @Nullable MemorySize hostMemory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--spill-directory",
      paramLabel = "DIR",
      description =
          "Folder of the spill file, which takes what does not fit into RAM. Default: the folder of"
              + " the results.")
  private @Nullable Path spillDirectory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--spill-limit",
      paramLabel = "SIZE",
      description = "Largest size of the spill file, such as 100GiB. Default: the free disk space.")
  private @Nullable MemorySize spillLimit;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--recompute",
      paramLabel = "FLOPS",
      converter = WholeNumber.FromZero.class,
      description =
          "How many floating-point operations take as long as moving one byte. MemHC uses it to decide"
              + " whether an evicted node or product is copied or computed again; 0 means never computed"
              + " again. Default: 100 with a spill file, 10 with RAM, 400 on a GPU.")
  private @Nullable Integer recompute;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Record every access to an element in this file, for `starling replay`.")
  private @Nullable Path trace;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--exact",
      fallbackValue = "true",
      description =
          "Use conventional complex products only; their error is bounded for each element.")
  private boolean exact;

  @Option(
      names = "--precision",
      paramLabel = "NAME",
      converter = PrecisionName.class,
      description =
          "double, or single: matrices in single precision take half the memory and about half the time."
              + " Traces and correlators are summed in double precision either way. Default: double.")
  private Precision precision = Precision.DOUBLE;

  /** The settings that were given, and the defaults of the others. */
  DeviceSettings settings() {
    return new DeviceSettings(
        backend,
        devices,
        devicesPerUnit,
        unitsAtOnce,
        memory,
        eviction,
        CacheSettings.parse(organization, lines, write, tiers.settings()),
        threads,
        new MemoryTiers(hostMemory, spillDirectory, spillLimit, recompute),
        trace,
        exact,
        precision);
  }
}
