package org.starlingqcd.graph;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.CostModel;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/** A cost model without a memory manager: bytes alive, and those beyond the budget move. */
public final class TestCosts {
  private TestCosts() {}

  /** A {@link CostModel}. */
  public static CostModel.Cost of(ExecutionQueue queue, int eigenvectors, long budgetBytes) {
    int[] last = new int[queue.elements().size()];
    Arrays.fill(last, -1);
    ExecutionQueue.Step[] steps =
        queue.vectors().stream()
            .flatMap(vector -> vector.steps().stream())
            .toArray(ExecutionQueue.Step[]::new);
    for (int k = 0; k < steps.length; k++) {
      int step = k;
      forEach(steps[k], element -> last[element] = step);
    }
    boolean[] alive = new boolean[last.length];
    AtomicLong bytes = new AtomicLong();
    long peak = 0;
    long beyond = 0;
    for (int k = 0; k < steps.length; k++) {
      int step = k;
      forEach(
          steps[k],
          element -> {
            if (!alive[element]) {
              alive[element] = true;
              bytes.addAndGet(ElementSizes.bytes(queue.elements().get(element), eigenvectors));
            }
          });
      peak = Math.max(peak, bytes.get());
      beyond += Math.max(0, bytes.get() - budgetBytes);
      forEach(
          steps[k],
          element -> {
            if (alive[element] && last[element] == step) {
              alive[element] = false;
              bytes.addAndGet(-ElementSizes.bytes(queue.elements().get(element), eigenvectors));
            }
          });
    }
    return new CostModel.Cost(peak, beyond, 0, 0);
  }

  private static void forEach(ExecutionQueue.Step step, IntConsumer action) {
    step.forEachInput(action);
    if (step.destination() != ContractionPlan.NONE) {
      action.accept(step.destination());
    }
  }
}
