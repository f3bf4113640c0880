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
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.blas.CoreType;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * The fastest kernel for each extent on this machine, and its rates.
 *
 * <p>It is measured once ({@link CalibrationRun}) and stored in {@code
 * $XDG_CACHE_HOME/starling/cpu-kernels.properties} ({@code ~/.cache} where the variable is not set)
 * for this processor, core type and version of OpenBLAS. The environment variable {@code
 * STARLING_CPU_KERNEL} overrides it: {@code standard} takes the usual choice for the core type
 * without measuring; {@code packed,products=3}, {@code tile=100,products=3} or {@code zgemm} sets
 * one choice for every extent.
 */
public final class Calibration {
  /** Environment variable that overrides the measurement. */
  static final String VARIABLE = "STARLING_CPU_KERNEL";

  /** What keys of the file begin with. */
  private static final String EXTENT = "extent";

  private static final String RATES = "rates";

  private static final Logger LOG = LoggerFactory.getLogger(Calibration.class);

  /** Edge of the largest tile for which OpenBLAS uses its kernels for small matrices. */
  private static final int SMALL_MATRIX = 100;

  private final NavigableMap<Integer, KernelChoice> choices;
  private final Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> rates;
  private final String origin;

  /**
   * Creates a calibration with a choice for each of some extents.
   *
   * @param rates of the choices on one thread, in flops a second; empty where they are unknown
   * @param origin where it comes from, as shown in the backend's details
   */
  Calibration(
      Map<Integer, KernelChoice> choices,
      Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> rates,
      String origin) {
    if (choices.isEmpty()) {
      throw new IllegalArgumentException("must name an extent: choices=0");
    }
    this.choices = new TreeMap<>(choices);
    this.rates = new EnumMap<>(Precision.class);
    this.rates.putAll(rates);
    this.origin = origin;
  }

  /** The same choice for every extent. */
  public static Calibration always(KernelChoice choice, String origin) {
    return new Calibration(Map.of(1, choice), Map.of(), origin);
  }

  /**
   * The usual choice for a core type, without measuring: tiles where OpenBLAS has kernels for small
   * matrices, which are the fastest for few eigenvectors, and micro-kernels of our own elsewhere.
   */
  static KernelChoice standard(String core) {
    return CoreType.hasSmallMatrixKernels(core) || !VectorLoops.isAvailable()
        ? withoutLoops(core)
        : KernelChoice.packed(true);
  }

  /** The usual choice for a core type in a program that was built without a C++ compiler. */
  static KernelChoice withoutLoops(String core) {
    return new KernelChoice(CoreType.hasSmallMatrixKernels(core) ? SMALL_MATRIX : 0, true);
  }

  /**
   * The calibration of this machine: overridden, kept from an earlier run, or measured now.
   *
   * @throws BackendSettingException when the value of the variable is invalid
   */
  static Calibration ofMachine(OpenBlas blas) {
    Calibration override = overriding(System.getenv(VARIABLE), blas.core());
    return override != null ? override : Measured.of(blas);
  }

  /** Whether {@link #ofMachine} would measure now. */
  static boolean isPending(OpenBlas blas) {
    return overriding(System.getenv(VARIABLE), blas.core()) == null && Measured.known(blas) == null;
  }

  /**
   * Checks the variable.
   *
   * @throws BackendSettingException when its value is invalid
   */
  static void checkVariable() {
    overriding(System.getenv(VARIABLE), "");
  }

  /**
   * The calibration that the variable asks for; null when it is not set.
   *
   * @param text its value
   * @param core the core type for {@code standard}
   */
  static @Nullable Calibration overriding(@Nullable String text, String core) {
    if (text == null || text.isBlank()) {
      return null;
    }
    if (text.trim().equals("standard")) {
      return always(standard(core), "standard");
    }
    try {
      return always(KernelChoice.parse(text), VARIABLE);
    } catch (IllegalArgumentException wrong) {
      throw new BackendSettingException(
          VARIABLE
              + "="
              + text
              + ": expected standard, "
              + KernelChoice.EXPECTED
              + "; unset it to let the program choose the fastest kernel",
          wrong);
    }
  }

  /**
   * Measures again, stores the result and returns lines for the user: the table and where it is
   * stored.
   */
  static List<String> measure(OpenBlas blas) {
    checkVariable();
    CalibrationRun run = CalibrationRun.measure(blas);
    Path file = file();
    List<String> lines = new ArrayList<>(run.table());
    lines.add(
        run.calibration().write(file, key(blas))
            ? "* is chosen and stored in " + file
            : "* is fastest, but " + file + " cannot be written: the standard kernel is used");
    String override = System.getenv(VARIABLE);
    if (override != null && !override.isBlank()) {
      lines.add(VARIABLE + "=" + override + " is set and overrides it");
    }
    return lines;
  }

  /** The choice at the nearest calibrated extent, on a logarithmic scale. */
  KernelChoice choice(int extent) {
    return MeasuredRates.nearest(choices, extent);
  }

  /** The measured rates; empty unless they are known for both precisions. */
  Optional<MeasuredRates> rates() {
    return rates.size() == Precision.values().length
        ? Optional.of(new MeasuredRates(CpuDevice.defaultThreads(), rates))
        : Optional.empty();
  }

  /**
   * The rates that were measured on this machine earlier; empty when there are none or the variable
   * asks for other kernels.
   *
   * @param blas loads the library; called only if a calibration is stored
   */
  static Optional<MeasuredRates> ratesOfMachine(Supplier<OpenBlas> blas) {
    if (overriding(System.getenv(VARIABLE), "") != null || !Files.isReadable(file())) {
      return Optional.empty();
    }
    Calibration known = Measured.known(blas.get());
    return known == null ? Optional.empty() : known.rates();
  }

  /** Describes the choices in one line for the user. */
  String describe() {
    StringBuilder text = new StringBuilder(origin).append(':');
    choices.forEach(
        (extent, choice) ->
            text.append(choices.size() == 1 ? " " : " N=" + extent + " ").append(choice.format()));
    return text.toString();
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
    return "6|" + OpenBlas.VERSION + "|" + blas.core() + "|" + blas.processor();
  }

  /** Reads a file of {@link #write}; null when it does not exist or is for another key. */
  static @Nullable Calibration read(Path file, String key) {
    if (!Files.isReadable(file)) {
      return null;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      if (!key.equals(properties.getProperty("machine"))) {
        return null;
      }
      Map<Integer, KernelChoice> choices = new TreeMap<>();
      Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> rates =
          new EnumMap<>(Precision.class);
      for (String name : properties.stringPropertyNames()) {
        String[] parts = name.split("\\.", -1);
        String value = properties.getProperty(name, "");
        if (parts[0].equals(EXTENT) && parts.length == 2) {
          choices.put(Integer.valueOf(parts[1]), KernelChoice.parse(value));
        } else if (parts[0].equals(RATES) && parts.length == 3) {
          rates
              .computeIfAbsent(Precision.of(parts[1]).orElseThrow(), p -> new TreeMap<>())
              .put(Integer.valueOf(parts[2]), parseRates(value));
        }
      }
      return choices.isEmpty() ? null : new Calibration(choices, rates, "calibrated");
    } catch (IOException | IllegalArgumentException | NoSuchElementException damaged) {
      LOG.warn(
          "{} is not a valid calibration; the kernels are measured again: {}",
          file,
          damaged.getMessage());
      return null;
    }
  }

  /** Rates of contractions and of traces in flops a second, separated by a comma. */
  private static MeasuredRates.Rates parseRates(String text) {
    String[] both = text.split(",", -1);
    if (both.length != 2) {
      throw new IllegalArgumentException("expected two rates: " + text);
    }
    return new MeasuredRates.Rates(Double.parseDouble(both[0]), Double.parseDouble(both[1]));
  }

  /** Stores the calibration and returns whether that succeeded. */
  boolean write(Path file, String key) {
    Properties properties = new Properties();
    properties.setProperty("machine", key);
    choices.forEach(
        (extent, choice) -> properties.setProperty(EXTENT + "." + extent, choice.format()));
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
        properties.store(writer, "Fastest CPU kernels of this machine");
      }
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (IOException cannotBeKept) {
      LOG.debug("calibration not stored: {}", cannotBeKept.toString());
      return false;
    }
  }

  /** Read or measured once per process. */
  private static final class Measured {
    private static @Nullable Calibration calibration;

    private Measured() {}

    /** The calibration of this process or of an earlier one; null if there is none. */
    static synchronized @Nullable Calibration known(OpenBlas blas) {
      if (calibration == null) {
        calibration = read(file(), key(blas));
      }
      return calibration;
    }

    static synchronized Calibration of(OpenBlas blas) {
      Calibration known = known(blas);
      if (known == null) {
        known = CalibrationRun.measure(blas).calibration();
        // A choice that is not stored could differ in the next run and change the last bits of
        // results.
        if (!known.write(file(), key(blas))) {
          known = always(standard(blas.core()), "standard, as " + file() + " cannot be written");
        }
      }
      calibration = known;
      return known;
    }
  }
}
