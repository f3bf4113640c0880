package org.starlingqcd.simulator.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.ArrayStatistics;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * SemCache's chain of three products of square real matrices, C = AB, D = BC, E = CD, of which the
 * host reads E (figures 2, 7 and 13 of the paper).
 */
public final class ChainWorkload {
  private ChainWorkload() {}

  /**
   * What a chain took.
   *
   * @param size rows and columns of a matrix
   * @param seconds from the first call to the last number of E on the host
   * @param statistics bytes both ways
   */
  public record Result(int size, double seconds, ArrayStatistics statistics) {
    /** Bytes of one matrix. */
    public long matrixBytes() {
      return (long) Double.BYTES * size * size;
    }

    /** Real multiplications and additions. */
    public long flops() {
      return 6L * size * size * size;
    }

    /** The JSON object of {@code bench}. */
    public Map<String, Object> describe(String backend) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("workload", "chain");
      map.put("backend", backend);
      map.put("size", size);
      map.put("protocol", statistics.protocol().label());
      map.put("wall_seconds", seconds);
      map.put("flops", flops());
      map.put("gflops", 1e-9 * flops() / seconds);
      map.put("memory", statistics.describe());
      return map;
    }
  }

  /** Runs one chain. */
  public static Result run(
      Device device, MemHCOptions options, CoherenceProtocol protocol, int size) {
    try (ArrayCache cache = ArrayCache.open(device, options, protocol)) {
      ArrayBlas blas = new ArrayBlas(cache);
      Random random = new Random(1);
      HostArray a = matrix(cache, "A", size, random);
      HostArray b = matrix(cache, "B", size, random);
      HostArray c = matrix(cache, "C", size, null);
      HostArray d = matrix(cache, "D", size, null);
      HostArray e = matrix(cache, "E", size, null);
      long start = System.nanoTime();
      product(blas, size, a, b, c);
      product(blas, size, b, c, d);
      product(blas, size, c, d, e);
      e.reading();
      return new Result(size, 1e-9 * (System.nanoTime() - start), cache.statistics());
    }
  }

  private static HostArray matrix(
      ArrayCache cache, String name, int size, @Nullable Random random) {
    HostArray array = cache.array(name, NumberKind.REAL, (long) size * size);
    for (int i = 0; random != null && i < size; i++) {
      array.put((long) i * size, random.doubles(size, -1, 1).toArray(), size);
    }
    return array;
  }

  private static void product(ArrayBlas blas, int n, HostArray a, HostArray b, HostArray c) {
    blas.dgemm(Form.PLAIN, Form.PLAIN, n, n, n, 1, a, 0, n, b, 0, n, 0, c, 0, n);
  }
}
