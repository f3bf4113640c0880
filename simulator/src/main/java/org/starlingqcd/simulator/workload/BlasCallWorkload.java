package org.starlingqcd.simulator.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
 * A sequence of calls of BLAS in random order, as many of each kind as one of the programs in
 * SemCache's Table 3 makes, on small real matrices. Now and then the host reads or writes one.
 *
 * @param gemm products
 * @param gesv solutions of systems
 * @param xpy sums
 * @param copy copies
 * @param systems distinct matrices of the systems
 */
public record BlasCallWorkload(int gemm, int gesv, int xpy, int copy, int systems) {
  private enum Call {
    GEMM,
    GESV,
    XPY,
    COPY
  }

  private static final int N = 12;
  private static final int MATRICES = 48;

  /** Calls between two writes of the host, and between two reads. */
  private static final int BETWEEN_WRITES = 12;

  private static final int BETWEEN_READS = 20;

  /**
   * What the calls took.
   *
   * @param factorizations matrices that were factored
   */
  public record Result(ArrayStatistics statistics, long factorizations) {}

  /** Runs the calls. */
  public Result run(Device device, MemHCOptions options, CoherenceProtocol protocol) {
    Random random = new Random(3);
    List<Call> calls = new ArrayList<>();
    calls.addAll(Collections.nCopies(gemm, Call.GEMM));
    calls.addAll(Collections.nCopies(gesv, Call.GESV));
    calls.addAll(Collections.nCopies(xpy, Call.XPY));
    calls.addAll(Collections.nCopies(copy, Call.COPY));
    Collections.shuffle(calls, random);
    try (ArrayCache cache = ArrayCache.open(device, options, protocol);
        ArrayBlas blas = new ArrayBlas(cache)) {
      List<HostArray> matrices = new ArrayList<>();
      for (int k = 0; k < MATRICES; k++) {
        matrices.add(matrix(cache, random, 0));
      }
      List<HostArray> systemMatrices = new ArrayList<>();
      for (int k = 0; k < systems; k++) {
        systemMatrices.add(matrix(cache, random, N));
      }
      int solved = 0;
      for (int k = 0; k < calls.size(); k++) {
        Collections.swap(matrices, 0, random.nextInt(MATRICES));
        Collections.swap(matrices, 1, 1 + random.nextInt(MATRICES - 1));
        HostArray x = matrices.get(0);
        HostArray y = matrices.get(1);
        HostArray z = matrices.get(2 + random.nextInt(MATRICES - 2));
        switch (calls.get(k)) {
          case GEMM ->
              // Small factors keep numbers in range.
              blas.dgemm(Form.PLAIN, Form.PLAIN, N, N, N, 0.1, x, 0, N, y, 0, N, 0, z, 0, N);
          case GESV -> blas.gesv(N, N, systemMatrices.get(solved++ % systems), 0, N, x, 0, N);
          case XPY -> blas.daxpy(N * N, 0.01, x, 0, 1, y, 0, 1);
          default -> blas.copy(N * N, x, 0, 1, y, 0, 1);
        }
        if (k % BETWEEN_WRITES == 0) {
          z.put(0, random.doubles((long) N * N, -1, 1).toArray(), N * N);
        }
        if (k % BETWEEN_READS == 0) {
          x.reading();
        }
      }
      return new Result(cache.statistics(), blas.factorizations());
    }
  }

  private static HostArray matrix(ArrayCache cache, Random random, double diagonal) {
    HostArray array = cache.array("matrix", NumberKind.REAL, (long) N * N);
    double[] numbers = random.doubles((long) N * N, -1, 1).toArray();
    for (int i = 0; i < N; i++) {
      numbers[i * N + i] += diagonal;
    }
    array.put(0, numbers, N * N);
    return array;
  }
}
