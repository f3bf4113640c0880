package org.starlingqcd.backend.cpu.blas;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * The loaded library and the kernels that it uses. It is single-threaded, since independent
 * products run on Java threads.
 *
 * @param processor name of the processor
 * @param core active core type
 * @param complaint a complaint about the core type; empty when it is right
 */
public record OpenBlas(String processor, String core, String complaint) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenBlas.class);

  /** Version of the library in the bindings. */
  public static final String VERSION = "0.3.31";

  /** Loads the library once. Throws the loader's error where there is none. */
  public static OpenBlas load() {
    return Loaded.LIBRARY;
  }

  /**
   * Facts in the order in which they are printed.
   *
   * @param kernels description of the kernels; left out when empty
   */
  public Map<String, String> details(int threads, String kernels) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("BLAS", "OpenBLAS " + VERSION);
    details.put("core type", core);
    if (!complaint.isEmpty()) {
      details.put("warning", complaint);
    }
    details.put(
        "vector loops",
        VectorLoops.isAvailable()
            ? VectorLoops.instructions()
            : "none (built without a C++ compiler): BLAS calls instead, traces and baryons are slower");
    details.put("threads", Integer.toString(threads));
    if (!kernels.isEmpty()) {
      details.put("kernels", kernels);
    }
    return details;
  }

  /** Initialized on first use. */
  private static final class Loaded {
    static final OpenBlas LIBRARY = create();

    private static OpenBlas create() {
      NativeLibraries.load("openblas_nolapack");
      Loader.load(openblas_nolapack.class);
      openblas_nolapack.blas_set_num_threads(1);
      String core = CoreType.active();
      String complaint =
          CoreType.complaint(core, CoreType.processorFlags(), CoreType.assignment(System::getenv));
      if (!complaint.isEmpty()) {
        LOG.warn("{}", complaint);
      }
      return new OpenBlas(CoreType.processorName(), core, complaint);
    }
  }
}
