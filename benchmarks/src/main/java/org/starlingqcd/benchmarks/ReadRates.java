package org.starlingqcd.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.starlingqcd.hadron.chroma.SdbExport;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * How fast perambulators are read from the page cache: from Starling's HDF5 and from SDB files of
 * Chroma with the same numbers, whose decoding the cores share. The two alternate; the ratio is the
 * median of the ratios of the rounds.
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
    System.out.println("|   N | HDF5 MB/s | SDB MB/s | ratio | least | greatest |");
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
    try (DistillationData one = DistillationData.open(List.of(own));
        DistillationData other =
            DistillationFiles.discover(List.of(sdb.toString())).get(0).open()) {
      for (int round = -2; round < rounds; round++) {
        double first = rate(one, n);
        double second = rate(other, n);
        if (round >= 0) {
          ownRates[round] = first;
          sdbRates[round] = second;
          ratios[round] = second / first;
        }
      }
    }
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %3d | %9.0f | %8.0f | %5.2f | %5.2f | %8.2f |%n",
        n,
        median(ownRates),
        median(sdbRates),
        ratios[rounds / 2],
        ratios[0],
        ratios[rounds - 1]);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** MB/s of reading all perambulators, as often as makes at least 256 MiB. */
  private static double rate(DistillationData data, int n) {
    long bytes = TensorShape.mesonNode(n).bytes();
    int repeats = (int) Math.max(1, (256L << 20) / (bytes * TIMES * TIMES));
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      long begin = System.nanoTime();
      for (int k = 0; k < repeats; k++) {
        for (int source = 0; source < TIMES; source++) {
          for (int sink = 0; sink < TIMES; sink++) {
            data.load(new Input.Perambulator("light", sink, source), memory, 0);
          }
        }
      }
      return 1e3 * repeats * TIMES * TIMES * bytes / (System.nanoTime() - begin);
    }
  }
}
