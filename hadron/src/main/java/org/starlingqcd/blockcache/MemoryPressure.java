package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How short memory is, as the kernel tells it: free memory of the node, the limits of the control
 * groups of this process, and how long processes have waited for memory. What lies on a RAM disk
 * counts in the group of the job that wrote it. For a cache on a disk it is the free space.
 */
final class MemoryPressure {
  private static final double KEPT_SHARE = 0.05;
  private static final double STALLED_PERCENT = 20;
  private static final Pattern AVERAGE = Pattern.compile("some avg10=([0-9.]+)");

  private final Path root;
  private final Path directory;
  private final boolean inRam;

  /**
   * Watches a directory.
   *
   * @param root {@code /}, or a folder that stands for it in tests
   */
  MemoryPressure(Path root, Path directory, boolean inRam) {
    this.root = root;
    this.directory = directory;
    this.inRam = inRam;
  }

  /**
   * What is short.
   *
   * @param missing bytes that have to be given back; 0 when nothing is short
   * @param reason for a message
   */
  record Reading(long missing, String reason) {
    private static final Reading NONE = new Reading(0, "");

    private Reading or(Reading other) {
      return other.missing > missing ? other : this;
    }
  }

  /** Looks once. A file of the kernel that is not there says nothing. */
  Reading read(long usedBytes) {
    if (!inRam) {
      try {
        var store = Files.getFileStore(directory);
        return shortage(store.getUsableSpace(), store.getTotalSpace(), "the disk is nearly full");
      } catch (IOException e) {
        return Reading.NONE;
      }
    }
    Reading reading =
        shortage(meminfo("MemAvailable"), meminfo("MemTotal"), "the node is short of memory");
    reading = reading.or(group());
    Matcher stalled = AVERAGE.matcher(text("proc/pressure/memory"));
    if (stalled.find() && Double.parseDouble(stalled.group(1)) > STALLED_PERCENT) {
      reading = reading.or(new Reading(usedBytes / 10, "processes wait for memory"));
    }
    return reading;
  }

  private static Reading shortage(long free, long total, String reason) {
    long missing = (long) (KEPT_SHARE * total) - free;
    return free < 0 || total <= 0 || missing <= 0 ? Reading.NONE : new Reading(missing, reason);
  }

  /** The limits of the control group and of those above it, version 2 or 1. */
  private Reading group() {
    Reading reading = Reading.NONE;
    for (String line : text("proc/self/cgroup").split("\n")) {
      String[] parts = line.split(":", 3);
      boolean second = line.startsWith("0::");
      if (parts.length < 3 || !(second || parts[1].equals("memory"))) {
        continue;
      }
      String base = second ? "sys/fs/cgroup" : "sys/fs/cgroup/memory";
      for (String group = parts[2]; !group.isEmpty(); group = parent(group)) {
        String folder = base + (group.equals("/") ? "" : group) + "/";
        long limit = number(folder + (second ? "memory.max" : "memory.limit_in_bytes"));
        long used = number(folder + (second ? "memory.current" : "memory.usage_in_bytes"));
        long reclaimable = number(folder + "memory.stat", "(?m)^(?:total_)?inactive_file (\\d+)");
        if (limit > 0 && used > 0) {
          String reason = "the job is close to its memory limit of " + limit + " bytes";
          reading = reading.or(shortage(limit - used + Math.max(0, reclaimable), limit, reason));
        }
      }
    }
    return reading;
  }

  private static String parent(String group) {
    String above = group.substring(0, group.lastIndexOf('/'));
    return above.isEmpty() && !group.equals("/") ? "/" : above;
  }

  private long meminfo(String name) {
    long kilobytes = number("proc/meminfo", "(?m)^" + name + ":\\s+(\\d+) kB");
    return kilobytes < 0 ? -1 : 1024 * kilobytes;
  }

  /** The first number that a pattern finds in a file, or -1. */
  private long number(String file, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text(file));
    return found.find() ? Long.parseLong(found.group(1)) : -1;
  }

  private long number(String file) {
    String text = text(file).strip();
    // Version 2 says "max", version 1 a number near 2^63 for no limit.
    return text.matches("\\d{1,15}") ? Long.parseLong(text) : -1;
  }

  private String text(String file) {
    try {
      return Files.readString(root.resolve(file));
    } catch (IOException e) {
      return "";
    }
  }
}
