package org.starlingqcd.graph.share;

import java.util.Arrays;
import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Step;
import org.starlingqcd.graph.share.SharedQueue.Transfer;

/**
 * When the places finish their steps by a {@link PlaceModel}: each runs its steps one after the
 * other, and a step waits for the elements that come from elsewhere. Every place has one link into
 * it and one out of it, which work beside the steps.
 */
final class SharingTimes {
  private final ExecutionQueue queue;
  private final int extent;
  private final double[] clock;

  /** By place and element, when it is there. */
  private final double[][] there;

  SharingTimes(
      ExecutionQueue queue,
      List<ExecutionQueue> parts,
      List<List<Transfer>> transfers,
      int extent,
      PlaceModel model) {
    this.queue = queue;
    this.extent = extent;
    clock = new double[parts.size()];
    there = new double[parts.size()][queue.elements().size()];
    double[] in = new double[parts.size()];
    double[] out = new double[parts.size()];
    for (int v = 0; v < queue.vectors().size(); v++) {
      for (Transfer move : transfers.get(v)) {
        double begin =
            Math.max(there[move.from()][move.element()], Math.max(in[move.to()], out[move.from()]));
        double end = begin + model.linkSeconds(bytes(move.element()));
        in[move.to()] = end;
        out[move.from()] = end;
        there[move.to()][move.element()] = end;
      }
      for (int place = 0; place < parts.size(); place++) {
        for (Step step : parts.get(place).vectors().get(v).steps()) {
          run(step, place, model);
        }
      }
    }
  }

  private void run(Step step, int place, PlaceModel model) {
    step.forEachInput(element -> clock[place] = Math.max(clock[place], there[place][element]));
    clock[place] += model.seconds(queue, step, extent);
    if (step.destination() != ContractionPlan.NONE) {
      there[place][step.destination()] = clock[place];
    }
  }

  private long bytes(int element) {
    return ElementSizes.bytes(queue.elements().get(element), extent);
  }

  /** When the last place has finished. */
  double seconds() {
    return Arrays.stream(clock).max().orElse(0);
  }
}
