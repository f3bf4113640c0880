package org.starlingqcd.simulator;

import java.util.OptionalLong;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.memhc.retention.IntervalRelaxation;

/**
 * Lower bounds on the traffic of any policy for a given order of contractions and budget, in bytes.
 *
 * @param compulsoryBytes every input up once, every kept result down once
 * @param beladyLoads fewest loads of inputs and reloads of intermediates together, exact; only
 *     where all elements have one size
 * @param pfooBytes lower bound on traffic in both directions: the greedy interval relaxation PFOO
 *     (Berger, Beckmann &amp; Harchol-Balter 2018, doi:10.1145/3224427), an intermediate's single
 *     write-back in its price
 * @param trafficBytes the best lower bound on traffic known, at least {@code pfooBytes}: the same
 *     relaxation with a price of memory for every step instead of one for all
 */
public record TrafficBounds(
    long compulsoryBytes, OptionalLong beladyLoads, long pfooBytes, long trafficBytes) {

  /** Computes the bounds; O(accesses) for each round of {@link IntervalRelaxation}. */
  public static TrafficBounds of(AccessTrace trace, long budgetBytes) {
    long compulsory = 0;
    double pfoo = 0;
    double best = 0;
    for (AccessQueue queue : trace.queues()) {
      IntervalRelaxation relaxation =
          new IntervalRelaxation(
              trace::bytes, element -> trace.input()[element], queue, budgetBytes);
      compulsory += relaxation.compulsoryBytes();
      pfoo += relaxation.uniformBound();
      best += relaxation.bound();
    }
    OptionalLong belady =
        trace.shapes().size() == 1
            ? OptionalLong.of(belady(trace, budgetBytes))
            : OptionalLong.empty();
    return new TrafficBounds(
        compulsory, belady, compulsory + (long) pfoo, compulsory + (long) Math.max(pfoo, best));
  }

  /** Loads under Belady's rule, with a batch for every step; each load moves one element. */
  private static long belady(AccessTrace trace, long budgetBytes) {
    return Replay.run(
                AccessOrders.reorder(trace, AccessOrders.GIVEN),
                MemHCOptions.ofBudget(budgetBytes).withPolicy("furthest-next-use").withPrefetch(0))
            .bytesToDevice()
        / trace.shapes().get(0).bytes();
  }
}
