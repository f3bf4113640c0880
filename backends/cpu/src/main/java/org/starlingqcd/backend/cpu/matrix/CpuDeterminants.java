package org.starlingqcd.backend.cpu.matrix;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.MatrixOperations.DeterminantSums;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Sums of determinants by loops in C++ ({@code determinant_kernel_body.h}). Vectors are laid out in
 * columns once for all threads; each then takes some values of the middle index. What one adds up
 * does not depend on how many there are.
 */
final class CpuDeterminants implements DeterminantSums {
  /**
   * Bytes of sums of a part: what stays in the second-level cache beside the vectors of a chunk.
   */
  private static final long PART_BYTES = 3L << 18;

  /** Parts for each thread, so that all finish at about the same time. */
  private static final int PARTS = 4;

  private final CpuMatrices matrices;
  private final ElementAccess device;
  private final Team team;

  CpuDeterminants(CpuMatrices matrices, ElementAccess device) {
    this.matrices = matrices;
    this.device = device;
    team = device.team();
  }

  @Override
  public void sum(
      int sites, int n, Place vectors, Place phases, Place result, DeviceStream stream) {
    device.begin(stream);
    long v = matrices.address(vectors, 48L * sites * n);
    long factors = matrices.address(phases, 16L * sites);
    long target = matrices.address(result, 16L * n * n * n);
    device.put(stream, () -> run(sites, n, v, factors, target));
  }

  private void run(int sites, int n, long vectors, long phases, long result) {
    int[] starts = starts(n);
    int chunks = (int) VectorLoops.determinantChunks(sites);
    int groups = Math.min(chunks, PARTS * team.size());
    // All threads read the columns.
    synchronized (team) {
      long columns = team.shared(VectorLoops.determinantColumns(sites, n));
      team.run(
          groups,
          (group, own) ->
              VectorLoops.determinantFactors(
                  sites,
                  n,
                  vectors,
                  (long) chunks * group / groups,
                  (long) chunks * (group + 1) / groups,
                  columns));
      team.run(
          starts.length - 1,
          (part, own) ->
              VectorLoops.determinants(
                  sites,
                  n,
                  vectors,
                  phases,
                  columns,
                  starts[part],
                  starts[part + 1],
                  own.scratch(VectorLoops.determinantScratch(n, starts[part], starts[part + 1])),
                  result));
    }
  }

  /** Where parts of the middle index begin, and its end. */
  private int[] starts(int n) {
    long all = Double.BYTES * VectorLoops.determinantScratch(n, 0, n);
    long bound =
        team.size() == 1 ? PART_BYTES : Math.min(PART_BYTES, all / ((long) PARTS * team.size()));
    List<Integer> starts = new ArrayList<>(List.of(0));
    for (int j = 1; j < n; j++) {
      int first = starts.get(starts.size() - 1);
      if (Double.BYTES * VectorLoops.determinantScratch(n, first, j + 1) > bound) {
        starts.add(j);
      }
    }
    starts.add(n);
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }
}
