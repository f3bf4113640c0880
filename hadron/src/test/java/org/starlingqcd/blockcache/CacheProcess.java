package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A process that uses a cache, for tests that need several or kill them. */
final class CacheProcess {
  static final int DOUBLES = 2000;

  private CacheProcess() {}

  /** Arguments: directory, capacity, what to do, number of blocks, seed, file of reads. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    long capacity = Long.parseLong(args[1]);
    int blocks = Integer.parseInt(args[3]);
    Random random = new Random(Long.parseLong(args[4]));
    Path reads = Path.of(args[5]);
    try (BlockCache cache = BlockCache.open(BlockCacheOptions.of(directory, capacity))) {
      System.out.println("ready");
      System.out.flush();
      switch (args[2]) {
        case "each" -> {
          for (int k = 0; k < blocks; k++) {
            load(cache, k, reads);
          }
        }
        case "fill" -> {
          while (true) {
            load(cache, random.nextInt(blocks), reads);
          }
        }
        case "compact" -> {
          while (true) {
            for (int k = 0; k < 20; k++) {
              load(cache, random.nextInt(blocks), reads);
            }
            cache.compact();
          }
        }
        case "evacuate" -> {
          while (true) {
            for (int k = 0; k < 20; k++) {
              load(cache, random.nextInt(blocks), reads);
            }
            cache.evacuate(1 << 20);
          }
        }
        default -> throw new IllegalArgumentException(args[2]);
      }
    }
  }

  private static void load(BlockCache cache, int number, Path reads) {
    TestBlocks.load(cache, number, DOUBLES, () -> note(reads, number));
  }

  private static void note(Path reads, int number) {
    try {
      Files.writeString(reads, number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Process start(
      Path directory, long capacity, String what, int blocks, long seed, Path reads)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-Dslf4j.internal.verbosity=ERROR",
            "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(CacheProcess.class.getName());
    command.addAll(
        List.of(
            directory.toString(),
            Long.toString(capacity),
            what,
            Integer.toString(blocks),
            Long.toString(seed),
            reads.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Waits until a process uses its cache. */
  static void awaitReady(Process process) throws IOException {
    if (process.getInputStream().read() < 0) {
      throw new IOException("the process ended before it used the cache");
    }
  }
}
