package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.Replay;

/**
 * What a queue does with a memory budget, computed without data or device: the executor and MemHC
 * make their decisions on a device that does nothing.
 *
 * @param budgetBytes the budget
 * @param peakBytes most bytes alive at once if nothing is evicted, scratch memory included
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

  /** Copies the list. */
  public MemoryForecast {
    slicings = List.copyOf(slicings);
  }

  /**
   * Contractions between baryons that are cut in the same way, along the open index of one of them.
   *
   * @param contractions their number
   * @param rows values of the open index in a slice
   * @param slices slices of each contraction
   * @param passes how often each elemental at the other end is used: once for every slice and every
   *     group of spin sums that are attached at once
   * @param together whether the elementals at the other end of a line are on the device at once,
   *     rather than one after the other
   */
  public record Slicing(int contractions, int rows, int slices, int passes, boolean together) {}

  /**
   * Computes the forecast for a budget; O(accesses).
   *
   * @param eigenvectors N
   * @param precision of all elements
   * @throws MemoryBudgetException when a contraction does not fit
   */
  public static MemoryForecast of(
      ExecutionQueue queue, int eigenvectors, Precision precision, long budgetBytes) {
    AccessTrace least = QueueCost.prepare(queue, eigenvectors, precision, 1).trace();
    PreparedQueue unbounded =
        QueueCost.prepare(queue, eigenvectors, precision, QueueCost.UNBOUNDED);
    PreparedQueue prepared = QueueCost.prepare(queue, eigenvectors, precision, budgetBytes);
    return new MemoryForecast(
        budgetBytes,
        unbounded.peakBytes(),
        Replay.smallestBudget(least),
        Replay.run(prepared.trace(), MemHCOptions.ofBudget(budgetBytes)),
        slicings(prepared, unbounded));
  }

  /** Contractions that are cut differently than without a budget. */
  private static List<Slicing> slicings(PreparedQueue bounded, PreparedQueue unbounded) {
    Map<Slicing, Integer> count = new LinkedHashMap<>();
    for (int k = 0; k < bounded.pairs().size(); k++) {
      Slicing cut = slicing(bounded.pairs().get(k), bounded.eigenvectors());
      if (!cut.equals(slicing(unbounded.pairs().get(k), bounded.eigenvectors()))) {
        count.merge(cut, 1, Integer::sum);
      }
    }
    List<Slicing> all = new ArrayList<>();
    count.forEach((s, n) -> all.add(new Slicing(n, s.rows, s.slices, s.passes, s.together)));
    return all;
  }

  private static Slicing slicing(PreparedPairs pairs, int n) {
    PairSlicing cut = pairs.slicing();
    int slices = cut.slices(n);
    return new Slicing(1, cut.rows(), slices, slices * cut.groups(pairs.step()), cut.together());
  }
}
