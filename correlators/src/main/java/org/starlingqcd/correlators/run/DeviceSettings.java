package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.HelpSection;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.cli.option.PrecisionName;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.WritePolicy;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Where and how contractions run. Picocli fills the fields; what is null is the program's choice.
 */
public final class DeviceSettings implements Cloneable {
  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      completionCandidates = Backends.Names.class,
      description =
          "auto, cpu, cuda or hip. Default: ${DEFAULT-VALUE}, the first backend that works here.")
  String backend = Backends.AUTO;

  @Option(
      names = "--device",
      paramLabel = "LIST",
      description =
          "Numbers of the devices within their backend, such as 0 or 0,1,2,3, or all. Each computes"
              + " units of its own. Default: ${DEFAULT-VALUE}.")
  NumberSelection devices = NumberSelection.parse("0");

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--devices-per-unit",
      paramLabel = "COUNT",
      converter = WholeNumber.Devices.class,
      description =
          "Compute each unit on this many of the devices together. For runs with fewer units than"
              + " devices, or units that need the memory of several. Default: ${DEFAULT-VALUE}.")
  int devicesPerUnit = 1;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--units-at-once",
      paramLabel = "COUNT",
      converter = WholeNumber.Threads.class,
      description =
          "Compute this many units side by side on the processor, with a part each of the threads"
              + " and the device memory and with shared input. For many cores and small N. Default:"
              + " ${DEFAULT-VALUE}.")
  int unitsAtOnce = 1;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description =
          "Device memory that the run may use, such as 4GiB or 80%%. Default: most of the free"
              + " memory.")
  public @Nullable MemorySize memory;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      completionCandidates = KnownNames.OfPolicies.class,
      description =
          "Eviction policy, which chooses what leaves a full device. Default: ${DEFAULT-VALUE}.")
  String eviction = MemHCOptions.DEFAULT_POLICY;

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
  int threads;

  @Mixin private TierSettings tiers = new TierSettings();

  private @Nullable BackendProvider provider;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      description =
          "RAM that a run may take beside the device, such as 4GiB or 20%% of what is free. Half of"
              + " it is for elements evicted from the device, the rest for input data and buffers."
              + " Default: half of what is free; the cpu backend then evicts to a file.")
  @Nullable MemorySize hostMemory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--spill-directory",
      paramLabel = "DIR",
      description =
          "Folder of the spill file, which takes what does not fit into RAM. Default: the folder of"
              + " the results.")
  @Nullable Path spillDirectory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--spill-limit",
      paramLabel = "SIZE",
      description = "Largest size of the spill file, such as 100GiB. Default: the free disk space.")
  @Nullable MemorySize spillLimit;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--recompute",
      paramLabel = "FLOPS",
      converter = WholeNumber.FromZero.class,
      description =
          "How many floating-point operations take as long as moving one byte. MemHC uses it to"
              + " decide whether an evicted node or product is copied or computed again; 0 means"
              + " never computed again. Default: 100 with a spill file, 10 with RAM, 400 on a GPU.")
  @Nullable Integer recompute;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Record every access to an element in this file, for `starling replay`.")
  @Nullable Path trace;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--exact",
      fallbackValue = "true",
      description =
          "Use conventional complex products only; their error is bounded for each element.")
  boolean exact;

  @Option(
      names = "--precision",
      paramLabel = "NAME",
      converter = PrecisionName.class,
      description =
          "double, or single: matrices in single precision take half the memory and about half the"
              + " time. Traces and correlators are summed in double precision either way. Default:"
              + " double.")
  public Precision precision = Precision.DOUBLE;

  /** A device of a backend, all of it. */
  public static DeviceSettings of(String backend, int number) {
    return new DeviceSettings().withBackend(backend, number);
  }

  private DeviceSettings changed(Consumer<DeviceSettings> change) {
    try {
      DeviceSettings other = (DeviceSettings) clone();
      change.accept(other);
      return other;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same on one other device. */
  DeviceSettings withBackend(String name, int number) {
    return changed(
        other -> {
          other.backend = name;
          other.provider = null;
          other.devices = NumberSelection.parse(Integer.toString(number));
          other.devicesPerUnit = 1;
          other.unitsAtOnce = 1;
        });
  }

  /** The same with another bound on the device memory. */
  public DeviceSettings withMemory(MemorySize bound) {
    return changed(other -> other.memory = bound);
  }

  /** The same with this many threads. */
  DeviceSettings withThreads(int count) {
    return changed(other -> other.threads = count);
  }

  /** The same in another precision. */
  DeviceSettings in(Precision wanted) {
    return changed(other -> other.precision = wanted);
  }

  /** The backend on this device, which a run asks for half a dozen times and looks for once. */
  BackendProvider provider() {
    BackendProvider present = provider;
    if (present == null) {
      present = Backends.select(backend, device());
      provider = present;
    }
    return present;
  }

  /** Number of the device where the settings name exactly one, or else of the first. */
  int device() {
    return devices.ranges().isEmpty() ? 0 : devices.ranges().get(0).first();
  }

  boolean isOneDevice() {
    return devices.ranges().size() == 1
        && devices.ranges().get(0).first() == devices.ranges().get(0).last();
  }

  /** How MemHC keeps elements on the device. */
  CacheSettings cache() {
    return CacheSettings.parse(organization, lines, write, tiers.checked());
  }

  /** Adds the settings under their names in a settings file. */
  void describe(Map<String, Object> map) {
    map.put("backend", backend);
    map.put("device", isOneDevice() ? device() : devices.toString());
    RunSettings.put(map, "devices_per_unit", devicesPerUnit, 1);
    RunSettings.put(map, "units_at_once", unitsAtOnce, 1);
    RunSettings.put(map, "device_memory", memory, null);
    map.put("eviction", eviction);
    CacheSettings cache = cache();
    RunSettings.put(map, "organization", cache.organization().label(), Organization.FULL.label());
    RunSettings.put(map, "lines", cache.lines(), 0);
    RunSettings.put(map, "write", cache.write().label(), WritePolicy.BACK.label());
    tiers.describe(map);
    map.put("threads", threads);
    RunSettings.put(map, "host_memory", hostMemory, null);
    RunSettings.put(map, "spill_directory", spillDirectory, null);
    RunSettings.put(map, "spill_limit", spillLimit, null);
    RunSettings.put(map, "recompute", recompute, null);
    RunSettings.put(map, "trace", trace, null);
    map.put("exact", exact);
    map.put("precision", precision.label());
  }
}
