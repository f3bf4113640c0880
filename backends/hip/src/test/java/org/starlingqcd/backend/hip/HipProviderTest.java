package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.Kernel;

class HipProviderTest {
  private static final TensorShape NODE = TensorShape.mesonNode(2);

  @Test
  void serviceLoader_findsHip() {
    assertTrue(
        ServiceLoader.load(BackendProvider.class).stream()
            .anyMatch(provider -> provider.type() == HipProvider.class));
  }

  @Test
  void probe_withoutLibraries_saysWhichAndWhatToDo() {
    FakeHip.library();
    String reason =
        new HipProvider(List.of(new RocmLibraries("/nowhere/libamdhip64.so", "libhipblas.so")))
            .probe()
            .reason();
    assertTrue(
        reason.startsWith("the ROCm libraries cannot be used: /nowhere/libamdhip64.so: "), reason);
    assertTrue(reason.contains("ROCM_PATH"), reason);
  }

  @Test
  void probe_libraryOfAnotherKind_namesTheFunctionItLacks() {
    FakeHip.library();
    String reason =
        new HipProvider(List.of(new RocmLibraries("libm.so.6", "libm.so.6"))).probe().reason();
    assertTrue(reason.contains("the library has no function hipGetDeviceCount"), reason);
  }

  /** In a process whose class path begins with a damaged binding, which is tried twice. */
  @Test
  void probe_bindingThatCannotBeLoaded_saysWhatTheLoaderSays(@TempDir Path folder)
      throws Exception {
    Path binding = folder.resolve(HipBinding.class.getPackageName().replace('.', '/'));
    Files.createDirectories(binding.resolve("linux-x86_64"));
    Files.writeString(binding.resolve("linux-x86_64/libjniHipBinding.so"), "damaged");
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + File.pathSeparator + classes,
                Probe.class.getName())
            .start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    assertEquals(2, words.lines().filter(line -> line.contains("file too short")).count(), words);
    assertTrue(words.startsWith("the HIP binding cannot be loaded: "), words);
    assertFalse(words.contains("compiler"), words);
  }

  /** Prints why HIP cannot be used, twice. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      for (int k = 0; k < 2; k++) {
        System.out.println(new HipProvider().probe().reason());
      }
    }
  }

  /** The runtime is of version 6; beside it are hiprtc 7, which refuses everything, and 6. */
  @Test
  void hiprtc_ofTheRuntimesVersion_comesFirst(@TempDir Path folder) throws IOException {
    Files.createSymbolicLink(folder.resolve("libhiprtc.so.6"), FakeHip.library());
    Files.copy(FakeHip.library(), folder.resolve("libhiprtc.so"));
    Path runtime = Files.createSymbolicLink(folder.resolve("libamdhip64.so"), FakeHip.library());
    Files.write(folder.resolve("libhiprtc.so.7"), new byte[] {1});
    FakeHip.reset(FakeHip.BYTES, 1, 1);
    HipPlatform platform =
        HipPlatform.load(List.of(new RocmLibraries(runtime.toString(), runtime.toString())));
    try (GpuLibrary hip = new GpuLibrary(platform, 0)) {
      hip.makeCurrent();
      assertTrue(hip.loadKernels());
      // The compiler counts its calls on the device of its own library.
      assertTrue(FakeHip.callNames().contains("hiprtcCompileProgram"));
      assertEquals("compiled by hiprtc", hip.info().details().get("kernels"));
    }
    assertEquals("", FakeHip.report());
  }

  @Test
  void kernelsThatDoNotCompile_areReportedInTheCompilersWords() {
    HipCalls calls = (HipCalls) FakeHip.platform().calls(0);
    FakeHip.reset(FakeHip.BYTES, 1, 1);
    FakeHip.failAt(1, FakeHip.LOST, false);
    assertNotEquals(0, calls.loadKernels(new EnumMap<>(Kernel.class)));
    assertEquals("hiprtcCompileProgram", FakeHip.callName(1));
    assertEquals(
        "; hiprtc: starling_kernels.hip:1: as the fake compiler was told", calls.compilersWords());
  }

  /** As {@code objdump -T} says: nothing that RHEL 7, RHEL 8 or SLES 15 lack. */
  @Test
  void binding_needsAnOldCLibraryAtMost() throws IOException {
    FakeHip.library();
    String name = "linux-x86_64/libjniHipBinding.so";
    try (InputStream binding =
        Objects.requireNonNull(HipBinding.class.getResourceAsStream(name), name)) {
      assertEquals(List.of(), GlibcVersions.above(17, binding.readAllBytes()));
    }
  }

  @Test
  void probe_noDevice_saysSo() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(FakeHip.BYTES, 0, 1);
    assertEquals("no HIP device is visible", provider.probe().reason());
  }

  @Test
  void devices_areListedAndOpenedByNumber() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(FakeHip.BYTES, 2, 1);
    Availability availability = provider.probe();
    assertEquals(2, availability.devices().size());
    assertEquals("Fake device 1", availability.devices().get(1).name());
    assertEquals("6.3.42134", availability.devices().get(1).details().get("HIP runtime"));
    BackendException missing =
        assertThrows(
            BackendException.class, () -> provider.open(new DeviceOptions(2, 0, 0, false)));
    assertEquals("HIP device 2 does not exist; visible: 0 to 1", missing.getMessage());
  }

  /** A run on one of several GPUs must take no memory of the others. */
  @Test
  void probe_ofOneDevice_touchesNoOther() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(FakeHip.BYTES, 3, 1);
    Availability one = provider.probe(1);
    assertEquals(List.of(1), one.devices().stream().map(DeviceInfo::index).toList());
    assertEquals(1, FakeHip.callNames().stream().filter("hipSetDevice"::equals).count());
    assertEquals("HIP device 3 does not exist; visible: 0 to 2", provider.probe(3).reason());
  }

  @Test
  void probe_deviceThatFails_doesNotHideTheOthers() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(FakeHip.BYTES, 3, 1);
    provider.probe();
    int second = FakeHip.callNames().lastIndexOf("hipSetDevice");
    FakeHip.reset(FakeHip.BYTES, 3, 1);
    FakeHip.failAt(second, FakeHip.LOST, false);
    assertEquals(
        List.of(0, 1), provider.probe().devices().stream().map(DeviceInfo::index).toList());
    FakeHip.reset(FakeHip.BYTES, 1, 1);
    FakeHip.failAt(FakeHip.callNames().size() + 1, FakeHip.LOST, false);
    String reason = provider.probe().reason();
    assertTrue(reason.startsWith("device 0: hipSetDevice(device=0): 999 "), reason);
  }

  /** Calls to two devices take turns; each finds its own device current. */
  @Test
  void twoDevices_inTurns_keepApart() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(FakeHip.BYTES, 2, 1);
    try (Device zero = provider.open(new DeviceOptions(0, 0, 1 << 20, false));
        Device one = provider.open(new DeviceOptions(1, 0, 1 << 20, false))) {
      assertEquals(1, one.info().index());
      DeviceMemory a = zero.allocate(NODE.bytes());
      DeviceMemory b = one.allocate(NODE.bytes());
      zero.fillRandom(a, NODE, 1, zero.computeStream());
      one.fillRandom(b, NODE, 1, one.computeStream());
      assertArrayEquals(download(zero, a), download(one, b));
      zero.free(a);
      one.free(b);
    }
    assertEquals("", FakeHip.report());
  }

  private static double[] download(Device device, DeviceMemory memory) {
    try (HostMemory host = device.allocateHost(NODE.bytes())) {
      device.download(memory, host, 0, NODE, device.computeStream());
      device.synchronize(device.computeStream());
      double[] numbers = new double[(int) (2 * NODE.size())];
      host.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  @Test
  void candidates_filesNamed_areTheOnlyOnes() {
    assertEquals(
        List.of(new RocmLibraries("/r.so", "/b.so")),
        RocmLibraries.candidates(
            Map.of("starling.hip.runtime", "/r.so", "starling.hip.blas", "/b.so")::get,
            Map.of("ROCM_PATH", "/x")::get));
  }

  @Test
  void candidates_folderOfRocm_comesBeforeTheSearchPath(@TempDir Path root) throws IOException {
    Path lib = Files.createDirectories(root.resolve("lib"));
    Path runtime = Files.createFile(lib.resolve("libamdhip64.so.6"));
    Path blas = Files.createFile(lib.resolve("libhipblas.so.2"));
    List<RocmLibraries> candidates =
        RocmLibraries.candidates(
            Map.<String, String>of()::get, Map.of("ROCM_PATH", root.toString())::get);
    assertEquals(new RocmLibraries(runtime.toString(), blas.toString()), candidates.get(0));
    assertTrue(candidates.contains(new RocmLibraries("libamdhip64.so.7", "libhipblas.so.3")));
  }
}
