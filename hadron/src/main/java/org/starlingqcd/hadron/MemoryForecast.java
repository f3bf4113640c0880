package org.starlingqcd.hadron;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.graph.ExecutionQueue;
import org.starlingqcd.memhc.AccessTrace;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.MemoryStatistics;
import org.starlingqcd.memhc.replay.DryDevice;
import org.starlingqcd.memhc.replay.Replay;

/**
 * What a queue does with a memory budget, known without data or device: the decisions are those of
 * the executor and of MemHC, on a device that does nothing.
 *
 * @param budgetBytes the budget
 * @param peakBytes most bytes alive at once if nothing has to leave, scratch memory included
 * @param smallestBudgetBytes the smallest budget with which the queue runs
 * @param statistics what MemHC counts
 * @param slicings contractions that the budget makes the device cut into slices
 */
public record MemoryForecast(
    long budgetBytes,
    long peakBytes,
    long smallestBudgetBytes,
    MemoryStatistics statistics,
    List<Slicing> slicings) {

  /** More than any queue needs, and far from overflow. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 4;

  /** Copies the list. */
  public MemoryForecast {
    slicings = List.copyOf(slicings);
  }

  /**
   * Contractions between baryons cut alike, along the open index of one of them.
   *
   * @param contractions how many
   * @param rows values of the open index in a slice
   * @param slices slices of each contraction
   * @param repeatedFlops work that all of them together do more than once because of it
   */
  public record Slicing(int contractions, int rows, int slices, double repeatedFlops) {}

  /**
   * Reckons with a budget; O(accesses).
   *
   * @param eigenvectors N
   * @throws MemoryBudgetException when a contraction does not fit
   */
  public static MemoryForecast of(ExecutionQueue queue, int eigenvectors, long budgetBytes) {
    AccessTrace least = prepared(queue, eigenvectors, 1).trace();
    PreparedQueue unbounded = prepared(queue, eigenvectors, UNBOUNDED);
    PreparedQueue prepared = prepared(queue, eigenvectors, budgetBytes);
    return new MemoryForecast(
        budgetBytes,
        Replay.peakBytes(unbounded.trace()),
        Replay.smallestBudget(least),
        Replay.run(prepared.trace(), MemHCOptions.ofBudget(budgetBytes)),
        slicings(prepared, unbounded));
  }

  /** Contractions with shorter slices than they have without a bound. */
  private static List<Slicing> slicings(PreparedQueue bounded, PreparedQueue unbounded) {
    Map<Slicing, Integer> count = new LinkedHashMap<>();
    for (int b = 0; b < bounded.batches().size(); b++) {
      List<Slicing> cut = slicings(bounded, bounded.batches().get(b));
      List<Slicing> whole = slicings(unbounded, unbounded.batches().get(b));
      for (int k = 0; k < cut.size(); k++) {
        if (cut.get(k).rows() < whole.get(k).rows()) {
          count.merge(cut.get(k), 1, Integer::sum);
        }
      }
    }
    return count.entrySet().stream()
        .map(
            entry ->
                new Slicing(
                    entry.getValue(),
                    entry.getKey().rows(),
                    entry.getKey().slices(),
                    entry.getValue() * entry.getKey().repeatedFlops()))
        .toList();
  }

  private static List<Slicing> slicings(PreparedQueue queue, PreparedQueue.Batch batch) {
    int n = queue.eigenvectors();
    List<Slicing> slicings = new ArrayList<>();
    for (PreparedQueue.Diquark diquark : batch.diquarks()) {
      int rows = DiquarkContraction.rows(n, queue.shape(diquark.workspace()).bytes());
      int slices = (n + rows - 1) / rows;
      double attached = 8.0 * DiquarkContraction.LINE_SPINS * Math.pow(n, 4);
      slicings.add(new Slicing(1, rows, slices, (slices - 1) * attached));
    }
    for (PreparedQueue.PairBlocks pairs : batch.pairs()) {
      int rows = PairContraction.rows(n, queue.shape(pairs.workspace()).bytes());
      slicings.add(new Slicing(1, rows, (n + rows - 1) / rows, 0));
    }
    return slicings;
  }

  private static PreparedQueue prepared(ExecutionQueue queue, int eigenvectors, long budgetBytes) {
    try (QueueExecutor executor =
        QueueExecutor.open(new DryDevice(), MemHCOptions.ofBudget(budgetBytes))) {
      return executor.prepare(queue, eigenvectors);
    }
  }
}
