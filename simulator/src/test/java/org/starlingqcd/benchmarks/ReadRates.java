package org.starlingqcd.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.format.SdbExport;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * How fast perambulators are read from the page cache: from Starling's HDF5 and from SDB files of
 * Chroma with the same numbers, whose decoding the cores share when values are large. The two
 * alternate. Ratios are the rate of SDB divided by that of HDF5, medians over the rounds: by
 * elapsed time, and by processor time, which other programs on the machine disturb less and which
 * does not gain from several cores.
 *
 * <p>{@code java -cp … org.starlingqcd.benchmarks.ReadRates 64,128,256 9}; an argument after these
 * is the folder for the files.
 */
public final class ReadRates {
  private static final int TIMES = 4;

  private ReadRates() {}

  /** Runs the comparison for N and a number of rounds. */
  public static void main(String[] args) throws IOException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    System.out.println(
        "|   N | HDF5 MB/s | SDB MB/s | SDB/HDF5 | least | greatest | by processor time |");
    for (String n : (args.length > 0 ? args[0] : "64,128,256").split(",", -1)) {
      Path folder =
          args.length > 2
              ? Files.createTempDirectory(Path.of(args[2]), "rates")
              : Files.createTempDirectory("rates");
      try {
        compare(Integer.parseInt(n), rounds, folder);
      } finally {
        delete(folder);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private static void compare(int n, int rounds, Path folder) throws IOException {
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "rates",
            4,
            TIMES,
            n,
            List.of("light"),
            List.of(),
            List.of(Momentum.ZERO),
            List.of(),
            false,
            0,
            1);
    Path own = SyntheticData.write(ensemble, 1, folder.resolve("own"), bytes -> {});
    Path sdb = Files.createDirectories(folder.resolve("sdb"));
    try (DistillationData data = DistillationData.open(List.of(own))) {
      SdbExport.write(data, sdb, "x_cfg_1", name -> true, bytes -> {});
    }
    double[] ownRates = new double[rounds];
    double[] sdbRates = new double[rounds];
    double[] ratios = new double[rounds];
    double[] perCpu = new double[rounds];
    try (DistillationData one = DistillationData.open(List.of(own));
        DistillationData other =
            DistillationFiles.discover(List.of(sdb.toString())).get(0).open()) {
      for (int round = -2; round < rounds; round++) {
        Rate first = rate(one, n);
        Rate second = rate(other, n);
        if (round >= 0) {
          ownRates[round] = first.elapsed();
          sdbRates[round] = second.elapsed();
          ratios[round] = second.elapsed() / first.elapsed();
          perCpu[round] = second.processor() / first.processor();
        }
      }
    }
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %3d | %9.0f | %8.0f | %8.2f | %5.2f | %8.2f | %17.2f |%n",
        n,
        median(ownRates),
        median(sdbRates),
        ratios[rounds / 2],
        ratios[0],
        ratios[rounds - 1],
        median(perCpu));
  }

  /** MB/s by elapsed and by processor time. */
  private record Rate(double elapsed, double processor) {}

  private static long processorTime() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** MB/s of reading all perambulators, as often as makes at least 1 GiB. */
  private static Rate rate(DistillationData data, int n) {
    long bytes = TensorShape.mesonNode(n).bytes();
    int repeats = (int) Math.max(1, (1L << 30) / (bytes * TIMES * TIMES));
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      long begin = System.nanoTime();
      long processor = processorTime();
      for (int k = 0; k < repeats; k++) {
        for (int source = 0; source < TIMES; source++) {
          for (int sink = 0; sink < TIMES; sink++) {
            data.load(new Input.Perambulator("light", sink, source), memory, 0);
          }
        }
      }
      double read = 1e3 * repeats * TIMES * TIMES * bytes;
      return new Rate(
          read / (System.nanoTime() - begin), read / Math.max(1, processorTime() - processor));
    }
  }
}
