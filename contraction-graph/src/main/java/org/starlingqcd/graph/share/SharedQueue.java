package org.starlingqcd.graph.share;

import java.util.Arrays;
import java.util.List;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/**
 * An execution queue that several places compute together. Every place has a queue of its own steps
 * with the elements, vectors and trace numbers of the whole queue, so that the results of the
 * places fit together. All contributions to an element are computed in one place in the order of
 * the whole queue, so that every number has the bits that a single place gives.
 *
 * @param whole the queue as it was given
 * @param parts the steps of each place
 * @param transfers for each vector the elements that move before it, in this order
 * @param loads modelled work of each place, in flops
 * @param movedBytes bytes that move between places
 * @param seconds modelled time of all places together
 * @param secondsAlone modelled time of one place that computes everything
 */
public record SharedQueue(
    ExecutionQueue whole,
    List<ExecutionQueue> parts,
    List<List<Transfer>> transfers,
    List<Double> loads,
    long movedBytes,
    double seconds,
    double secondsAlone) {
  /** An element that one place has and another needs; both have it afterwards. */
  public record Transfer(int element, int from, int to) {}

  /** Copies the lists. */
  public SharedQueue {
    parts = List.copyOf(parts);
    transfers = transfers.stream().map(List::copyOf).toList();
    loads = List.copyOf(loads);
  }

  /** Number of places. */
  public int places() {
    return parts.size();
  }

  /** The largest load of a place in terms of the mean, 1 for perfect balance. */
  public double balance() {
    double[] all = loads.stream().mapToDouble(Double::doubleValue).toArray();
    double sum = Arrays.stream(all).sum();
    return sum == 0 ? 1 : Arrays.stream(all).max().orElse(0) * all.length / sum;
  }

  /** How many times faster the places are than one, by the model. */
  public double speedUp() {
    return seconds == 0 ? 1 : secondsAlone / seconds;
  }
}
