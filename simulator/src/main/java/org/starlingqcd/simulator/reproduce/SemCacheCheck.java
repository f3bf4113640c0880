package org.starlingqcd.simulator.reproduce;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.simulator.check.TemporaryFolder;
import org.starlingqcd.simulator.workload.ChainWorkload;

/**
 * SemCache: bytes of the chain of products, look-ups, messages of pages, and what the same arrays
 * save on elementals. Everything runs on the CPU, whose device memory is a bounded part of RAM. The
 * program of section 7.2 is not published; the tests of arrays memoize factorizations as it does.
 */
final class SemCacheCheck extends PaperCheck {
  private static final int PAPER_MATRIX = 4096;
  private static final long PAGE = 4096;
  private static final long BUDGET = 256L << 20;
  private static final int ACCESSES = 200_000;

  private final MemHCOptions options = MemHCOptions.ofBudget(BUDGET).withPolicy("lfu");
  private @Nullable Device opened;

  private Device device() {
    if (opened == null) {
      opened = Backends.select("cpu", 0).open(new DeviceOptions(0, 1, BUDGET + (1 << 20), false));
    }
    return opened;
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  Object measure(String what, String[] arguments) {
    return switch (what) {
      case "ran-chain" ->
          ChainWorkload.run(device(), options, CoherenceProtocol.parse(arguments[0]), 256);
      case "ran-elementals" -> elementals(CoherenceProtocol.parse(arguments[0]));
      case "chain" -> chain(arguments[0], arguments[1]);
      case "transfers" -> transfers();
      case "lookups" -> chain("write-back").statistics().lookups() / 3;
      case "elementals" -> measured("ran-elementals " + arguments[0]);
      case "page-messages" -> pages().messages();
      case "page-bytes" -> pages().memory().bytesToDevice();
      case "look-up" -> lookUp();
      default -> throw unknown(what);
    };
  }

  private ChainWorkload.Result chain(String protocol) {
    return (ChainWorkload.Result) measured("ran-chain " + protocol);
  }

  /** Bytes of a chain in matrices; those of the paper have 134,217,728 bytes. */
  private long chain(String protocol, String what) {
    ChainWorkload.Result chain = chain(protocol);
    long sent = chain.statistics().memory().bytesToDevice();
    long received = chain.statistics().memory().bytesToHost();
    return switch (what) {
      case "sent" -> sent / chain.matrixBytes();
      case "received" -> received / chain.matrixBytes();
      case "beside" -> (sent + received) % chain.matrixBytes();
      default -> (sent + received) / chain.matrixBytes();
    };
  }

  private PaperRow.Statement transfers() {
    long none = chain("none", "both");
    long through = chain("write-through", "both");
    long back = chain("write-back", "both");
    return new PaperRow.Statement(
        none + " > " + through + " > " + back, none > through && through > back && back == 3);
  }

  private static long both(ArrayStatistics statistics) {
    return statistics.memory().bytesToDevice() + statistics.memory().bytesToHost();
  }

  /** Bytes both ways of elementals with L = 4, N = 8, T = 2 and 33 momenta. */
  private long elementals(CoherenceProtocol protocol) {
    VectorHeader header = new VectorHeader("random", 1, 4, 2, 8);
    ElementalsRequest request = new ElementalsRequest(Momentum.ball(4), List.of("none"), false);
    try (TemporaryFolder folder = new TemporaryFolder()) {
      return both(
          new ElementalsRun(device(), options, protocol, false)
              .run(
                  new RandomVectors(header),
                  request,
                  folder.resolve("elementals.h5"),
                  "",
                  1,
                  (done, all) -> {})
              .statistics());
    }
  }

  private ArrayStatistics pages() {
    try (ArrayCache cache =
        ArrayCache.open(device(), options, CoherenceProtocol.WRITE_BACK, false, PAGE)) {
      HostArray matrix = cache.array("matrix", NumberKind.REAL, (long) PAPER_MATRIX * PAPER_MATRIX);
      matrix.writing().clear();
      matrix.toDevice();
      cache.synchronize();
      return cache.statistics();
    }
  }

  /**
   * Microseconds in which a guarded access of the host looks its record up and finds that nothing
   * is to do.
   */
  private double lookUp() {
    try (ArrayCache cache = ArrayCache.open(device(), options, CoherenceProtocol.WRITE_BACK)) {
      List<HostArray> arrays =
          IntStream.range(0, 1000)
              .mapToObj(k -> cache.array("array", NumberKind.REAL, 64))
              .toList();
      for (HostArray array : arrays) {
        array.writing().clear();
        array.toDevice();
      }
      return median(
          () -> {
            long start = System.nanoTime();
            for (int k = 0; k < ACCESSES; k++) {
              arrays.get(k % arrays.size()).reading(3, 5);
            }
            return 1e-3 * (System.nanoTime() - start) / ACCESSES;
          });
    }
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
