package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryPressureTest {
  @TempDir Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private MemoryPressure.Reading read() {
    return new MemoryPressure(root, root, true).read(1000);
  }

  @Test
  void read_nodeShortOfMemory_asksForWhatIsMissing() throws IOException {
    assertEquals(0, read().missing());
    write("proc/meminfo", "MemTotal:       100000 kB\nMemAvailable:    6000 kB\n");
    assertEquals(0, read().missing());
    write("proc/meminfo", "MemTotal:       100000 kB\nMemAvailable:    4000 kB\n");
    assertEquals(1024 * 1000, read().missing());
  }

  @Test
  void read_limitOfAControlGroup_ofItOrAboveIt() throws IOException {
    write("proc/self/cgroup", "0::/job/step\n");
    write("sys/fs/cgroup/job/step/memory.max", "max\n");
    write("sys/fs/cgroup/job/step/memory.current", "990000\n");
    write("sys/fs/cgroup/job/memory.max", "1000000\n");
    write("sys/fs/cgroup/job/memory.current", "990000\n");
    assertEquals(40_000, read().missing());
    assertTrue(read().reason().contains("1000000"), read().reason());
    write("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 30000\n");
    assertEquals(10_000, read().missing());
  }

  @Test
  void read_limitOfTheFirstVersion() throws IOException {
    write("proc/self/cgroup", "5:cpu:/x\n4:memory:/job\n");
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "960000\n");
    assertEquals(10_000, read().missing());
  }

  @Test
  void read_processesWait_givesBackATenth() throws IOException {
    write("proc/pressure/memory", "some avg10=35.00 avg60=0.00 avg300=0.00 total=1\n");
    assertEquals(100, read().missing());
  }
}
