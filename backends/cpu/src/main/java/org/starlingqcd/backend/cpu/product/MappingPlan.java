package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;

/**
 * A batch-spin mapping sorted by destination. Adjacent destinations that read the same left spins
 * (the four of a row of a meson product, or all of a node) form a row. One thread computes them
 * together and keeps the left tiles in its cache.
 */
public final class MappingPlan {
  final BatchSpinMapping mapping;
  private final int[][] entries;
  private final int[] rowStart;

  /** Whether all factors are real. */
  final boolean real;

  /** The mapping as one product of matrices of spins; null where it is not one. */
  final @Nullable FusedPlan fused;

  public MappingPlan(BatchSpinMapping mapping) {
    this.mapping = mapping;
    int[] count = new int[mapping.destinationSpins()];
    boolean onlyReal = true;
    for (int b = 0; b < mapping.size(); b++) {
      count[mapping.destination(b)]++;
      onlyReal &= mapping.factorIm(b) == 0;
    }
    real = onlyReal;
    entries = new int[count.length][];
    for (int d = 0; d < count.length; d++) {
      entries[d] = new int[count[d]];
    }
    Arrays.fill(count, 0);
    for (int b = 0; b < mapping.size(); b++) {
      int d = mapping.destination(b);
      entries[d][count[d]++] = b;
    }
    List<Integer> starts = new ArrayList<>();
    for (int d = 0; d < entries.length; d++) {
      if (d == 0 || !Arrays.equals(leftSpins(d), leftSpins(d - 1))) {
        starts.add(d);
      }
    }
    starts.add(entries.length);
    rowStart = starts.stream().mapToInt(Integer::intValue).toArray();
    fused = FusedPlan.of(this);
  }

  private int[] leftSpins(int d) {
    return Arrays.stream(entries[d]).map(mapping::left).toArray();
  }

  /** Number of rows of destinations. */
  int rows() {
    return rowStart.length - 1;
  }

  /** First destination of a row; that of the next row is one after its last. */
  int rowStart(int row) {
    return rowStart[row];
  }

  /** Entries of the mapping that are added into destination {@code d}. */
  int[] entries(int d) {
    return entries[d];
  }
}
