package org.starlingqcd.graph.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Runs a queue on paper: what would be resident, loaded, written back and evicted with a given
 * device memory. Elements are freed after their last use. An evicted element that was made on the
 * device and has no host copy yet is written back once; inputs are not.
 */
public final class ResidencySimulation {
  /** Which element goes when memory is short. */
  public enum Eviction {
    /** The one used furthest in the future (Belady). */
    FURTHEST_NEXT_USE,
    /**
     * The least recently used, elements of the current vector being spared once (MemHC, Algorithm
     * 2).
     */
    PRE_PROTECTED_LRU
  }

  /**
   * What happened.
   *
   * @param peakBytes most bytes resident
   * @param loadedBytes bytes moved to the device
   * @param writtenBytes bytes moved to the host
   * @param evictions elements evicted while still needed
   */
  public record Traffic(long peakBytes, long loadedBytes, long writtenBytes, long evictions) {
    /** Bytes moved either way. */
    public long movedBytes() {
      return loadedBytes + writtenBytes;
    }
  }

  private final ExecutionQueue queue;
  private final long[] bytes;
  private final long budget;
  private final Eviction eviction;
  // Uses of element e are at usePositions[useStart[e] … useStart[e + 1] - 1].
  private final int[] useStart;
  private final int[] usePositions;
  private final int[] nextUse;
  private final boolean[] resident;
  private final boolean[] onHost;
  private final boolean[] flagged;
  private final boolean[] pinned;
  private final long[] rank;
  private final TreeSet<Integer> order;
  private long clock;
  private long used;
  private long peak;
  private long loaded;
  private long written;
  private long evictions;

  private ResidencySimulation(ExecutionQueue queue, int extent, long budget, Eviction eviction) {
    this.queue = queue;
    this.budget = budget;
    this.eviction = eviction;
    int n = queue.elements().size();
    bytes = ElementSizes.bytes(queue.elements(), extent);
    useStart = new int[n + 1];
    forEachUse((position, element) -> useStart[element + 1]++);
    for (int e = 0; e < n; e++) {
      useStart[e + 1] += useStart[e];
    }
    usePositions = new int[useStart[n]];
    nextUse = Arrays.copyOf(useStart, n);
    forEachUse((position, element) -> usePositions[nextUse[element]++] = position);
    System.arraycopy(useStart, 0, nextUse, 0, n);
    resident = new boolean[n];
    onHost = new boolean[n];
    flagged = new boolean[n];
    pinned = new boolean[n];
    rank = new long[n];
    order = new TreeSet<>(Comparator.<Integer>comparingLong(e -> rank[e]).thenComparingInt(e -> e));
  }

  /** Simulates a queue on elements of N eigenvectors. */
  public static Traffic run(ExecutionQueue queue, int extent, long budgetBytes, Eviction eviction) {
    return new ResidencySimulation(queue, extent, budgetBytes, eviction).run();
  }

  private interface Use {
    void accept(int position, int element);
  }

  private void forEachUse(Use action) {
    int position = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        int here = position++;
        step.forEachInput(element -> action.accept(here, element));
        if (step.destination() != ContractionPlan.NONE) {
          action.accept(here, step.destination());
        }
      }
    }
  }

  private Traffic run() {
    for (int e = 0; e < bytes.length; e++) {
      onHost[e] = queue.elements().get(e) instanceof Input;
    }
    int position = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      if (eviction == Eviction.PRE_PROTECTED_LRU) {
        for (ExecutionQueue.Step step : vector.steps()) {
          step.forEachInput(element -> flagged[element] |= resident[element]);
        }
      }
      for (ExecutionQueue.Step step : vector.steps()) {
        step.forEachInput(element -> pinned[element] = true);
        if (step.destination() != ContractionPlan.NONE) {
          pinned[step.destination()] = true;
        }
        step.forEachInput(element -> bring(element, true));
        if (step.destination() != ContractionPlan.NONE) {
          bring(step.destination(), false);
        }
        int here = position++;
        step.forEachInput(element -> finish(element, here));
        if (step.destination() != ContractionPlan.NONE) {
          onHost[step.destination()] = false;
          finish(step.destination(), here);
        }
      }
    }
    return new Traffic(peak, loaded, written, evictions);
  }

  private void bring(int element, boolean input) {
    if (resident[element]) {
      return;
    }
    while (used + bytes[element] > budget && evict()) {
      // One more element is gone.
    }
    if (input || onHost[element]) {
      loaded += bytes[element];
    }
    resident[element] = true;
    used += bytes[element];
    peak = Math.max(peak, used);
    order.add(element);
  }

  private boolean evict() {
    Integer victim = order.isEmpty() ? null : order.first();
    while (victim != null && (pinned[victim] || flagged[victim])) {
      if (flagged[victim] && !pinned[victim]) {
        flagged[victim] = false;
        rerank(victim, ++clock);
        victim = order.first();
      } else {
        victim = order.higher(victim);
      }
    }
    if (victim == null) {
      return false;
    }
    if (!onHost[victim]) {
      written += bytes[victim];
      onHost[victim] = true;
    }
    evictions++;
    drop(victim);
    return true;
  }

  private void drop(int element) {
    order.remove(element);
    resident[element] = false;
    flagged[element] = false;
    used -= bytes[element];
  }

  private void rerank(int element, long newRank) {
    order.remove(element);
    rank[element] = newRank;
    order.add(element);
  }

  private void finish(int element, int position) {
    pinned[element] = false;
    while (nextUse[element] < useStart[element + 1] && usePositions[nextUse[element]] <= position) {
      nextUse[element]++;
    }
    if (!resident[element]) {
      return;
    }
    if (nextUse[element] == useStart[element + 1]) {
      drop(element);
    } else {
      rerank(
          element,
          eviction == Eviction.FURTHEST_NEXT_USE ? -usePositions[nextUse[element]] : ++clock);
    }
  }
}
