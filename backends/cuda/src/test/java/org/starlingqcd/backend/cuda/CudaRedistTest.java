package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.gpu.library.Kernel;

/**
 * The kernels in the hands of NVIDIA's compilers of CUDA 12.9 and 13.1, with {@code -Pcuda-redist};
 * and, always, that the cubins are those of the source.
 */
class CudaRedistTest {
  private static final Path RESOURCES =
      Path.of("src", "main", "resources", "org", "starlingqcd", "backend", "cuda");
  private static final Path PTX = RESOURCES.resolve("starling_kernels.ptx").toAbsolutePath();
  private static final Path CUBINS = RESOURCES.resolve("starling_kernels.cubins");
  private static final Pattern FLOATING =
      Pattern.compile("\\b(?:add|sub|mul|fma|div|neg|cvt)\\.[\\w.]*f(?:32|64)\\b[\\w.]*");

  @TempDir Path folder;

  /** Name and SHA-256 of a file that is kept beside the source. */
  private static String line(String target, byte[] cubin) {
    return target + " " + sha256(cubin) + "\n";
  }

  /** The first line of the list of cubins. */
  private static String origin() {
    byte[] source = Kernel.source().getBytes(StandardCharsets.UTF_8);
    return "NVRTC 12.9, from starling_kernels.h with the SHA-256 " + sha256(source) + "\n";
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Path cubin(String target) {
    return RESOURCES.resolve("starling_kernels." + target + ".cubin");
  }

  /** When this fails, run {@code mvn -Pcuda-redist … -Dstarling.cubins=write}: testing.md. */
  @Test
  void cubins_areMadeFromTheSource() throws IOException {
    StringBuilder expected = new StringBuilder(origin());
    for (String target : CudaCalls.CUBINS) {
      expected.append(line(target, Files.readAllBytes(cubin(target))));
    }
    assertEquals(expected.toString(), Files.readString(CUBINS));
  }

  @ParameterizedTest
  @CsvSource({"12, compute_75", "13, compute_75"})
  @Tag("slow")
  void source_compilesToTheFloatingPointOperationsOfThePtx(String version, String target)
      throws Exception {
    Path made = folder.resolve("kernels.ptx");
    Path source = Files.writeString(folder.resolve("kernels.h"), Kernel.source());
    System.out.println(run(version, "nvrtc", source, target, made).lines().findFirst().orElse(""));
    List<String> shipped = operations(Files.readString(PTX));
    System.out.println(target + ": floating-point instructions " + shipped.size());
    assertEquals(shipped, operations(Files.readString(made)));
  }

  private static List<String> operations(String ptx) {
    return FLOATING.matcher(ptx).results().map(MatchResult::group).toList();
  }

  @ParameterizedTest
  @CsvSource({"12, sm_90", "12, sm_100", "12, sm_120", "13, sm_90", "13, sm_100", "13, sm_120"})
  @Tag("slow")
  void ptx_isAssembledForLaterGpus(String version, String target) throws Exception {
    String log = run(version, "nvjitlink", PTX, target, folder.resolve("kernels.cubin"));
    System.out.println(log.lines().findFirst().orElse(""));
    KernelTextTest.checkProperties(target, log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_80", "sm_90", "sm_100"})
  @Tag("slow")
  void cubin_isTheCompilersAndLetsTwoBlocksIn(String target) throws Exception {
    Path made = folder.resolve("kernels.cubin");
    Path source = Files.writeString(folder.resolve("kernels.h"), Kernel.source());
    String log = run("12", "nvrtc", source, target, made);
    KernelTextTest.checkProperties(target, log);
    assertEquals(
        List.of(),
        Pattern.compile("Used (\\d+) registers")
            .matcher(log)
            .results()
            .filter(used -> Integer.parseInt(used.group(1)) > 128)
            .map(MatchResult::group)
            .toList());
    byte[] bytes = Files.readAllBytes(made);
    if (System.getProperty("starling.cubins", "").equals("write")) {
      Files.write(cubin(target), bytes);
      StringBuilder list = new StringBuilder(origin());
      for (String each : CudaCalls.CUBINS) {
        list.append(line(each, Files.readAllBytes(cubin(each))));
      }
      Files.writeString(CUBINS, list);
    }
    assertArrayEquals(Files.readAllBytes(cubin(target)), bytes);
  }

  /** Runs a compiler and returns what it says. */
  private static String run(String version, String tool, Path source, String target, Path out)
      throws IOException, InterruptedException {
    String redist = System.getProperty("starling.cuda.redist", "");
    Assumptions.assumeFalse(redist.isEmpty(), "needs NVIDIA's compilers: -Pcuda-redist");
    Path library;
    try (Stream<Path> files = Files.walk(Path.of(redist, version))) {
      library =
          files
              .filter(f -> f.getFileName().toString().equals("libnvrtc.so." + version))
              .findFirst()
              .orElseThrow();
    }
    Process process =
        new ProcessBuilder(
                "python3",
                Path.of("src", "test", "python", "nvidia_tools.py").toString(),
                String.valueOf(library.getParent()),
                tool,
                source.toString(),
                target,
                out.toString())
            .redirectErrorStream(true)
            .start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), words);
    return words;
  }
}
