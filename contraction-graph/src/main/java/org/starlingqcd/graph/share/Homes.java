package org.starlingqcd.graph.share;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Step;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;
import org.starlingqcd.graph.schedule.ExecutionQueue.Vector;

/**
 * The place to which a step belongs by the times of the results that it serves. Times are divided
 * into as many stretches of equal work as there are places; the work of a time is spread evenly
 * over it. Queues with fewer times than places have no homes.
 */
final class Homes {
  private static final int NOWHERE = -1;

  private final int places;
  private final int times;

  /** By element, the sum of the times that it serves and their number. */
  private final double[] sum;

  private final double[] count;
  private final double[] traceSum;
  private final double[] traceCount;

  /** Work of all times before each time, and at the end all work. */
  private final double[] before;

  private Homes(ExecutionQueue queue, int places, int times) {
    this.places = places;
    this.times = times;
    sum = new double[queue.elements().size()];
    count = new double[queue.elements().size()];
    traceSum = new double[queue.traceCount()];
    traceCount = new double[queue.traceCount()];
    before = new double[times + 1];
  }

  /**
   * The homes of a queue.
   *
   * @param work work of a step
   */
  static Homes of(ExecutionQueue queue, int places, ToDoubleFunction<Step> work) {
    int times = 1 + queue.results().stream().mapToInt(ExecutionQueue.Result::index).max().orElse(0);
    Homes homes = new Homes(queue, places, times);
    for (ExecutionQueue.Result result : queue.results()) {
      for (ContractionPlan.Monomial monomial : result.monomials()) {
        for (ContractionPlan.Factor factor : monomial.factors()) {
          homes.traceSum[factor.trace()] += result.index();
          homes.traceCount[factor.trace()]++;
        }
      }
    }
    List<Vector> vectors = queue.vectors();
    double[] works = new double[times];
    for (int v = vectors.size() - 1; v >= 0; v--) {
      List<Step> steps = vectors.get(v).steps();
      for (int s = steps.size() - 1; s >= 0; s--) {
        homes.pass(steps.get(s));
        works[(int) (homes.time(steps.get(s)) + 0.5)] += work.applyAsDouble(steps.get(s));
      }
    }
    for (int t = 0; t < times; t++) {
      homes.before[t + 1] = homes.before[t] + works[t];
    }
    return homes;
  }

  /** Passes the times that a step serves on to what it reads. */
  private void pass(Step step) {
    double[] served = served(step);
    step.forEachInput(
        element -> {
          sum[element] += served[0];
          count[element] += served[1];
        });
  }

  private double[] served(Step step) {
    if (step instanceof Traces block) {
      int first = block.firstTrace();
      int end = first + block.lefts().size() * Math.max(1, block.rights().size());
      return new double[] {
        Arrays.stream(traceSum, first, end).sum(), Arrays.stream(traceCount, first, end).sum()
      };
    }
    return new double[] {sum[step.destination()], count[step.destination()]};
  }

  /** The mean of the times that a step serves. */
  private double time(Step step) {
    double[] served = served(step);
    return served[1] == 0 ? 0 : served[0] / served[1];
  }

  /** The place of a step, or -1. */
  int of(Step step) {
    double all = before[times];
    if (times < places || all == 0) {
      return NOWHERE;
    }
    double time = time(step) + 0.5;
    int whole = Math.min(times - 1, (int) time);
    double work = before[whole] + (time - whole) * (before[whole + 1] - before[whole]);
    return Math.min(places - 1, (int) (places * work / all));
  }
}
