package org.starlingqcd.correlators.run;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.input.PageLocked;
import org.starlingqcd.hadron.text.Suggestion;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.policy.EvictionPolicies;

/**
 * A device opened as the user asked, and the budget of its memory.
 *
 * @param info the device as it was before anything was allocated
 * @param options how MemHC is to be opened on it
 */
public record ComputeDevice(String backend, Device device, DeviceInfo info, MemHCOptions options)
    implements AutoCloseable {
  /** Part of a GPU's free memory that is taken: libraries want some of their own. */
  private static final double GPU_SHARE = 0.9;

  /** Part of the free RAM that the CPU's arena takes. */
  private static final double CPU_SHARE = 0.6;

  private static final String CPU = "cpu";

  // Floating-point operations in the time of a byte: some 100 Gflop/s of a core against a file at
  // 1 GB/s or RAM at 10 GB/s, some 10 Tflop/s of a GPU against a bus at 25 GB/s.
  private static final long CPU_FLOPS_PER_FILE_BYTE = 100;
  private static final long CPU_FLOPS_PER_RAM_BYTE = 10;
  private static final long GPU_FLOPS_PER_BUS_BYTE = 400;

  /** What was found for some settings; the budget is that of one unit at a time. */
  private record Choice(BackendProvider provider, DeviceInfo info, long budget) {}

  /** Throws what {@link #open} would throw because of what the user gave, and opens nothing. */
  public static void check(DeviceSettings settings) {
    for (DeviceSettings one : each(settings)) {
      choose(one).provider().checkSettings();
    }
  }

  /**
   * The settings of each device that computes, in the order in which the user named them, or of
   * each unit that is computed at once.
   *
   * @throws InputException when no device works, when accesses are to be recorded on several, or
   *     when the processor cannot be divided among units
   */
  static List<DeviceSettings> each(DeviceSettings settings) {
    if (settings.unitsAtOnce > 1) {
      return sideBySide(settings);
    }
    if (settings.isOneDevice()) {
      return List.of(settings);
    }
    if (settings.trace != null) {
      throw new InputException(
          "--trace records the accesses of one device: give --device the number of one");
    }
    Set<Integer> numbers = new LinkedHashSet<>();
    if (settings.devices.isAll()) {
      Backends.devices(settings.backend).forEach(info -> numbers.add(info.index()));
    }
    for (NumberSelection.Range range : settings.devices.ranges()) {
      IntStream.rangeClosed(range.first(), range.last()).forEach(numbers::add);
    }
    String backend = Backends.select(settings.backend, numbers.iterator().next()).name();
    return numbers.stream().map(number -> settings.withBackend(backend, number)).toList();
  }

  /** Sees before the computation what would fail after it. */
  private static void checkTrace(@Nullable Path trace) {
    if (trace == null) {
      return;
    }
    try {
      PlainFile.check(trace);
    } catch (FileSystemException e) {
      throw new InputException("--trace " + trace + ": " + e.getReason(), e);
    }
    Path folder = trace.toAbsolutePath().resolveSibling("");
    if (!Files.isWritable(folder)) {
      throw InputException.of("--trace %s: nothing can be written in %s", trace, folder);
    }
  }

  /**
   * Divides the processor among units that are computed side by side: each has its part of the
   * threads and of the memory, and a device of its own. Few threads a unit wait less for each other
   * than many.
   */
  private static List<DeviceSettings> sideBySide(DeviceSettings settings) {
    int count = settings.unitsAtOnce;
    if (!settings.isOneDevice() || settings.devicesPerUnit > 1) {
      throw InputException.of(
          "--units-at-once %s divides one device: it goes neither with several devices nor with"
              + " --devices-per-unit",
          count);
    }
    String backend = Backends.select(settings.backend, settings.device()).name();
    if (!backend.equals(CPU)) {
      throw InputException.of(
          "--units-at-once %s divides the processor: it needs --backend cpu, not %s. Several GPUs"
              + " compute units side by side with --device 0,1",
          count, backend);
    }
    if (settings.trace != null) {
      throw new InputException(
          "--trace records the accesses of one unit at a time: leave out --units-at-once");
    }
    if (settings.cache().tiers().isAsked()) {
      throw InputException.of(
          "--units-at-once %s divides memory of one kind: it does not go with fast and slow memory",
          count);
    }
    int threads =
        settings.threads > 0 ? settings.threads : Runtime.getRuntime().availableProcessors();
    if (count > threads) {
      throw InputException.of(
          "--units-at-once %s needs a thread for each unit, and there are %s%s",
          count, threads, settings.threads > 0 ? " (--threads)" : ", one for each processor");
    }
    return IntStream.range(0, count)
        .mapToObj(
            unit -> settings.withThreads(threads * (unit + 1) / count - threads * unit / count))
        .toList();
  }

  /**
   * The device memory in bytes that the order of contractions is made for. It depends on the
   * settings and the device alone, not on what other programs have taken of it at the moment, so
   * that equal runs on equal machines give equal bits. Of several devices the smallest counts, so
   * that a unit has the same plan on all. Units that are computed at once have the plan that they
   * have one by one. Orders are made for elements in double precision; memory has room for twice as
   * many in single precision.
   */
  static long planningBudget(List<DeviceSettings> devices) {
    return devices.stream().mapToLong(ComputeDevice::planningBudget).min().orElseThrow();
  }

  private static long planningBudget(DeviceSettings settings) {
    Choice choice = choose(settings);
    long total = choice.info().totalBytes();
    MemorySize asked = settings.memory;
    long budget = asked == null ? (long) (share(choice.provider()) * total) : asked.of(total);
    return Precision.DOUBLE.realBytes() / settings.precision.realBytes() * budget;
  }

  /**
   * Whether a device uses inputs that lie in memory of others where they are: it computes in RAM,
   * has two tiers, and takes numbers as they are.
   */
  static boolean borrows(DeviceSettings settings) {
    if (!settings.cache().tiers().isAsked() || settings.precision != Precision.DOUBLE) {
      return false;
    }
    Choice choice = choose(settings);
    return choice.provider().name().equals(CPU)
        && TwoTiers.of(settings.cache().tiers(), choice.provider(), choice.budget(), 0).tiering()
            != Tiering.OFF;
  }

  private static double share(BackendProvider provider) {
    return provider.name().equals(CPU) ? CPU_SHARE : GPU_SHARE;
  }

  private static Choice choose(DeviceSettings settings) {
    if (!EvictionPolicies.names().contains(settings.eviction)) {
      throw InputException.of(
          "no eviction policy is called '%s'; there are: %s%s",
          settings.eviction,
          String.join(", ", EvictionPolicies.names()),
          Suggestion.text(settings.eviction, EvictionPolicies.names()));
    }
    BackendProvider provider = settings.provider();
    List<DeviceInfo> found = provider.probe(settings.device()).devices();
    if (found.isEmpty()) {
      throw new InputException("the " + provider.name() + " device is gone: " + settings.device());
    }
    DeviceInfo info = found.get(0);
    MemorySize asked = settings.memory;
    long free = provider.name().equals(CPU) ? HostMemoryShare.freeBytes(info) : info.freeBytes();
    long budget = asked == null ? (long) (share(provider) * free) : asked.of(free);
    if (budget > info.totalBytes()) {
      throw InputException.of(
          "--device-memory %s is more than the device has: %s, %s",
          MemorySize.text(budget), info.name(), MemorySize.text(info.totalBytes()));
    }
    return new Choice(provider, info, budget / settings.unitsAtOnce);
  }

  /** The budget of host memory of a run on a device; nothing is opened. */
  static HostMemoryBudget hostMemory(DeviceSettings settings) {
    Choice choice = choose(settings);
    return HostMemoryShare.budget(
        settings, choice.provider().name().equals(CPU), settings.unitsAtOnce * choice.budget());
  }

  /**
   * Where data are read from which devices copy: page-locked memory, which every device of the
   * backend can use. Nothing is opened.
   */
  static PageLocked pageLocked(DeviceSettings settings) {
    BackendProvider provider = settings.provider();
    return provider.name().equals(CPU)
        ? PageLocked.NONE
        : bytes -> provider.pageLocked(settings.device(), bytes);
  }

  /**
   * Does what {@link #open} would do once for this machine, if it takes seconds.
   *
   * @param announce told what is about to be done; not called if nothing is to do
   */
  static void prepare(DeviceSettings settings, Consumer<String> announce) {
    each(settings).get(0).provider().prepare(announce);
  }

  /**
   * Opens a device.
   *
   * @param devices number of devices that share the host memory for evicted elements
   * @param hostMemory RAM that the run may take beside its devices
   * @param spillFolder where evicted intermediates go that have no room in RAM, unless the settings
   *     say
   * @throws InputException when the backend, device, policy or amount of memory is not there
   * @throws BackendSettingException when something set for the backend in the environment is wrong
   */
  static ComputeDevice open(
      DeviceSettings settings, int devices, Path spillFolder, HostMemoryBudget hostMemory) {
    checkTrace(settings.trace);
    Choice choice = choose(settings);
    BackendProvider provider = choice.provider();
    long budget = choice.budget();
    boolean cpu = provider.name().equals(CPU);
    long host = hostMemory.evictedBytes() / devices;
    TwoTiers two = TwoTiers.of(settings.cache().tiers(), provider, budget, host);
    two.announce();
    MemHCOptions placed = two.applyTo(settings.cache().applyTo(MemHCOptions.ofBudget(budget)));
    boolean bounded = cpu || (two.placement().managed() && settings.memory != null);
    Device device =
        provider.open(
            new DeviceOptions(
                    settings.device(), settings.threads, bounded ? budget : 0, settings.exact)
                .in(settings.precision)
                .with(two.placement()));
    // The slow memory of a GPU is the memory that copies would take.
    long copies = !cpu && two.slowBytes() > 0 ? 0 : host;
    Path spill = settings.spillDirectory == null ? spillFolder : settings.spillDirectory;
    MemHCOptions options =
        placed
            .withPolicy(settings.eviction)
            .withHostMemory(hostMemory)
            .withTiers(copies, spill, spillBytes(settings.spillLimit, spill))
            .withRecomputation(
                settings.recompute == null
                    ? flopsPerByte(cpu, copies + two.slowBytes())
                    : settings.recompute)
            .withTrace(settings.trace);
    return new ComputeDevice(provider.name(), device, choice.info(), options);
  }

  /** The processor, whose memory who uses it bounds. */
  static Device processor(DeviceSettings settings, int devices) {
    int threads =
        settings.threads > 0
            ? settings.threads
            : Math.max(1, Runtime.getRuntime().availableProcessors() / devices);
    return Backends.select(CPU, 0)
        .open(new DeviceOptions(0, threads, Long.MAX_VALUE, settings.exact));
  }

  private static long flopsPerByte(boolean cpu, long hostBytes) {
    if (!cpu) {
      return GPU_FLOPS_PER_BUS_BYTE;
    }
    return hostBytes > 0 ? CPU_FLOPS_PER_RAM_BYTE : CPU_FLOPS_PER_FILE_BYTE;
  }

  private static long spillBytes(@Nullable MemorySize limit, Path directory) {
    if (limit == null || limit.fraction() == 0) {
      return limit == null ? Long.MAX_VALUE : limit.bytes();
    }
    throw new InputException(
        directory + ": the bound on the spill file is an amount, as 100GiB, not a part");
  }

  @Override
  public void close() {
    device.close();
  }
}
