package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.gpu.library.Kernel;

/**
 * Loading and launching kernels through JCuda's own native code into a driver library that prints
 * what it is given. It runs in a process of its own, since a process loads one driver.
 */
@Tag("slow")
class KernelLaunchTest {
  @TempDir Path folder;

  @Test
  void launch_passesShapeAndArguments() throws IOException, InterruptedException {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.toLowerCase(Locale.ROOT).equals("linux amd64"),
        "JCuda has no library for " + system);
    Path driver = folder.resolve("libcuda.so.1");
    List<String> compiler =
        List.of(
            "gcc",
            "-O2",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libcuda.so.1",
            Path.of("src", "test", "native", "fake_cuda.c").toString(),
            "-o",
            driver.toString());
    try {
      assertEquals("", output(compiler));
    } catch (IOException e) {
      Assumptions.abort("no gcc: " + e.getMessage());
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    assertEquals(
        """
        status 0
        starling_trace_pieces 7,1,1 256,1,1 0 none: 1099511627776 2 3 4 5 -6
        launched 0
        starling_trace_sums 70000,1,1 64,1,1 0 none: 1 2 3
        launched 0
        starling_diagonals 1,1,1 256,1,1 0 none: 5 4 3 2 1
        launched 0
        starling_spin_sums 256,1,1 256,1,1 0 none: 7 8 128
        launched 0
        unloaded
        """,
        output(
            List.of(
                java,
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classes,
                Launches.class.getName(),
                driver.toString())));
    try (Stream<Path> unpacked = Files.list(temporary)) {
      assertEquals(List.of(), unpacked.toList(), "libraries where other users may write");
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    // Newer Java versions warn about calls of native code, and JCuda has no logger here.
    return text.lines()
        .filter(line -> !line.isBlank())
        .filter(line -> !line.startsWith("WARNING: ") && !line.startsWith("SLF4J"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** The program that the test runs. */
  static final class Launches {
    private Launches() {}

    /** Loads the driver library named by the argument and launches every kernel. */
    public static void main(String[] arguments) {
      System.load(arguments[0]);
      CudaCalls calls = new CudaCalls(0);
      Map<Kernel, Long> functions = new EnumMap<>(Kernel.class);
      System.out.println("status " + calls.loadKernels(functions));
      long[] stream = new long[1];
      calls.createStream(stream);
      launch(calls, functions, Kernel.TRACE_PIECES, 7, stream[0], 1L << 40, 2, 3, 4, 5, -6);
      launch(calls, functions, Kernel.TRACE_SUMS, 70_000, stream[0], 1, 2, 3);
      launch(calls, functions, Kernel.DIAGONALS, 1, stream[0], 5, 4, 3, 2, 1);
      launch(calls, functions, Kernel.SPIN_SUMS, 256, stream[0], 7, 8, 128);
      calls.unloadKernels();
      calls.close();
    }

    private static void launch(
        CudaCalls calls,
        Map<Kernel, Long> functions,
        Kernel kernel,
        int blocks,
        long stream,
        long... arguments) {
      long function = functions.getOrDefault(kernel, 0L);
      int status = calls.launch(function, blocks, kernel.threads(), stream, arguments);
      System.out.println("launched " + status);
    }
  }
}
