package org.starlingqcd.backend.hip;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Possible places of the ROCm libraries, in this order: the files named by {@code
 * starling.hip.runtime} and {@code starling.hip.blas}, the {@code lib} folders of {@code
 * ROCM_PATH}, {@code HIP_PATH} and {@code /opt/rocm}, the system's search path. Without development
 * packages only names with a version exist, so the names of ROCm 7, 6 and 5 are tried too.
 *
 * @param runtime file or name of the HIP runtime
 * @param blas file or name of hipBLAS
 */
record RocmLibraries(String runtime, String blas) {
  private static final List<String> RUNTIMES =
      List.of("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5");
  private static final List<String> BLAS =
      List.of(
          "libhipblas.so",
          "libhipblas.so.3",
          "libhipblas.so.2",
          "libhipblas.so.1",
          "libhipblas.so.0");

  /**
   * The candidates in the order in which they are tried.
   *
   * @param property looks up a system property
   * @param environment looks up an environment variable
   */
  static List<RocmLibraries> candidates(
      Function<String, @Nullable String> property, Function<String, @Nullable String> environment) {
    String runtime = property.apply("starling.hip.runtime");
    String blas = property.apply("starling.hip.blas");
    if (runtime != null) {
      return List.of(new RocmLibraries(runtime, blas == null ? runtime : blas));
    }
    List<RocmLibraries> candidates = new ArrayList<>();
    List<String> roots = new ArrayList<>();
    for (String variable : new String[] {"ROCM_PATH", "HIP_PATH"}) {
      String root = environment.apply(variable);
      if (root != null && !root.isEmpty()) {
        roots.add(root);
      }
    }
    roots.add("/opt/rocm");
    for (String root : roots) {
      Path lib = Path.of(root, "lib");
      String foundRuntime = first(lib, RUNTIMES);
      String foundBlas = first(lib, BLAS);
      if (foundRuntime != null && foundBlas != null) {
        candidates.add(new RocmLibraries(foundRuntime, foundBlas));
      }
    }
    for (String name : RUNTIMES) {
      for (String blasName : BLAS) {
        candidates.add(new RocmLibraries(name, blasName));
      }
    }
    return candidates;
  }

  private static @Nullable String first(Path folder, List<String> names) {
    for (String name : names) {
      Path file = folder.resolve(name);
      if (Files.exists(file)) {
        return file.toString();
      }
    }
    return null;
  }
}
