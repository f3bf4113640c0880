package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.gpu.library.Kernel;

/** The PTX text that the program ships. */
final class KernelTextTest {
  private static final String PTX =
      Kernel.resource(KernelTextTest.class, "/org/starlingqcd/backend/cuda/starling_kernels.ptx");

  /** When this fails, run {@code backends/cuda/src/main/native/make_ptx.sh}. */
  @Test
  void ptx_isMadeFromTheSource() throws NoSuchAlgorithmException {
    byte[] source = Kernel.source().getBytes(StandardCharsets.UTF_8);
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(source));
    assertTrue(PTX.lines().findFirst().orElse("").endsWith(digest), digest);
  }

  @Test
  void ptx_hasEveryKernelAndAsksForLittle() {
    for (Kernel kernel : Kernel.values()) {
      assertTrue(PTX.contains(".visible .entry " + kernel.function() + "("), kernel.function());
    }
    assertTrue(PTX.contains("\n.version 6.3\n.target sm_60\n"));
  }
}
