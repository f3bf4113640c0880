package org.starlingqcd.graph.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.PairBlocks;
import org.starlingqcd.graph.schedule.ExecutionQueue.Step;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;
import org.starlingqcd.graph.schedule.ExecutionQueue.Vector;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.share.SharedQueue.Transfer;

/**
 * Divides an execution queue among places.
 *
 * <p>A step goes to the place that has most bytes of its inputs, of the places whose load leaves
 * room for it within a bound. This is the idea of MICCO (IPDPS 2022,
 * https://doi.org/10.1109/IPDPS53621.2022.00022), which weighs reuse against balance. Data have to
 * be somewhere first: nodes are built, and inputs read, where the results belong that they serve
 * ({@link Homes}). Blocks of traces are cut into rows before. An element moves as soon as it is
 * made, from the place that made it. Everything is decided before the run by counts alone, so equal
 * queues are divided equally. O(accesses × places).
 */
public final class QueueSharing {
  /** Share of a place's part of all work by which its load may exceed that part. */
  private static final double BOUND = 0.25;

  /** The same for its lead over the least loaded place, where steps have no homes. */
  private static final double LEAD = 0.02;

  private static final int NOWHERE = -1;

  private final ExecutionQueue queue;
  private final int places;
  private final int extent;
  private final PlaceModel model;
  private final Homes homes;
  private final boolean[][] has;

  /** By element, the place that had it first, and the vector in which it was made or read there. */
  private final int[] origin;

  private final int[] since;
  private final double[] load;
  private final List<List<Vector>> vectors = new ArrayList<>();
  private final List<List<Transfer>> transfers = new ArrayList<>();
  private final double alone;
  private long movedBytes;

  private QueueSharing(ExecutionQueue queue, int places, int extent, PlaceModel model) {
    this.queue = queue;
    this.places = places;
    this.extent = extent;
    this.model = model;
    has = new boolean[places][queue.elements().size()];
    origin = new int[queue.elements().size()];
    Arrays.fill(origin, NOWHERE);
    since = new int[queue.elements().size()];
    load = new double[places];
    homes = Homes.of(queue, places, step -> model.seconds(queue, step, extent));
    for (int place = 0; place < places; place++) {
      vectors.add(new ArrayList<>());
    }
    double sum = 0;
    for (Vector vector : queue.vectors()) {
      transfers.add(new ArrayList<>());
      for (Step step : vector.steps()) {
        sum += model.seconds(queue, step, extent);
      }
    }
    alone = sum;
  }

  /**
   * Divides a queue.
   *
   * @param places number of places, at least 1
   * @param extent number of eigenvectors N
   * @param model how long steps and transfers take
   */
  public static SharedQueue share(ExecutionQueue queue, int places, int extent, PlaceModel model) {
    if (places < 1) {
      throw new IllegalArgumentException("must be >= 1: places=" + places);
    }
    return new QueueSharing(queue, places, extent, model).share();
  }

  private SharedQueue share() {
    for (int v = 0; v < queue.vectors().size(); v++) {
      share(v);
    }
    List<ExecutionQueue> parts = new ArrayList<>();
    for (List<Vector> own : vectors) {
      parts.add(new ExecutionQueue(queue.elements(), own, queue.traceCount(), queue.results()));
    }
    return new SharedQueue(
        queue,
        parts,
        transfers,
        Arrays.stream(load).boxed().toList(),
        movedBytes,
        new SharingTimes(queue, parts, transfers, extent, model).seconds(),
        alone);
  }

  private void share(int vector) {
    List<List<Step>> own = new ArrayList<>();
    for (int place = 0; place < places; place++) {
      own.add(new ArrayList<>());
    }
    for (Step step : queue.vectors().get(vector).steps()) {
      for (Step part : parts(step)) {
        int place = place(part);
        own.get(place).add(part);
        load[place] += model.seconds(queue, part, extent);
        part.forEachInput(element -> bring(element, place, vector));
        if (part.destination() != ContractionPlan.NONE) {
          // At once: another step of the vector may add to it.
          origin[part.destination()] = place;
          since[part.destination()] = vector;
        }
      }
    }
    for (int place = 0; place < places; place++) {
      for (Step step : own.get(place)) {
        if (step.destination() != ContractionPlan.NONE) {
          has[place][step.destination()] = true;
        }
      }
      vectors.get(place).add(new Vector(own.get(place)));
    }
  }

  /** A block of traces row by row; other steps are not divided. */
  private List<Step> parts(Step step) {
    if (places == 1 || !(step instanceof Traces block) || block.lefts().size() == 1) {
      return List.of(step);
    }
    List<Step> rows = new ArrayList<>();
    int rights = Math.max(1, block.rights().size());
    for (int row = 0; row < block.lefts().size(); row++) {
      rows.add(
          new Traces(
              block.leftGamma(),
              block.lefts().subList(row, row + 1),
              block.innerGamma(),
              block.rights(),
              block.firstTrace() + row * rights));
    }
    return rows;
  }

  /** The place of a step. What is added to and sets of blocks stay where they are. */
  private int place(Step step) {
    if (step.destination() != ContractionPlan.NONE && origin[step.destination()] != NOWHERE) {
      return origin[step.destination()];
    }
    if (step instanceof ExecutionQueue.SpinSum sum) {
      return origin[sum.block()];
    }
    if (step instanceof ExecutionQueue.OpenVertex opened) {
      return origin[opened.block()];
    }
    int home = homes.of(step);
    if (home != NOWHERE && (step instanceof ExecutionQueue.BoundPairs || readsInputsAlone(step))) {
      return home;
    }
    double part = alone / places;
    double least = Arrays.stream(load).min().orElse(0);
    // Without homes all places are kept equally far; with them, each does its part in its time.
    double most = home == NOWHERE ? least + LEAD * part : Math.max(least, (1 + BOUND) * part);
    int best = NOWHERE;
    long bytes = -1;
    for (int place = 0; place < places; place++) {
      if (load[place] <= most) {
        long present = present(step, place);
        boolean better =
            best == NOWHERE || place == home || (best != home && load[place] < load[best]);
        if (present > bytes || (present == bytes && better)) {
          best = place;
          bytes = present;
        }
      }
    }
    return best;
  }

  private boolean readsInputsAlone(Step step) {
    boolean[] alone = {true};
    step.forEachInput(element -> alone[0] &= queue.elements().get(element) instanceof Input);
    return alone[0];
  }

  private long present(Step step, int place) {
    long[] sum = new long[1];
    step.forEachInput(element -> sum[0] += has[place][element] ? bytes(element) : 0);
    return sum[0];
  }

  /** Makes an element present in a place; an input that no place has is read there. */
  private void bring(int element, int place, int vector) {
    if (has[place][element]) {
      return;
    }
    has[place][element] = true;
    if (origin[element] != NOWHERE) {
      int at = Math.min(vector, since[element] + 1);
      transfers.get(at).add(new Transfer(element, origin[element], place));
      movedBytes += bytes(element);
    } else if (queue.elements().get(element) instanceof Input) {
      origin[element] = place;
      since[element] = vector;
    } else {
      throw new IllegalStateException(
          "used before it is made: element=" + element + " " + queue.elements().get(element));
    }
  }

  private long bytes(int element) {
    if (queue.elements().get(element) instanceof PairBlocks) {
      throw new IllegalStateException("sets of blocks do not move: element=" + element);
    }
    return ElementSizes.bytes(queue.elements().get(element), extent);
  }
}
