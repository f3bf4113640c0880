package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jcuda.jcublas.JCublas2;
import org.bytedeco.javacpp.DoublePointer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * JCublas on a libcublas.so.12 that forwards all calls to a libcublas.so.13, built as docs/gpu.md
 * tells users of CUDA 13. The library behind it is the fake one on the host.
 */
@Tag("slow")
class ForwardedCublasTest {
  @TempDir Path folder;

  /** JCublas is for one platform; where there is no compiler, building skips the test. */
  @BeforeAll
  static void needsJCublas() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.toLowerCase(Locale.ROOT).equals("linux amd64"),
        "JCublas has no library for " + system);
  }

  @Test
  void products_throughTheForwardingLibrary_reachCublas13() throws Exception {
    FakeCublas.build(folder.resolve("libcublas.so.13"), "13");
    Path forward = forward();
    assertEquals("2.0 4.0 2.0\n", probe(forward, folder.toString()));
  }

  @Test
  void withoutCublas13_theReasonIsCublassOwn() throws Exception {
    assertEquals(
        "1 CUBLAS_STATUS_NOT_INITIALIZED\n",
        probe(forward(), "")
            .lines()
            .filter(
                line -> !line.startsWith("starling: libcublas.so.12 forwards to libcublas.so.13: "))
            .reduce("", (all, line) -> all + line + "\n"));
  }

  private Path forward() throws IOException, InterruptedException {
    Path sources = Path.of("src", "main", "native").toAbsolutePath();
    Path file = folder.resolve("libcublas.so.12");
    run(
        List.of(
            "gcc",
            "-O2",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libcublas.so.12",
            "-Wl,--version-script=" + sources.resolve("forward_cublas.map"),
            sources.resolve("forward_cublas.c").toString(),
            "-o",
            file.toString(),
            "-ldl"),
        "");
    return file;
  }

  /** Runs a separate process, since this one has already loaded a libcublas.so.12. */
  private static String probe(Path forward, String path) throws IOException, InterruptedException {
    String words =
        run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Probe.class.getName(),
                forward.toString()),
            path);
    // Newer Java versions warn about calls of native code.
    return words
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("WARNING: "))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String run(List<String> command, String path)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", path);
    Process process = builder.start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), words);
    return words;
  }

  /** Multiplies numbers in host memory, which the fake cuBLAS treats as device memory. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      System.load(arguments[0]);
      JCudaLibraries.load("JCublas2", () -> JCublas2.setExceptionsEnabled(false));
      CudaCalls calls = new CudaCalls();
      long[] handle = new long[1];
      int status = calls.createBlas(handle);
      if (status != 0) {
        System.out.println(calls.blasWords(status));
        return;
      }
      DoublePointer numbers = new DoublePointer(8).put(1, 0, 2, 0, 0, 0, 0, 0);
      long at = numbers.address();
      MatrixProduct product = new MatrixProduct(false, 1, 1, 1, 1, 1, 1, 1, 0, 0);
      calls.multiply(handle[0], product, new Operands(at, 0, at + 16, 0, at + 32, 0, 1));
      String results = Double.toString(numbers.get(4));
      calls.multiplyStrided(
          handle[0], product, new Operands(at + 16, 0, at + 16, 0, at + 32, 0, 1));
      results += " " + numbers.get(4);
      VectorProduct vector = new VectorProduct(true, 1, 1, 1, 1, 1, 1, 0, 0, Precision.DOUBLE);
      calls.applyStrided(handle[0], vector, new Operands(at, 0, at + 16, 0, at + 32, 0, 1));
      results += " " + numbers.get(4);
      calls.destroyBlas(handle[0]);
      System.out.println(results);
    }
  }
}
