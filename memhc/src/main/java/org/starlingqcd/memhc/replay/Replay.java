package org.starlingqcd.memhc.replay;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * Runs the accesses of a trace through MemHC without data. The code is that of a run, on a device
 * that does nothing, so the counters are those of a run with the same policy, budget and order.
 * About a million accesses per second.
 */
public final class Replay {
  private Replay() {}

  /** Observes the memory of a replay. */
  @FunctionalInterface
  public interface Observer {
    /** Step {@code step}, counted over all queues, is pinned; elements take so many bytes. */
    void after(long step, long residentBytes);
  }

  /**
   * Replays a trace.
   *
   * @throws MemoryBudgetException when a step cannot fit into the budget
   */
  public static MemoryStatistics run(AccessTrace trace, MemHCOptions options) {
    return run(trace, options, (step, residentBytes) -> {});
  }

  /** Replays a trace and observes its memory. */
  public static MemoryStatistics run(AccessTrace trace, MemHCOptions options, Observer observer) {
    try (MemHC memory = MemHC.open(new DryDevice(), options)) {
      for (int element = 0; element < trace.elements(); element++) {
        if (trace.input()[element]) {
          memory.addInput(trace.shapes().get(trace.shapeOf()[element]), NoData.INSTANCE);
        } else {
          memory.addIntermediate(trace.shapes().get(trace.shapeOf()[element]));
        }
      }
      long done = 0;
      for (int k = 0; k < trace.queues().size(); k++) {
        AccessQueue queue = trace.queues().get(k);
        long[] keys = trace.keys().get(k);
        Set<Long> later = new HashSet<>();
        trace.keys().subList(k + 1, trace.keys().size()).stream()
            .flatMapToLong(Arrays::stream)
            .forEach(later::add);
        memory.schedule(queue, element -> keys[element], element -> later.contains(keys[element]));
        runQueue(memory, queue, done, observer);
        done += queue.steps();
        for (int element : queue.kept()) {
          memory.sync(element);
        }
        memory.releaseAll();
      }
      return memory.statistics();
    }
  }

  private static void runQueue(MemHC memory, AccessQueue queue, long done, Observer observer) {
    int[] inputs = new int[4];
    int[] outputs = new int[4];
    int vector = 0;
    for (int step = 0; step < queue.steps(); step++) {
      int nIn = queue.firstOutput(step) - queue.firstAccess(step);
      int nOut = queue.firstAccess(step + 1) - queue.firstOutput(step);
      inputs = nIn > inputs.length ? Arrays.copyOf(inputs, 2 * nIn) : inputs;
      outputs = nOut > outputs.length ? Arrays.copyOf(outputs, 2 * nOut) : outputs;
      for (int k = 0; k < nIn; k++) {
        inputs[k] = queue.element(queue.firstAccess(step) + k);
      }
      for (int k = 0; k < nOut; k++) {
        outputs[k] = queue.element(queue.firstOutput(step) + k);
      }
      if (!memory.pin(inputs, nIn, outputs, nOut)) {
        memory.launched();
        memory.pin(inputs, nIn, outputs, nOut);
      }
      observer.after(done + step, memory.residentBytes());
      while (vector < queue.vectors() && queue.vectorStart(vector + 1) <= step + 1) {
        vector++;
        memory.launched();
      }
    }
  }

  /** Peak of the bytes of elements when memory is ample. */
  public static long peakBytes(AccessTrace trace) {
    long[] peak = new long[1];
    run(
        trace,
        MemHCOptions.ofBudget(Long.MAX_VALUE / 4).withPolicy("fifo").withPrefetch(0),
        (step, residentBytes) -> peak[0] = Math.max(peak[0], residentBytes));
    return peak[0];
  }

  /** The smallest budget with which the trace runs, in bytes; O(accesses). */
  public static long smallestBudget(AccessTrace trace) {
    long most = 1;
    int[] seen = new int[trace.elements()];
    int stamp = 0;
    for (AccessQueue queue : trace.queues()) {
      for (int step = 0; step < queue.steps(); step++) {
        stamp++;
        long sum = 0;
        for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
          int element = queue.element(k);
          sum += seen[element] == stamp ? 0 : trace.bytes(element);
          seen[element] = stamp;
        }
        most = Math.max(most, sum);
      }
    }
    return most;
  }
}
