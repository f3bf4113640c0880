package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryInfo;

final class MemoryNodesTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder = Path.of("");

  @AfterEach
  void clear() {
    System.clearProperty(MemoryNodes.PROPERTY);
  }

  private void node(int number, long totalKb, long freeKb, String processors, String bandwidth)
      throws IOException {
    Path node = Files.createDirectories(folder.resolve("node" + number));
    Files.writeString(
        node.resolve("meminfo"),
        "\nNode "
            + number
            + " MemTotal:       "
            + totalKb
            + " kB\n"
            + "Node "
            + number
            + " MemFree:  "
            + freeKb
            + " kB\nNode 0 MemUsed: 3 kB\n");
    Files.writeString(node.resolve("cpulist"), processors + "\n");
    if (!bandwidth.isEmpty()) {
      Path access = Files.createDirectories(node.resolve("access0/initiators"));
      Files.writeString(access.resolve("read_bandwidth"), bandwidth + "\n");
    }
  }

  @Test
  void sysfs_nodesWithMemory_withDeclaredRates() throws IOException {
    node(10, 16 << 20, 8 << 20, "", "409600");
    node(0, 64 << 20, 60 << 20, "0-55", "102400");
    node(3, 0, 0, "56-60", "");
    Files.createDirectories(folder.resolve("node_list"));
    assertEquals(
        List.of(
            new MemoryInfo(0, 64 * GIB, 60 * GIB, true, 102.4e9),
            new MemoryInfo(10, 16 * GIB, 8 * GIB, false, 409.6e9)),
        MemoryNodes.read(folder));
    assertEquals(List.of(), MemoryNodes.read(folder.resolve("absent")));
  }

  @Test
  void madeUpNodes_standInForThose_andAreNotPlaced() {
    System.setProperty(MemoryNodes.PROPERTY, "0:64GiB:80GB/s,1:16GiB:400.5GB/s");
    List<MemoryInfo> nodes =
        List.of(
            new MemoryInfo(0, 64 * GIB, 64 * GIB, true, 80e9),
            new MemoryInfo(1, 16 * GIB, 16 * GIB, false, 400.5e9));
    assertEquals(nodes, MemoryNodes.usable());
    assertEquals(nodes, MemoryNodes.measured(nodes));
    try (HostMemory memory = MemoryNodes.allocate(4096, List.of(1))) {
      memory.clear();
      assertEquals(4096, memory.bytes());
    }
    System.setProperty(MemoryNodes.PROPERTY, "1:much");
    assertThrows(BackendSettingException.class, MemoryNodes::usable);
  }

  @Test
  void memoryOnANode_holdsData_andItsRateIsMeasured() {
    List<MemoryInfo> usable = MemoryNodes.usable();
    assumeTrue(!usable.isEmpty(), "memory cannot be placed on nodes here");
    int node = usable.get(0).node();
    assertTrue(MemoryNodes.isPossible(node));
    // 3 MiB: more than a huge page.
    try (HostMemory memory = MemoryNodes.allocate(3 << 20, List.of(node))) {
      double[] numbers = {1, 2, 3};
      memory.put((3 << 17) - 3, numbers, 0, 3);
      double[] read = new double[3];
      memory.get((3 << 17) - 3, read, 0, 3);
      assertEquals(3, read[2]);
    }
    assertTrue(MemoryNodes.measured(usable.subList(0, 1)).get(0).rate() > 0);
  }

  @Test
  void nodeThatIsNotThere_cannotBeUsed() {
    assertTrue(!MemoryNodes.isPossible(1023) || MemoryNodes.present().size() > 1000);
    assertTrue(!MemoryNodes.isPossible(5000));
  }
}
