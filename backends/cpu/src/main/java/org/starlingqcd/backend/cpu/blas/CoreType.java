package org.starlingqcd.backend.cpu.blas;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendSettingException;

/**
 * The kernels that OpenBLAS uses, and the best ones that the processor supports.
 *
 * <p>OpenBLAS takes its core type from the environment variable {@code OPENBLAS_CORETYPE} when it
 * is loaded, before it looks at the processor, and does not change it later. Its table of kernels
 * is the exported variable {@code gotoblas}. Comparing it with the tables of the named core types
 * tells which one is active; the Java bindings have no call for that.
 */
public final class CoreType {
  /** The launcher passes its value to OpenBLAS as {@link #LIBRARY_VARIABLE}. */
  private static final String VARIABLE = "STARLING_OPENBLAS_CORETYPE";

  private static final String LIBRARY_VARIABLE = "OPENBLAS_CORETYPE";

  private static final List<String> NO_VECTORS_OF_256 =
      List.of(
          "PRESCOTT", "CORE2", "NEHALEM", "BARCELONA", "ATOM", "BOBCAT", "DUNNINGTON", "PENRYN");
  private static final List<String> AVX =
      List.of("SANDYBRIDGE", "BULLDOZER", "PILEDRIVER", "STEAMROLLER");
  private static final List<String> AVX2 = List.of("HASWELL", "ZEN", "EXCAVATOR");
  private static final List<String> AVX512 = List.of("SKYLAKEX", "COOPERLAKE", "SAPPHIRERAPIDS");
  private static final List<List<String>> CLASSES = List.of(NO_VECTORS_OF_256, AVX, AVX2, AVX512);
  private static final List<String> CLASS_NAMES = List.of("SSE", "AVX", "AVX2", "AVX-512");

  private CoreType() {}

  /** Name of the active core type in capitals, or {@code unknown}; OpenBLAS must be loaded. */
  static String active() {
    Pointer table = Loader.addressof("gotoblas");
    if (table == null || table.isNull()) {
      return "unknown";
    }
    long active = new LongPointer(table).get();
    for (List<String> names : CLASSES) {
      for (String name : names) {
        Pointer candidate = Loader.addressof("gotoblas_" + name);
        if (candidate != null && candidate.address() == active) {
          return name;
        }
      }
    }
    return "unknown";
  }

  /** Whether the core type has special kernels for small matrices, which need no packing. */
  public static boolean hasSmallMatrixKernels(String core) {
    return AVX512.contains(core);
  }

  /**
   * Returns a complaint with a remedy when the active core type uses narrower vectors than the
   * processor has; empty otherwise. Never fails: an unknown processor or core type counts as right.
   *
   * @param assignment the result of {@link #assignment}
   */
  static String complaint(String core, Set<String> processorFlags, String assignment) {
    int active = vectorClass(core);
    int allowed = vectorClass(processorFlags);
    if (active < 0 || active >= allowed) {
      return "";
    }
    String cause =
        assignment.isEmpty()
            ? "OpenBLAS chose it itself"
            : "because " + assignment + " is set; unset it";
    return "OpenBLAS runs with core type %s (%s) although this processor has %s (%s)"
        .formatted(core, CLASS_NAMES.get(active), CLASS_NAMES.get(allowed), cause);
  }

  /** The core type requested in the environment, as {@code NAME=value}; empty if there is none. */
  static String assignment(UnaryOperator<@Nullable String> environment) {
    for (String name : List.of(VARIABLE, LIBRARY_VARIABLE)) {
      String value = environment.apply(name);
      if (value != null && !value.isEmpty()) {
        return name + "=" + value;
      }
    }
    return "";
  }

  /**
   * Checks the variable, since OpenBLAS silently ignores a name that it does not know.
   *
   * @param value the value of the variable; null when it is not set
   * @param core the active core type
   * @throws BackendSettingException when it is not a core type
   */
  static void check(@Nullable String value, String core) {
    if (value == null
        || value.isEmpty()
        || core.equalsIgnoreCase(value)
        || vectorClass(core) < 0
        || vectorClass(value.toUpperCase(Locale.ROOT)) >= 0) {
      return;
    }
    throw new BackendSettingException(
        "%s=%s: expected a core type of OpenBLAS: %s; unset it to have %s, which suits this processor"
            .formatted(
                VARIABLE,
                value,
                CLASSES.stream().flatMap(List::stream).collect(Collectors.joining(", ")),
                core));
  }

  /**
   * Checks the variable of this process.
   *
   * @throws BackendSettingException as {@link #check}
   */
  public static void checkVariable(String core) {
    check(System.getenv(VARIABLE), core);
  }

  private static int vectorClass(String core) {
    for (int k = 0; k < CLASSES.size(); k++) {
      if (CLASSES.get(k).contains(core)) {
        return k;
      }
    }
    return -1;
  }

  private static int vectorClass(Set<String> flags) {
    if (flags.containsAll(Set.of("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"))) {
      return 3;
    }
    if (flags.containsAll(Set.of("avx2", "fma"))) {
      return 2;
    }
    return flags.contains("avx") ? 1 : 0;
  }

  /**
   * The processor's feature flags from {@code /proc/cpuinfo}; empty where that file does not exist.
   */
  static Set<String> processorFlags() {
    String flags = processorLine("flags").trim();
    return flags.isEmpty() ? Set.of() : Set.copyOf(List.of(flags.split("\\s+")));
  }

  /** The processor's name, or the architecture where the system does not report a name. */
  static String processorName() {
    String name = processorLine("model name").trim();
    return name.isEmpty() ? System.getProperty("os.arch", "unknown processor") : name;
  }

  private static String processorLine(String key) {
    try (BufferedReader lines = Files.newBufferedReader(Path.of("/proc/cpuinfo"))) {
      String line = lines.readLine();
      while (line != null && !line.startsWith(key)) {
        line = lines.readLine();
      }
      return line == null ? "" : line.substring(line.indexOf(':') + 1);
    } catch (IOException | SecurityException noSuchFile) {
      return "";
    }
  }
}
