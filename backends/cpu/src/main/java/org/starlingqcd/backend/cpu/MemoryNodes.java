package org.starlingqcd.backend.cpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * The memories of this machine: NUMA nodes with memory, as Linux lists them in {@code sysfs}. The
 * system property {@value #PROPERTY} puts made-up nodes in their place, such as {@code
 * 0:64GiB:80GB/s,1:16GiB:400GB/s}, on which nothing is placed.
 */
final class MemoryNodes {
  static final String PROPERTY = "starling.memory.nodes";

  private static final Path SYSFS = Path.of("/sys/devices/system/node");
  private static final Pattern NODE = Pattern.compile("node([0-9]{1,4})");
  private static final Pattern FIELD =
      Pattern.compile("Node [0-9]+ (MemTotal|MemFree):\\s+([0-9]{1,15}) kB");
  private static final Pattern MADE_UP =
      Pattern.compile("([0-9]{1,4}):([0-9]{1,9})([KMGT])iB:([0-9]{1,6}(?:\\.[0-9]{1,6})?)GB/s");
  private static final double MEGABYTE = 1e6;
  private static final double GIGABYTE = 1e9;
  private static final long MEASURED_BYTES = 64L << 20;
  private static final int MEASUREMENTS = 5;
  private static final long PROBE_BYTES = 4096;

  private MemoryNodes() {}

  /** Whether nodes are made up. */
  static boolean areMadeUp() {
    return System.getProperty(PROPERTY) != null;
  }

  /**
   * The memories, with the rates that the firmware declares; empty where the system says nothing.
   *
   * @throws BackendSettingException when made-up nodes cannot be understood
   */
  public static List<MemoryInfo> present() {
    String madeUp = System.getProperty(PROPERTY);
    return madeUp == null ? read(SYSFS) : parse(madeUp);
  }

  /** The memories on which a device can be placed; empty if it cannot. */
  public static List<MemoryInfo> usable() {
    List<MemoryInfo> all = present();
    return areMadeUp() || all.stream().allMatch(node -> isPossible(node.node())) ? all : List.of();
  }

  /** These memories with measured rates, about 50 ms for each; those of made-up nodes stay. */
  public static List<MemoryInfo> measured(List<MemoryInfo> memories) {
    return areMadeUp() ? memories : memories.stream().map(MemoryNodes::measured).toList();
  }

  /** All processors copy one half of a block to the other. */
  private static MemoryInfo measured(MemoryInfo memory) {
    int threads = Runtime.getRuntime().availableProcessors();
    long piece = Math.max(1, MEASURED_BYTES / 2 / threads);
    long best = Long.MAX_VALUE;
    try (HostMemory block = allocate(2 * piece * threads, List.of(memory.node()))) {
      block.clear();
      for (int k = 0; k < MEASUREMENTS; k++) {
        long begin = System.nanoTime();
        IntStream.range(0, threads)
            .parallel()
            .forEach(
                thread -> block.copyTo(thread * piece, block, (threads + thread) * piece, piece));
        best = Math.min(best, System.nanoTime() - begin);
      }
    } catch (OutOfMemoryError full) {
      return memory;
    }
    double rate = 2.0 * piece * threads / Math.max(1, best) * GIGABYTE;
    return new MemoryInfo(
        memory.node(), memory.bytes(), memory.freeBytes(), memory.processors(), rate);
  }

  /** The nodes beneath a folder laid out as {@code /sys/devices/system/node}. */
  static List<MemoryInfo> read(Path folder) {
    List<MemoryInfo> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "node*")) {
      for (Path entry : entries) {
        Matcher name = NODE.matcher(entry.getFileName().toString());
        if (name.matches()) {
          MemoryInfo node = read(Integer.parseInt(name.group(1)), entry);
          if (node.bytes() > 0) {
            found.add(node);
          }
        }
      }
    } catch (IOException | UncheckedIOException unreadable) {
      return List.of();
    }
    found.sort((a, b) -> Integer.compare(a.node(), b.node()));
    return found;
  }

  private static MemoryInfo read(int number, Path node) throws IOException {
    long total = 0;
    long free = 0;
    for (String line : lines(node.resolve("meminfo"))) {
      Matcher field = FIELD.matcher(line.strip());
      if (field.matches()) {
        long bytes = 1024 * Long.parseLong(field.group(2));
        if (field.group(1).equals("MemTotal")) {
          total = bytes;
        } else {
          free = bytes;
        }
      }
    }
    boolean processors = lines(node.resolve("cpulist")).stream().anyMatch(line -> !line.isBlank());
    double rate = 0;
    for (String line : lines(node.resolve("access0/initiators/read_bandwidth"))) {
      rate = line.strip().matches("[0-9]{1,9}") ? MEGABYTE * Long.parseLong(line.strip()) : rate;
    }
    return new MemoryInfo(number, total, free, processors, rate);
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
  }

  private static List<MemoryInfo> parse(String text) {
    List<MemoryInfo> nodes = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      Matcher node = MADE_UP.matcher(one.strip());
      if (!node.matches()) {
        throw new BackendSettingException(
            PROPERTY + " names memories as 0:64GiB:80GB/s,1:16GiB:400GB/s: " + text);
      }
      long unit = 1L << (10 * (1 + "KMGT".indexOf(node.group(3))));
      long bytes = Long.parseLong(node.group(2)) * unit;
      int number = Integer.parseInt(node.group(1));
      nodes.add(
          new MemoryInfo(
              number, bytes, bytes, number == 0, GIGABYTE * Double.parseDouble(node.group(4))));
    }
    return nodes;
  }

  /**
   * Allocates memory for a device; a node that is full gives way to others. Without nodes, and
   * where the system does not allow to choose them, it is ordinary memory.
   *
   * @param nodes numbers of the nodes
   * @throws OutOfMemoryError when the operating system refuses
   */
  public static HostMemory allocate(long bytes, List<Integer> nodes) {
    if (nodes.isEmpty() || areMadeUp() || !VectorLoops.isAvailable()) {
      return HostMemory.allocateForDevice(bytes);
    }
    long address = map(bytes, nodes);
    return address > 0
        ? HostMemory.mappedForDevice(address, bytes, at -> VectorLoops.unmapNodes(at, bytes))
        : HostMemory.allocateForDevice(bytes);
  }

  /** Whether memory can be placed on a node: the helper is there, and the system allows it. */
  static boolean isPossible(int node) {
    if (!VectorLoops.isAvailable()) {
      return false;
    }
    long address = map(PROBE_BYTES, List.of(node));
    if (address > 0) {
      VectorLoops.unmapNodes(address, PROBE_BYTES);
    }
    return address > 0;
  }

  private static long map(long bytes, List<Integer> nodes) {
    long[] numbers = nodes.stream().mapToLong(Integer::longValue).toArray();
    return VectorLoops.mapOnNodes(bytes, numbers, numbers.length);
  }
}
