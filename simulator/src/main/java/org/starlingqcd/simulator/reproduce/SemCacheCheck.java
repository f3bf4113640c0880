package org.starlingqcd.simulator.reproduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.ArrayStatistics;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.elementals.ElementalsRequest;
import org.starlingqcd.elementals.ElementalsRun;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.simulator.workload.BlasCallWorkload;
import org.starlingqcd.simulator.workload.ChainWorkload;

/**
 * SemCache: bytes of the chain of products, look-ups of the three programs of Table 3, what caching
 * saves on these calls and on elementals, memoized factorizations, messages of pages. Everything
 * runs on the CPU, whose device memory is a bounded part of RAM.
 */
public final class SemCacheCheck implements PaperCheck {
  private static final int CHAIN = 256;
  private static final int PAPER_MATRIX = 4096;
  private static final long PAGE = 4096;
  private static final long BUDGET = 256L << 20;
  private static final int ACCESSES = 200_000;

  private static final BlasCallWorkload[] PROGRAMS = {
    new BlasCallWorkload(6720, 1209, 3520, 480, 241),
    new BlasCallWorkload(944, 233, 688, 104, 60),
    new BlasCallWorkload(470, 131, 394, 62, 40)
  };
  private static final long[] LOOKUPS = {30_578, 4_882, 2_584};
  private static final double[] LESS_SENT = {91.5, 90.5, 90.4};
  private static final double[] LESS_BOTH = {84.7, 86.6, 87.4};
  private static final double[] TRANSFERS = {11.2, 9.9, 10.8};

  @Override
  public String name() {
    return "semcache";
  }

  @Override
  public String title() {
    return "SemCache: coherent arrays behind calls of BLAS";
  }

  @Override
  public List<PaperRow> rows() {
    List<PaperRow> rows = new ArrayList<>();
    try (Device device =
        Backends.select("cpu", 0).open(new DeviceOptions(0, 1, BUDGET + (1 << 20), false))) {
      MemHCOptions options = MemHCOptions.ofBudget(BUDGET).withPolicy("lfu");
      chain(device, options, rows);
      programs(device, options, rows);
      elementals(device, options, rows);
      pages(device, options, rows);
      lookUp(device, options, rows);
    }
    rows.add(
        PaperRow.notPossible(
            "Section 4: guards by page protection",
            "yes",
            "the JVM owns the signal; --check-guards"));
    rows.add(
        PaperRow.notPossible(
            "Fig. 12, 14: times on a GPU", "30 to 40 %", "bench --workload chain on a GPU"));
    return rows;
  }

  private static void chain(Device device, MemHCOptions options, List<PaperRow> rows) {
    long[][] matrices = {{6, 3}, {2, 1}, {2, 3}};
    CoherenceProtocol[] protocols = {
      CoherenceProtocol.NONE, CoherenceProtocol.WRITE_BACK, CoherenceProtocol.WRITE_THROUGH
    };
    long[] moved = new long[protocols.length];
    for (int k = 0; k < protocols.length; k++) {
      ChainWorkload.Result chain = ChainWorkload.run(device, options, protocols[k], CHAIN);
      long sent = chain.statistics().memory().bytesToDevice();
      long received = chain.statistics().memory().bytesToHost();
      // In matrices: those of the paper have 134,217,728 bytes.
      String what = "Fig. 2, 7, 13: " + protocols[k].label() + ", ";
      long of = chain.matrixBytes();
      rows.add(PaperRow.exact(what + "bytes sent / matrix", matrices[k][0], sent / of));
      rows.add(PaperRow.exact(what + "bytes received / matrix", matrices[k][1], received / of));
      rows.add(PaperRow.exact(what + "bytes beside whole matrices", 0, (sent + received) % of));
      moved[k] = (sent + received) / of;
    }
    rows.add(
        PaperRow.holds(
            "Fig. 12: time of transfers at equal bandwidth",
            "none > write-through > write-back >= by hand",
            moved[0] + " > " + moved[2] + " > " + moved[1] + " >= 3",
            moved[0] > moved[2] && moved[2] > moved[1] && moved[1] >= 3));
  }

  private static double percentLess(long before, long after) {
    return 100 * (1 - (double) after / before);
  }

  private static long both(ArrayStatistics statistics) {
    return statistics.memory().bytesToDevice() + statistics.memory().bytesToHost();
  }

  private static void programs(Device device, MemHCOptions options, List<PaperRow> rows) {
    for (int k = 0; k < PROGRAMS.length; k++) {
      BlasCallWorkload.Result none = PROGRAMS[k].run(device, options, CoherenceProtocol.NONE);
      BlasCallWorkload.Result back = PROGRAMS[k].run(device, options, CoherenceProtocol.WRITE_BACK);
      String program = "program " + (k + 1);
      rows.add(
          PaperRow.exact("Table 3: look-ups, " + program, LOOKUPS[k], back.statistics().lookups()));
      rows.add(
          PaperRow.atLeast(
              "Table 1: % less sent, " + program,
              LESS_SENT[k],
              percentLess(
                  none.statistics().memory().bytesToDevice(),
                  back.statistics().memory().bytesToDevice()),
              80));
      rows.add(
          PaperRow.atLeast(
              "Table 1: % less both ways, " + program,
              LESS_BOTH[k],
              percentLess(both(none.statistics()), both(back.statistics())),
              80));
      rows.add(
          PaperRow.atMost(
              "Table 2: transfers, % of those without a cache, " + program,
              TRANSFERS[k],
              100 - percentLess(both(none.statistics()), both(back.statistics())),
              12));
      if (k == 0) {
        rows.add(
            PaperRow.exact(
                "Fig. 15: factorizations of 1,209 solutions", 241, back.factorizations()));
      }
    }
  }

  private static void elementals(Device device, MemHCOptions options, List<PaperRow> rows) {
    Map<CoherenceProtocol, Long> moved = new EnumMap<>(CoherenceProtocol.class);
    VectorHeader header = new VectorHeader("random", 1, 4, 2, 8);
    ElementalsRequest request =
        new ElementalsRequest(ElementalsRequest.momenta(4), List.of("none"), false);
    try {
      Path folder = Files.createTempDirectory("semcache");
      Path file = folder.resolve("elementals.h5");
      for (CoherenceProtocol protocol : CoherenceProtocol.values()) {
        ElementalsRun.Outcome outcome =
            new ElementalsRun(device, options, protocol, false)
                .run(new RandomVectors(header), request, file, "", 1, (done, all) -> {});
        moved.put(protocol, both(outcome.statistics()));
      }
      Files.delete(file);
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long t = header.temporalExtent();
    long p = request.momenta().size();
    long n = header.eigenvectors();
    long v = 48L * header.volume() * n;
    long phi = 16L * header.volume();
    long e = 16 * n * n;
    String what = "elementals, L=4 N=8 T=2, 33 momenta: bytes, ";
    rows.add(
        PaperRow.exact(
            what + "none",
            t * p * (phi + 4 * v + e),
            moved.getOrDefault(CoherenceProtocol.NONE, 0L)));
    rows.add(
        PaperRow.exact(
            what + "write-through",
            t * v + p * phi + t * p * (e + v),
            moved.getOrDefault(CoherenceProtocol.WRITE_THROUGH, 0L)));
    rows.add(
        PaperRow.exact(
            what + "write-back",
            t * v + p * phi + t * p * e,
            moved.getOrDefault(CoherenceProtocol.WRITE_BACK, 0L)));
    rows.add(
        PaperRow.atLeast(
            "Table 1: % less both ways, elementals",
            87.4,
            percentLess(
                moved.getOrDefault(CoherenceProtocol.NONE, 0L),
                moved.getOrDefault(CoherenceProtocol.WRITE_BACK, 0L)),
            80));
  }

  private static void pages(Device device, MemHCOptions options, List<PaperRow> rows) {
    try (ArrayCache cache =
        ArrayCache.open(device, options, CoherenceProtocol.WRITE_BACK, false, PAGE)) {
      HostArray matrix = cache.array("matrix", NumberKind.REAL, (long) PAPER_MATRIX * PAPER_MATRIX);
      matrix.writing().clear();
      matrix.toDevice();
      cache.synchronize();
      rows.add(
          PaperRow.exact(
              "Fig. 16: messages of 4 KiB for N = 4,096", 32_768, cache.statistics().messages()));
      rows.add(
          PaperRow.exact(
              "Fig. 16: bytes, as without pages",
              134_217_728,
              cache.statistics().memory().bytesToDevice()));
    }
  }

  /** A guarded access of the host looks its record up and finds that nothing is to do. */
  private static void lookUp(Device device, MemHCOptions options, List<PaperRow> rows) {
    try (ArrayCache cache = ArrayCache.open(device, options, CoherenceProtocol.WRITE_BACK)) {
      List<HostArray> arrays = new ArrayList<>();
      for (int k = 0; k < 1000; k++) {
        HostArray array = cache.array("array", NumberKind.REAL, 64);
        array.writing().clear();
        array.toDevice();
        arrays.add(array);
      }
      double best = Double.MAX_VALUE;
      for (int round = 0; round < 5; round++) {
        long start = System.nanoTime();
        for (int k = 0; k < ACCESSES; k++) {
          arrays.get(k % arrays.size()).reading(3, 5);
        }
        best = Math.min(best, 1e-3 * (System.nanoTime() - start) / ACCESSES);
      }
      rows.add(PaperRow.atMost("Table 2: microseconds of a look-up", "9 to 12", round(best), 1));
    }
  }

  private static double round(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3f", value));
  }

  /** Random vectors that need no file. */
  private static final class RandomVectors implements Eigenvectors {
    private final VectorHeader header;

    RandomVectors(VectorHeader header) {
      this.header = header;
    }

    @Override
    public VectorHeader header() {
      return header;
    }

    @Override
    public void read(int time, int first, int count, double[] target) {
      Random random = new Random(31L * time + first);
      for (int k = 0; k < 6 * header.volume() * count; k++) {
        target[k] = random.nextDouble() - 0.5;
      }
    }

    @Override
    public String name() {
      return "random vectors";
    }

    @Override
    public void close() {}
  }
}
