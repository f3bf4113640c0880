package org.starlingqcd.elementals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.ArrayStatistics;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.backend.Device;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Computes elementals time slice by time slice: the vectors of a slice are sent once, the phases
 * once for all, and with the write-back protocol nothing but the elementals comes back.
 */
public final class ElementalsRun {
  /** Bytes of cross products at a time: what the second-level cache of a core holds. */
  private static final long CROSS_BYTES = 1L << 20;

  /** Told after each time slice. */
  public interface Progress {
    /** So many of all time slices are on disk, those of earlier attempts included. */
    void finished(int done, int all);
  }

  /**
   * What a run did.
   *
   * @param times time slices computed, without those of an earlier attempt
   * @param flops of the matrix products
   * @param statistics bytes both ways, look-ups
   */
  public record Outcome(int times, long flops, ArrayStatistics statistics) {}

  private final Device device;
  private final MemHCOptions options;
  private final CoherenceProtocol protocol;
  private final boolean checkGuards;

  /**
   * Runs on a device.
   *
   * @param options the budget of device memory and the eviction policy
   * @param checkGuards whether to check that arrays are written with their guards only
   */
  public ElementalsRun(
      Device device, MemHCOptions options, CoherenceProtocol protocol, boolean checkGuards) {
    this.device = device;
    this.options = options;
    this.protocol = protocol;
    this.checkGuards = checkGuards;
  }

  /** Bytes of device memory that the largest call needs. */
  public static long leastDeviceBytes(VectorHeader header, ElementalsRequest request) {
    long vectors = 16 * SliceVectors.numbers(header);
    long n = header.eigenvectors();
    long small = Math.max(16L * header.volume(), 16 * n * n);
    // Cross products, vectors times phases, sums and results of a block, phases for each colour.
    long baryons =
        request.baryons()
            ? 2 * CROSS_BYTES + 48 * CrossProductElementals.BLOCK * n * n + 64L * header.volume()
            : 0;
    long tetraquarks =
        request.tetraquarks().isEmpty() ? 0 : TetraquarkElementals.leastBytes(header);
    return (request.baryons() ? 3 : 2) * vectors + small + baryons + tetraquarks + 4096;
  }

  /** Bytes of host memory that the arrays of a run have. */
  public static long hostBytes(VectorHeader header, ElementalsRequest request) {
    long vectors = 16 * SliceVectors.numbers(header);
    long n = header.eigenvectors();
    return vectors * ((request.needsLinks() ? 17 : 2) + (request.baryons() ? 2 : 0))
        + (request.baryons() ? 64L : 16L) * header.volume() * request.momenta().size()
        + (request.baryons() ? 32 * n * n * n + 2 * CROSS_BYTES : 0)
        + request.tetraquarks().size() * TetraquarkElementals.hostBytes(header);
  }

  /**
   * Computes a file of elementals.
   *
   * @param resultBytes host memory for elementals of baryons and tetraquarks that wait to be
   *     written
   * @throws DistillationException when vectors cannot be read or the file not be written
   */
  public Outcome run(
      Eigenvectors source,
      ElementalsRequest request,
      Path target,
      String identity,
      long resultBytes,
      Progress progress) {
    VectorHeader header = source.header();
    int times = header.temporalExtent();
    try (ElementalsFile file = ElementalsFile.open(target, identity, header, request);
        ArrayCache cache = ArrayCache.open(device, options, protocol, checkGuards, 0)) {
      ArrayBlas blas = new ArrayBlas(cache);
      SliceVectors slice = new SliceVectors(source, cache, request.needsLinks());
      Phases phases = new Phases(cache, request.momenta(), header.spatialExtent());
      List<SliceElementals> kinds =
          kinds(
              new SliceElementals.Shared(cache, blas, slice, phases, header, file::write),
              request,
              resultBytes);
      int computed = 0;
      progress.finished(file.finished().size(), times);
      for (int time = 0; time < times; time++) {
        if (file.finished().contains(time)) {
          continue;
        }
        int now = time;
        slice.read(time);
        kinds.forEach(kind -> kind.compute(now));
        file.finish(time);
        computed++;
        progress.finished(file.finished().size(), times);
      }
      file.complete();
      long flops = kinds.stream().mapToLong(kind -> kind.flops).sum();
      return new Outcome(computed, flops, cache.statistics());
    }
  }

  private List<SliceElementals> kinds(
      SliceElementals.Shared shared, ElementalsRequest request, long resultBytes) {
    VectorHeader header = shared.header();
    List<Momentum> momenta = request.momenta();
    List<SliceElementals> kinds = new ArrayList<>();
    kinds.add(new MesonElementals(shared, request.mesons(header)));
    if (request.baryons()) {
      kinds.add(
          shared.blas().hasDeterminants()
                  && DeterminantElementals.deviceBytes(header) <= options.budgetBytes()
              ? new DeterminantElementals(shared, momenta)
              : new CrossProductElementals(shared, momenta, CROSS_BYTES, resultBytes));
    }
    long beside = options.budgetBytes() - 32 * SliceVectors.numbers(header);
    for (PairColour colour : request.tetraquarks()) {
      kinds.add(
          new TetraquarkElementals(
              shared, colour, request.tetraquarkMomenta(), beside, resultBytes));
    }
    return kinds;
  }
}
