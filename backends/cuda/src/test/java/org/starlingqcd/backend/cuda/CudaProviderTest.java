package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import jcuda.runtime.cudaStream_t;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceOptions;

class CudaProviderTest {
  @Test
  void serviceLoader_findsCuda() {
    assertTrue(
        ServiceLoader.load(BackendProvider.class).stream()
            .anyMatch(provider -> provider.type() == CudaProvider.class));
  }

  @Test
  void probe_again_saysTheSame() {
    CudaProvider provider = new CudaProvider();
    Availability first = provider.probe();
    assertEquals(first.isPresent(), first.reason() == null);
    assertEquals(first.reason(), provider.probe().reason());
  }

  @Test
  void open_withoutDriver_givesTheReasonOfTheProbe() {
    CudaProvider provider = new CudaProvider();
    String reason = provider.probe().reason();
    Assumptions.assumeTrue(reason != null, "CUDA works here");
    BackendException failure =
        assertThrows(BackendException.class, () -> provider.open(DeviceOptions.defaults()));
    assertEquals(reason, failure.getMessage());
    assertTrue(reason.contains("driver") || reason.contains("libcublas.so.12"), reason);
  }

  @Test
  void jcurand_findsItsLibraryUnderTheNameItAsksFor() {
    String name =
        LibUtils.createLibraryFileName(
            LibUtils.createPlatformLibraryName("JCurand-" + JCudaVersion.get()));
    Assumptions.assumeTrue(name.contains("linux-x86_64"), "JCuda has no library for " + name);
    assertNotNull(CudaProvider.class.getResource("/lib/" + name), name);
  }

  @Test
  void random_withoutCurand_isLeftToTheHost() {
    Assumptions.assumeFalse(new CudaProvider().probe().isPresent(), "CUDA works here");
    CudaRandom random = new CudaRandom();
    try {
      assertFalse(random.fill(0, 1, 1, new cudaStream_t()));
      assertFalse(random.fill(0, 1, 1, new cudaStream_t()));
    } catch (BackendException e) {
      // cuRAND is installed, but no driver.
      assertTrue(String.valueOf(e.getMessage()).startsWith("curandCreateGenerator("));
    }
    random.close();
  }

  @Test
  void version_isMajorAndMinor() {
    assertEquals("12.6", CudaPlatform.version(12060));
    assertEquals("13.0", CudaPlatform.version(13000));
  }

  @Test
  void missing_otherVersion_isNamed(@TempDir Path folder) throws IOException {
    Path other = Files.createFile(folder.resolve("libcublas.so.13"));
    String words = new CudaInstallation(List.of(folder)).missing("no such file");
    assertTrue(words.contains("libcublas.so.12"), words);
    assertTrue(words.contains("found instead"), words);
    assertTrue(words.contains(other.toString()), words);
    assertTrue(words.contains("CUDA_HOME"), words);
  }

  /** cuBLAS calls functions of cuBLASLt of its own version. */
  @Test
  void cublasAndCublasLt_areTakenFromOneFolder(@TempDir Path root) throws IOException {
    Path other = Files.createDirectories(root.resolve("other"));
    Path own = Files.createDirectories(root.resolve("own"));
    Files.createFile(other.resolve("libcublasLt.so.12"));
    Path lt = Files.createFile(own.resolve("libcublasLt.so.12"));
    Path cublas = Files.createFile(own.resolve("libcublas.so.12"));
    CudaInstallation installation = new CudaInstallation(List.of(other, own));
    assertEquals(List.of(lt, cublas), installation.cublas("12"));
    assertEquals(List.of(), installation.cublas("13"));
  }

  @Test
  void folders_areThoseNamedThenCudasOwn(@TempDir Path local) throws IOException {
    Files.createDirectories(local.resolve("cuda-12.2"));
    Files.createDirectories(local.resolve("cuda-12.6"));
    Files.createDirectories(local.resolve("cuda-13.0"));
    Files.createDirectories(local.resolve("cuda-11.8"));
    CudaInstallation installation =
        CudaInstallation.of(
            Map.of("starling.cuda.libraries", "/p")::get,
            Map.of("LD_LIBRARY_PATH", "/a::/b", "CUDA_HOME", "/c")::get,
            local);
    assertEquals(
        List.of(
            Path.of("/p"),
            Path.of("/a"),
            Path.of("/b"),
            Path.of("/c/lib64"),
            Path.of("/c/lib"),
            local.resolve("cuda/lib64"),
            local.resolve("cuda-13.0/lib64"),
            local.resolve("cuda-12.6/lib64"),
            local.resolve("cuda-12.2/lib64")),
        installation.folders());
  }
}
