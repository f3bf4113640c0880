package org.starlingqcd.backend.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * Physical memory of this machine, or of the control group that the process is confined to when
 * that is less (a batch system's or a container's limit).
 *
 * @param totalBytes total memory
 * @param availableBytes memory available now without swapping; caches count as free
 */
public record PhysicalMemory(long totalBytes, long availableBytes) {
  private static final Path ROOT = Path.of("/");

  /** Reads the present state. */
  static PhysicalMemory now() {
    NativeLibraries.prepare();
    return read(ROOT, Pointer.totalPhysicalBytes(), Pointer.availablePhysicalBytes());
  }

  /**
   * Reads the files of {@code /proc} and {@code /sys} beneath {@code root}. The numbers of the
   * operating system for the machine stand in for missing files.
   */
  public static PhysicalMemory read(Path root, long machineTotal, long machineAvailable) {
    long total = machineTotal;
    long available = machineAvailable;
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemAvailable:")) {
        available = Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3) {
        continue;
      }
      boolean second = fields[1].isEmpty();
      if (!second && !List.of(fields[1].split(",")).contains("memory")) {
        continue;
      }
      Path mount = root.resolve(second ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
      String limitName = second ? "memory.max" : "memory.limit_in_bytes";
      String usedName = second ? "memory.current" : "memory.usage_in_bytes";
      // The limit of any ancestor applies; inside a container the path may not exist below the
      // mount.
      Path group = mount.resolve(fields[2].substring(1));
      for (Path at = group; at != null && at.startsWith(mount); at = at.getParent()) {
        long limit = number(at.resolve(limitName));
        if (limit > 0 && limit < machineTotal) {
          total = Math.min(total, limit);
          long used = Math.max(0, number(at.resolve(usedName)) - reclaimable(at));
          available = Math.min(available, Math.max(0, limit - used));
        }
      }
    }
    return new PhysicalMemory(total, Math.min(total, available));
  }

  /** File pages of the group that count as used but can be reclaimed. */
  private static long reclaimable(Path group) {
    for (String line : lines(group.resolve("memory.stat"))) {
      if (line.startsWith("inactive_file ")) {
        return Long.parseLong(line.substring("inactive_file ".length()).trim());
      }
    }
    return 0;
  }

  /** The number in a file; -1 when the file is missing or contains {@code max}. */
  private static long number(Path file) {
    List<String> lines = lines(file);
    if (lines.isEmpty() || !lines.get(0).trim().matches("[0-9]{1,18}")) {
      return -1;
    }
    return Long.parseLong(lines.get(0).trim());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }
}
