package org.starlingqcd.hadron.execute;

import java.util.function.LongFunction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.CostModel;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.Replay;

/**
 * The cost of a queue on a device whose memory MemHC manages: the queue is prepared as for a run,
 * and MemHC replays its accesses without data. This is the only source of peaks and traffic: for
 * the choice of an order, for {@code starling plan} and for {@link MemoryForecast}.
 */
public final class QueueCost {
  /*
   * Nothing is evicted if everything alive at once fits into the budget: before MemHC evicts, it launches what it has pinned, so the peak is counted contraction by contraction. Each input is then loaded once and nothing is written back, so no replay is needed.
   *
   * Orders are compared under the policy of the furthest next use. It takes a tenth of the time of a retention plan and ranks the orders of all bundled definitions in nearly the same way. The order, and with it the rounding of results, then does not depend on the policy that the user chooses.
   */

  /** The policy that orders are compared under. */
  public static final String POLICY = "furthest-next-use";

  /** More than any queue needs, and far from overflow. */
  static final long UNBOUNDED = Long.MAX_VALUE / 4;

  private QueueCost() {}

  /** The cost that orders are compared by; a {@link CostModel}. */
  public static CostModel.Cost of(ExecutionQueue queue, int eigenvectors, long budgetBytes) {
    return of(queue, eigenvectors, Precision.DOUBLE, budgetBytes, POLICY);
  }

  /**
   * The cost of a queue; O(accesses).
   *
   * @param eigenvectors N
   * @param precision of all elements
   * @param budgetBytes device memory, {@link Long#MAX_VALUE} for no bound
   * @param policy eviction policy
   */
  public static CostModel.Cost of(
      ExecutionQueue queue,
      int eigenvectors,
      Precision precision,
      long budgetBytes,
      String policy) {
    try {
      PreparedQueue prepared = prepare(queue, eigenvectors, precision, budgetBytes);
      if (prepared.peakBytes() <= budgetBytes) {
        return new CostModel.Cost(prepared.peakBytes(), prepared.inputBytes(), 0, 0);
      }
      MemoryStatistics counted =
          Replay.run(
              prepared.trace(),
              MemHCOptions.ofBudget(budgetBytes).withPolicy(policy).withPrefetch(0));
      return new CostModel.Cost(
          prepared.peakBytes(),
          counted.bytesToDevice(),
          counted.bytesToHost(),
          counted.evictions());
    } catch (MemoryBudgetException e) {
      return CostModel.Cost.IMPOSSIBLE;
    }
  }

  /**
   * A queue as an executor with this budget prepares it, known without a device.
   *
   * @param eigenvectors N
   * @param precision of all elements
   * @param budgetBytes device memory, {@link Long#MAX_VALUE} for no bound
   */
  public static PreparedQueue prepare(
      ExecutionQueue queue, int eigenvectors, Precision precision, long budgetBytes) {
    NodeForms forms = NodeForms.plain(queue);
    long bytes = Math.min(budgetBytes, UNBOUNDED);
    ElementSlots slots = new ElementSlots();
    return new QueuePreparation(
            queue, PlaceMoves.NONE, forms, eigenvectors, precision, bytes, 0, slots)
        .prepared();
  }

  /**
   * What guided tiers do with a queue: they are compared with one tier of the size of the fast one.
   *
   * @param workingBytes what the elements of one contraction may take
   */
  public record InTiers(long workingBytes, Replay.Choice choice) {}

  /** What a run with these options, whose tiers are guided, does with a queue on a CPU. */
  public static InTiers inTiers(
      ExecutionQueue queue, int eigenvectors, Precision precision, MemHCOptions options) {
    return inTiers(options, true, bytes -> prepare(queue, eigenvectors, precision, bytes));
  }

  /**
   * Compares a queue that is cut for both tiers together with one that is cut for the fast one, as
   * with one tier. Cutting baryons changes the last bits of results, so it follows both tiers.
   *
   * @param prepare prepares the queue for so many bytes
   */
  static InTiers inTiers(
      MemHCOptions options, boolean multipliesInPlace, LongFunction<PreparedQueue> prepare) {
    PreparedQueue whole = prepare.apply(options.workingBytes());
    InTiers both =
        new InTiers(
            options.workingBytes(), Replay.cheapest(whole.trace(), options, multipliesInPlace));
    if (whole.peakBytes() <= options.budgetBytes() || !whole.pairs().isEmpty()) {
      return both;
    }
    AccessTrace cut = prepare.apply(options.budgetBytes()).trace();
    Replay.Choice other = Replay.cheapest(cut, options, multipliesInPlace);
    long price = options.flopsPerByte();
    return other.statistics().cost(price) < both.choice().statistics().cost(price)
        ? new InTiers(options.budgetBytes(), other)
        : both;
  }
}
