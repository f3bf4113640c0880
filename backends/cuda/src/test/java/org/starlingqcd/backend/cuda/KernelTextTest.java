package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.gpu.library.Kernel;

/** The kernels that the program ships, as PTX text and as cubins. */
final class KernelTextTest {
  private static final String PTX =
      Kernel.resource(KernelTextTest.class, "/org/starlingqcd/backend/cuda/starling_kernels.ptx");
  private static final Pattern PROPERTIES =
      Pattern.compile(
          "Function properties for (\\w+)\\s+ptxas\\W+(\\d+) bytes stack frame, (\\d+) bytes spill"
              + " stores, (\\d+) bytes spill loads\\s+ptxas info\\s*: Used (\\d+) registers"
              + "(?:, used \\d+ barriers)?(?:, (\\d+) bytes smem)?");

  /** When this fails, run {@code backends/cuda/src/main/native/make_ptx.sh}. */
  @Test
  void ptx_isMadeFromTheSource() {
    String digest = CudaRedistTest.sha256(Kernel.source().getBytes(StandardCharsets.UTF_8));
    assertTrue(PTX.lines().findFirst().orElse("").endsWith(digest), digest);
  }

  @Test
  void ptx_hasEveryKernelAndAsksForLittle() {
    for (Kernel kernel : Kernel.values()) {
      assertTrue(PTX.contains(".visible .entry " + kernel.function() + "("), kernel.function());
    }
    assertTrue(PTX.contains("\n.version 6.3\n.target sm_60\n"));
  }

  /** A number is one load or store, and device memory is not reached by generic addresses. */
  @Test
  void ptx_loadsWholeNumbersOfDeviceMemory() {
    assertEquals(List.of(), PTX.lines().filter(l -> l.matches("\\s*(ld|st)\\.[fuv].*")).toList());
    assertEquals(
        List.of(), PTX.lines().filter(l -> l.matches("\\s*(ld|st)\\.shared\\.f64.*")).toList());
  }

  /** NVIDIA's own assembler, which is part of JCuda. */
  @ParameterizedTest
  @ValueSource(strings = {"sm_60", "sm_70", "sm_80", "sm_90"})
  @Tag("slow")
  void ptx_isAssembledWithoutSpilling(String target) {
    Assembled code = Assembled.of(PTX, target);
    assertEquals(0, code.status, code.log);
    checkProperties(target, code.log);
  }

  /** Checks what a compiler says of every kernel, and prints it. */
  static void checkProperties(String target, String log) {
    Matcher found = PROPERTIES.matcher(log);
    int count = 0;
    for (; found.find(); count++) {
      int shared = found.group(6) == null ? 0 : Integer.parseInt(found.group(6));
      System.out.println(
          target + " " + found.group(1) + ": registers " + found.group(5) + ", shared " + shared);
      assertEquals("0 0 0", found.group(2) + " " + found.group(3) + " " + found.group(4), log);
      assertTrue(shared <= 32 << 10, log);
    }
    assertEquals(Kernel.values().length, count, log);
  }

  @Test
  @Tag("slow")
  void brokenPtx_isRefused() {
    Assembled code = Assembled.of(PTX.replaceFirst("fma\\.rn\\.f64", "fma.rn.f65"), "sm_80");
    assertNotEquals(0, code.status);
    assertTrue(code.log.contains("fma"), code.log);
  }

  /** What nvPTXCompiler makes of a text. */
  private record Assembled(int status, String log) {
    static Assembled of(String text, String target) {
      String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
      Assumptions.assumeTrue(
          system.toLowerCase(Locale.ROOT).equals("linux amd64"), "no nvPTXCompiler here");
      JCudaLibraries.load("JNvPTXCompiler", () -> JNvPTXCompiler.setExceptionsEnabled(false));
      byte[] ptx = text.getBytes(StandardCharsets.UTF_8);
      nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
      JNvPTXCompiler.nvPTXCompilerCreate(compiler, ptx.length, Arrays.copyOf(ptx, ptx.length + 1));
      int status =
          JNvPTXCompiler.nvPTXCompilerCompile(
              compiler, 2, new String[] {"--gpu-name=" + target, "--verbose"});
      long[] size = new long[1];
      JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(compiler, size);
      byte[] errors = new byte[(int) size[0] + 1];
      JNvPTXCompiler.nvPTXCompilerGetErrorLog(compiler, errors);
      JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(compiler, size);
      byte[] info = new byte[(int) size[0] + 1];
      JNvPTXCompiler.nvPTXCompilerGetInfoLog(compiler, info);
      JNvPTXCompiler.nvPTXCompilerDestroy(compiler);
      return new Assembled(
          status,
          new String(errors, StandardCharsets.UTF_8) + new String(info, StandardCharsets.UTF_8));
    }
  }
}
