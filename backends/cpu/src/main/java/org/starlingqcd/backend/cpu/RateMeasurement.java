package org.starlingqcd.backend.cpu;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.MeasuredRates.Rates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

/**
 * The rates of the kernels on one thread of this machine, for estimates of times. They are measured
 * once, which takes about half a second, and stored in {@code
 * $XDG_CACHE_HOME/starling/cpu-kernels.properties} ({@code ~/.cache} where the variable is not set)
 * for this processor, core type and version of OpenBLAS. No result depends on them.
 */
final class RateMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(RateMeasurement.class);
  private static final String KEY = "machine";
  private static final String RATES = "rates";
  private static final List<Integer> EXTENTS = List.of(32, 64, 128);

  /** Least processor time of a measurement. */
  private static final double SAMPLE_SECONDS = 0.01;

  private static final int[] ORDER = {0, 1, 2, 3};
  private static final int[] SIGNS = {1, 1, 1, 1};

  private RateMeasurement() {}

  /** Measures, stores the result and returns lines for the user: the table and where it is kept. */
  static List<String> measure(OpenBlas blas) {
    KernelChoice.asked();
    Map<Precision, Map<Integer, Rates>> rates = measured(blas);
    List<String> lines = new ArrayList<>();
    lines.add(line("GFLOP/s, one thread", EXTENTS.stream().map(extent -> "N=" + extent)));
    rates.forEach(
        (precision, byExtent) -> {
          lines.add(line("contractions, " + precision, byExtent, Rates::contractions));
          lines.add(line("traces, " + precision, byExtent, Rates::traces));
        });
    Path file = file();
    lines.add(write(file, key(blas), rates) ? "stored in " + file : file + " cannot be written");
    if (KernelChoice.isSet()) {
      lines.add(KernelChoice.VARIABLE + " is set: runs may take other kernels than these");
    }
    return lines;
  }

  /** Measures the kernels that the rule chooses. */
  static Map<Precision, Map<Integer, Rates>> measured(OpenBlas blas) {
    Map<Precision, Map<Integer, Rates>> rates = new EnumMap<>(Precision.class);
    for (Precision precision : Precision.values()) {
      Map<Integer, Rates> byExtent = new TreeMap<>();
      for (int extent : EXTENTS) {
        DeviceOptions options = new DeviceOptions(0, 1, Long.MAX_VALUE, false).in(precision);
        try (CpuDevice device = new CpuDevice(options, blas, null)) {
          byExtent.put(extent, rates(device, TensorShape.mesonNode(extent).in(precision)));
        }
      }
      rates.put(precision, byExtent);
    }
    return rates;
  }

  private static String line(
      String name, Map<Integer, Rates> rates, ToDoubleFunction<Rates> flopsPerSecond) {
    Stream<Double> gigaflops =
        rates.values().stream().map(each -> 1e-9 * flopsPerSecond.applyAsDouble(each));
    return line(name, gigaflops.map(each -> String.format(Locale.US, "%.1f", each)));
  }

  private static String line(String name, Stream<String> columns) {
    return String.format(Locale.US, "%-22s", name)
        + columns
            .map(column -> String.format(Locale.US, "  %7s", column))
            .collect(Collectors.joining());
  }

  /** The rates of a contraction of two nodes and of the traces of two nodes with two. */
  private static Rates rates(CpuDevice device, TensorShape shape) {
    int extent = shape.extent();
    List<DeviceMemory> nodes = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      nodes.add(device.allocate(shape.bytes()));
      device.fillRandom(nodes.get(k), shape, k, device.computeStream());
    }
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(nodes.get(0), nodes.get(1), nodes.get(2), BatchSpinMapping.mesonProduct());
    SpinTraceMapping trace = SpinTraceMapping.mesonTrace(ORDER, SIGNS, ORDER, SIGNS);
    List<DeviceMemory> inputs = nodes.subList(0, 2);
    TraceBlock block = new TraceBlock(inputs, inputs, trace, extent, 0);
    try (HostMemory results = device.allocateHost(4L * TensorShape.COMPLEX_BYTES)) {
      double contraction = fastest(device, () -> device.contract(batch, device.computeStream()));
      double traces =
          fastest(device, () -> device.trace(List.of(block), results, device.computeStream()));
      return new Rates(
          batch.flops() / contraction, 4 * 8.0 * extent * extent * trace.size() / traces);
    } finally {
      nodes.forEach(device::free);
    }
  }

  /** Processor time of the fastest of several turns, of which the first warms up. */
  private static double fastest(CpuDevice device, Runnable work) {
    double fastest = Double.MAX_VALUE;
    double all = 0;
    for (int turn = 0; turn < 3 || all < SAMPLE_SECONDS; turn++) {
      device.synchronize(device.computeStream());
      long start = device.computeNanos();
      work.run();
      device.synchronize(device.computeStream());
      double seconds = Math.max(1, device.computeNanos() - start) * 1e-9;
      fastest = Math.min(fastest, seconds);
      all += seconds;
    }
    return fastest;
  }

  /**
   * Whether nothing is stored for this machine and can be, and the environment asks for no kernel.
   */
  static boolean isPending(OpenBlas blas) {
    return !KernelChoice.isSet() && read(file(), key(blas)) == null && mayStore(file());
  }

  /** Whether the folder of a file is there, or the first one above it, and takes files. */
  static boolean mayStore(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    while (folder != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    return folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
  }

  /** Whether the environment asks for no kernel and there is a file that may hold rates. */
  static boolean mayBeStored() {
    return !KernelChoice.isSet() && Files.isReadable(file());
  }

  /** The stored rates of this machine; null when there are none. */
  static @Nullable MeasuredRates stored(OpenBlas blas) {
    return read(file(), key(blas));
  }

  private static Path file() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache == null || cache.isBlank()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(cache);
    return folder.resolve("starling").resolve("cpu-kernels.properties");
  }

  private static String key(OpenBlas blas) {
    return "7|" + OpenBlas.VERSION + "|" + blas.core() + "|" + blas.processor();
  }

  /** Reads a file of {@link #write}; null when it does not exist or is for another key. */
  static @Nullable MeasuredRates read(Path file, String key) {
    if (!Files.isReadable(file)) {
      return null;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      if (!key.equals(properties.getProperty(KEY))) {
        return null;
      }
      Map<Precision, Map<Integer, Rates>> rates = new EnumMap<>(Precision.class);
      for (String name : properties.stringPropertyNames()) {
        String[] parts = name.split("\\.", -1);
        String[] both = properties.getProperty(name, "").split(",", -1);
        if (parts[0].equals(RATES) && parts.length == 3 && both.length == 2) {
          rates
              .computeIfAbsent(Precision.of(parts[1]).orElseThrow(), p -> new TreeMap<>())
              .put(
                  Integer.valueOf(parts[2]),
                  new Rates(Double.parseDouble(both[0]), Double.parseDouble(both[1])));
        }
      }
      return new MeasuredRates(CpuDevice.defaultThreads(), rates);
    } catch (IOException | IllegalArgumentException | NoSuchElementException damaged) {
      LOG.warn("{} holds no valid rates; they are measured again: {}", file, damaged.getMessage());
      return null;
    }
  }

  /** Stores rates and returns whether that succeeded. */
  static boolean write(Path file, String key, Map<Precision, Map<Integer, Rates>> rates) {
    Properties properties = new Properties();
    properties.setProperty(KEY, key);
    rates.forEach(
        (precision, byExtent) ->
            byExtent.forEach(
                (extent, each) ->
                    properties.setProperty(
                        RATES + "." + precision.label() + "." + extent,
                        each.contractions() + "," + each.traces())));
    try {
      Files.createDirectories(file.getParent());
      Path written = Files.createTempFile(file.getParent(), "cpu-kernels", ".tmp");
      try (Writer writer = Files.newBufferedWriter(written)) {
        properties.store(writer, "Rates of the CPU kernels of this machine");
      }
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (IOException cannotBeKept) {
      LOG.debug("rates not stored: {}", cannotBeKept.toString());
      return false;
    }
  }
}
