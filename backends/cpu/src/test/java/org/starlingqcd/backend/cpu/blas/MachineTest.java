package org.starlingqcd.backend.cpu.blas;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.cpu.PhysicalMemory;

/** Facts that the backend detects about the machine. */
class MachineTest {
  private static final Set<String> AVX512 =
      Set.of("avx", "avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd");
  private static final long GIB = 1L << 30;

  @Test
  void complaint_narrowerVectorsThanTheProcessorHas_namesCauseAndRemedy() {
    String complaint = CoreType.complaint("HASWELL", AVX512, "STARLING_OPENBLAS_CORETYPE=Haswell");
    assertTrue(complaint.contains("core type HASWELL (AVX2)"), complaint);
    assertTrue(complaint.contains("this processor has AVX-512"), complaint);
    assertTrue(
        complaint.contains("because STARLING_OPENBLAS_CORETYPE=Haswell is set; unset it"),
        complaint);
  }

  @Test
  void complaint_rightOrUnknownCoreType_isEmpty() {
    assertEquals("", CoreType.complaint("COOPERLAKE", AVX512, ""));
    assertEquals("", CoreType.complaint("ZEN", Set.of("avx", "avx2", "fma"), ""));
    assertEquals("", CoreType.complaint("NEOVERSEN1", Set.of(), ""));
  }

  @Test
  void secondLevelCache_isThatOfTheFirstCore(@TempDir Path folder) throws IOException {
    assertEquals(512 << 10, Caches.secondLevel(folder.resolve("missing")));
    assertEquals(512 << 10, Caches.secondLevel(folder));
    cache(folder.resolve("index0"), "1", "48K");
    cache(folder.resolve("index2"), "2", "2M");
    assertEquals(2 << 20, Caches.secondLevel(folder));
  }

  private static void cache(Path folder, String level, String size) throws IOException {
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("level"), level + "\n");
    Files.writeString(folder.resolve("size"), size + "\n");
  }

  @Test
  void coreType_isAskedForInTheLaunchersVariableFirst() {
    Map<String, String> environment = new HashMap<>(Map.of("OPENBLAS_CORETYPE", "Zen"));
    assertEquals("OPENBLAS_CORETYPE=Zen", CoreType.assignment(environment::get));
    environment.put("STARLING_OPENBLAS_CORETYPE", "Zen");
    assertEquals("STARLING_OPENBLAS_CORETYPE=Zen", CoreType.assignment(environment::get));
    environment.clear();
    assertEquals("", CoreType.assignment(environment::get));
  }

  @Test
  void coreTypeThatThereIsNoneOf_isNamedWithWhatThereIs() {
    BackendSettingException wrong =
        assertThrows(BackendSettingException.class, () -> CoreType.check("Hasswell", "COOPERLAKE"));
    String message = String.valueOf(wrong.getMessage());
    assertTrue(
        message.startsWith("STARLING_OPENBLAS_CORETYPE=Hasswell: expected a core type of OpenBLAS"),
        message);
    assertTrue(message.contains(", HASWELL, ZEN, "), message);
    assertTrue(
        message.endsWith("unset it to have COOPERLAKE, which suits this processor"), message);
    // One that OpenBLAS takes another one for, and processors whose core types are not known here.
    assertDoesNotThrow(() -> CoreType.check("Penryn", "CORE2"));
    assertDoesNotThrow(() -> CoreType.check("NeoverseV1", "unknown"));
    assertDoesNotThrow(() -> CoreType.check("", "COOPERLAKE"));
    assertDoesNotThrow(() -> CoreType.check(null, "COOPERLAKE"));
  }

  @Test
  void activeCoreType_ofTheLoadedLibrary_isKnownOnThisArchitecture() {
    String core = OpenBlas.load().core();
    String architecture = System.getProperty("os.arch", "");
    assertTrue(!architecture.equals("amd64") || !core.equals("unknown"), core);
  }

  @Test
  void memory_withoutControlGroup_isTheMachines(@TempDir Path root) throws IOException {
    write(root, "proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   2097152 kB\n");
    assertEquals(new PhysicalMemory(8 * GIB, 2 * GIB), PhysicalMemory.read(root, 8 * GIB, GIB));
  }

  @Test
  void memory_nowhereToBeRead_isWhatTheSystemSays(@TempDir Path root) {
    assertEquals(new PhysicalMemory(8 * GIB, GIB), PhysicalMemory.read(root, 8 * GIB, GIB));
  }

  @Test
  void memory_limitOfAnAncestorGroup_binds(@TempDir Path root) throws IOException {
    write(root, "proc/self/cgroup", "0::/batch/job7/step0\n");
    write(root, "sys/fs/cgroup/batch/job7/step0/memory.max", "max\n");
    write(root, "sys/fs/cgroup/batch/job7/memory.max", Long.toString(4 * GIB));
    write(root, "sys/fs/cgroup/batch/job7/memory.current", Long.toString(3 * GIB));
    write(root, "sys/fs/cgroup/batch/job7/memory.stat", "anon 1\ninactive_file " + GIB + "\n");
    assertEquals(
        new PhysicalMemory(4 * GIB, 2 * GIB), PhysicalMemory.read(root, 16 * GIB, 8 * GIB));
  }

  @Test
  void memory_limitOfTheFirstVersion_binds(@TempDir Path root) throws IOException {
    write(root, "proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/box\n");
    write(root, "sys/fs/cgroup/memory/box/memory.limit_in_bytes", Long.toString(2 * GIB));
    write(root, "sys/fs/cgroup/memory/box/memory.usage_in_bytes", Long.toString(GIB));
    assertEquals(new PhysicalMemory(2 * GIB, GIB), PhysicalMemory.read(root, 16 * GIB, 8 * GIB));
  }

  private static void write(Path root, String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
