package org.starlingqcd.memhc.replay;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;

/**
 * Runs the accesses of a trace through MemHC without data. The code is that of a run, on a device
 * that does nothing, so the counters are those of a run with the same policy, budget and order.
 * About a million accesses per second.
 */
public final class Replay {
  private static final long AMPLE = Long.MAX_VALUE / 4;

  private static final List<String> ORDERS =
      List.of(MemHCOptions.DEFAULT_POLICY, "furthest-next-use", "lru", "mru", "first-unused");

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

  /**
   * How a queue runs.
   *
   * @param policy the eviction policy
   * @param aside whether guided tiers stand aside: all is brought in, as with one tier
   * @param statistics what a replay counted; nothing if there was nothing to choose
   */
  public record Choice(String policy, boolean aside, MemoryStatistics statistics) {
    /** Follows the choice. */
    public void applyTo(MemHC memory) {
      memory.follow(policy, aside);
    }
  }

  /**
   * The way in which the queue of a trace costs least ({@link MemoryStatistics#cost}), by replays.
   *
   * <p>The default policy, where values may be computed again, is compared with the orders of the
   * next use, of the last use either way and of coming in: whether computing is cheap depends on
   * what is at hand then, which a plan knows only in part. Guided tiers are compared with one tier.
   *
   * @param multipliesInPlace whether products use slow memory by choice
   */
  public static Choice cheapest(
      AccessTrace trace, MemHCOptions options, boolean multipliesInPlace) {
    boolean plain = options.lines() == 0 && options.organization().ways() == 0;
    boolean orders =
        plain
            && options.policy().equals(MemHCOptions.DEFAULT_POLICY)
            && options.flopsPerByte() > 0
            && options.tiering() != Tiering.STATIC;
    boolean tiers = options.tiering() == Tiering.GUIDED;
    Choice best = new Choice(options.policy(), false, MemoryStatistics.none(options.policy()));
    if (!orders && !tiers) {
      return best;
    }
    MemHCOptions ram =
        options
            .withTrace(null)
            .withTiers(Long.MAX_VALUE, null, 0)
            .withHostMemory(HostMemoryBudget.unbounded());
    List<String> policies = orders ? ORDERS : List.of(best.policy());
    double least = Double.POSITIVE_INFINITY;
    for (boolean aside : tiers ? new boolean[] {false, true} : new boolean[1]) {
      for (String policy : policies) {
        Choice tried = new Choice(policy, aside, best.statistics());
        MemoryStatistics counted = run(trace, ram, (step, bytes) -> {}, tried, multipliesInPlace);
        if (counted.cost(options.flopsPerByte()) < least) {
          least = counted.cost(options.flopsPerByte());
          best = new Choice(policy, aside, counted);
        }
      }
    }
    return best;
  }

  /** Replays a trace and observes its memory. */
  public static MemoryStatistics run(AccessTrace trace, MemHCOptions options, Observer observer) {
    return run(trace, options, observer, null, true);
  }

  private static MemoryStatistics run(
      AccessTrace trace,
      MemHCOptions options,
      Observer observer,
      @Nullable Choice choice,
      boolean multipliesInPlace) {
    try (MemHC memory = MemHC.open(new DryDevice(multipliesInPlace), options)) {
      for (int element = 0; element < trace.elements(); element++) {
        if (trace.input()[element]) {
          memory.addInput(trace.shapes().get(trace.shapeOf()[element]), NoData.INSTANCE);
        } else {
          memory.addIntermediate(trace.shapes().get(trace.shapeOf()[element]));
        }
      }
      memory.recomputeWith((element, inputs, destination) -> {});
      long done = 0;
      for (int k = 0; k < trace.queues().size(); k++) {
        AccessQueue queue = trace.queues().get(k);
        long[] keys = trace.keys().get(k);
        Set<Long> later = new HashSet<>();
        trace.keys().subList(k + 1, trace.keys().size()).stream()
            .flatMapToLong(Arrays::stream)
            .forEach(later::add);
        Choice made = choice == null ? cheapest(trace.only(k), options, multipliesInPlace) : choice;
        made.applyTo(memory);
        memory.schedule(queue, element -> keys[element], element -> later.contains(keys[element]));
        runQueue(memory, queue, done, observer, vector -> {});
        done += queue.steps();
        for (int element : queue.kept()) {
          memory.sync(element);
        }
        memory.releaseAll();
      }
      return memory.statistics();
    }
  }

  /**
   * What two tiers of memory did.
   *
   * @param cache look-ups by outcome, and bytes copied into and out of fast memory
   * @param peakFastBytes most bytes of elements in fast memory at once
   */
  public record Tiers(CacheStatistics cache, long peakFastBytes) {
    /** Bytes that kernels used in slow memory. */
    public long inPlaceBytes() {
      return cache.bytes(Outcome.FULL) + cache.bytes(Outcome.BYPASS);
    }

    /** Bytes that slow memory delivers or takes: used in place, copied out of it or into it. */
    public long slowBytes() {
      return inPlaceBytes() + cache.movedBytes();
    }

    /** The time by a model with rates of both memories. */
    public double seconds(TimeModel model, double flops) {
      double moved = (double) cache.movedBytes();
      double fast = (double) (cache.lookupBytes() - inPlaceBytes()) + moved;
      return model.seconds((double) slowBytes(), fast, moved, flops);
    }
  }

  /**
   * Replays a trace in two tiers of memory, as a program whose data lie in the slow one. What a
   * queue keeps stays where it is for the next. A vector is a batch of tasks in flight. With static
   * placement the program makes its data where they stay, so that nothing is copied.
   *
   * @param fastBytes size of the fast memory; the slow one has room for everything
   * @param tiering how it is used; off: everything is brought in that finds room
   * @param policy name of the eviction policy, without effect on {@link Tiering#STATIC}
   * @param seed seed of random evictions
   */
  public static Tiers inTiers(
      AccessTrace trace, long fastBytes, Tiering tiering, String policy, long seed) {
    MemHCOptions options =
        MemHCOptions.ofBudget(fastBytes)
            .withPolicy(policy)
            .withSeed(seed)
            .withPrefetch(0)
            .withLiveness(false)
            .withLateLocks(true)
            .withTiering(tiering == Tiering.OFF ? Tiering.GUIDED : tiering, AMPLE);
    long[] peak = new long[1];
    try (MemHC memory = MemHC.open(new DryDevice(tiering == Tiering.GUIDED), options)) {
      for (int element = 0; element < trace.elements(); element++) {
        memory.addIntermediate(trace.shapes().get(trace.shapeOf()[element]));
      }
      for (AccessQueue queue : trace.queues()) {
        for (int element = 0; element < trace.elements(); element++) {
          if (trace.input()[element]) {
            memory.fillInSlowMemory(element);
          }
        }
        memory.schedule(queue);
        runQueue(
            memory,
            queue,
            0,
            (step, bytes) -> peak[0] = Math.max(peak[0], bytes),
            vector -> releaseDead(memory, queue, vector));
      }
      CacheStatistics cache = memory.statistics().cache();
      return new Tiers(
          tiering == Tiering.STATIC
              ? new CacheStatistics(cache.lookups(), 0, 0, cache.uncachedBytes())
              : cache,
          peak[0]);
    }
  }

  /** Releases what only the steps of a vector have used: all its tasks have ended. */
  private static void releaseDead(MemHC memory, AccessQueue queue, int vector) {
    int end = queue.firstAccess(queue.vectorStart(vector + 1));
    for (int k = queue.firstAccess(queue.vectorStart(vector)); k < end; k++) {
      if (queue.nextUse(k) == AccessQueue.NEVER) {
        memory.release(queue.element(k));
      }
    }
  }

  private static void runQueue(
      MemHC memory, AccessQueue queue, long done, Observer observer, IntConsumer ended) {
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
        memory.launched();
        ended.accept(vector++);
      }
    }
  }

  /** Peak of the bytes of elements when memory is ample. */
  public static long peakBytes(AccessTrace trace) {
    long[] peak = new long[1];
    run(
        trace,
        MemHCOptions.ofBudget(AMPLE).withPolicy("fifo").withPrefetch(0),
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
