package org.starlingqcd.hadron.execute;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.execute.PreparedQueue.Batch;
import org.starlingqcd.hadron.execute.StageTimes.Stage;
import org.starlingqcd.hadron.input.StoredInputs;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.replay.Replay;

/**
 * Runs execution queues on a device through MemHC: every vector as one batch where memory allows,
 * in several where it does not.
 *
 * <p>One executor serves a whole batch run. Its MemHC, and with it the blocks in {@code free_pool},
 * lives as long as the executor does: elements of MemHC are slots that one queue after another
 * fills, so nothing is allocated from the second configuration on. Results depend neither on the
 * budget nor on the eviction policy. One thread at a time.
 */
public final class QueueExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueExecutor.class);
  private static final double NANOS = 1e-9;

  private final Device device;
  private final MemHC memhc;
  private final MemHCOptions options;
  private final Map<AccessQueue, Replay.Choice> choices = new WeakHashMap<>();
  private final long budgetBytes;
  private final ElementSlots slots;
  private final BatchRunner runner;
  private final HostMemoryBudget hostMemory;
  private final QueueInputs inputs;
  private @Nullable Run present;
  private @Nullable HostMemory rawResults;

  /** A queue that is being run. */
  private record Run(
      PreparedQueue prepared, HostMemory raw, StageTimes times, Waits before, long begin) {}

  /** Seconds since the executor was opened: the caller's wait for data, copies, kernels' waits. */
  private record Waits(double data, double copies, double kernels) {}

  private Waits waits() {
    return new Waits(memhc.waitedSeconds(), memhc.copySeconds(), memhc.kernelsWaitedSeconds());
  }

  private QueueExecutor(Device device, MemHCOptions options) {
    this.device = device;
    this.options = options;
    this.memhc = MemHC.open(device, options);
    this.slots = new ElementSlots(this::add);
    this.budgetBytes = options.budgetBytes();
    this.hostMemory = options.hostMemory();
    this.inputs = new QueueInputs(device, slots, hostMemory, options.tiering() != Tiering.OFF);
    this.runner = new BatchRunner(device, memhc, inputs::step);
  }

  /**
   * Opens an executor on a device, which must outlive it. If a queue does not fit into the budget,
   * the store behind its inputs keeps those that are loaded again, so that no block is read twice.
   * Inputs that come without a store ({@link StoredInputs}) get one for the queue.
   */
  public static QueueExecutor open(Device device, MemHCOptions options) {
    return new QueueExecutor(device, options);
  }

  /**
   * Translates a queue for this executor and the precision of its device; O(accesses).
   *
   * @param eigenvectors N of the data on which it will run
   */
  public PreparedQueue prepare(ExecutionQueue queue, int eigenvectors) {
    return prepare(queue, queue, PlaceMoves.NONE, eigenvectors);
  }

  /**
   * Translates the queue of one of several places.
   *
   * @param whole the queue of all places
   */
  PreparedQueue prepare(
      ExecutionQueue queue, ExecutionQueue whole, PlaceMoves moves, int eigenvectors) {
    NodeForms forms = device.prefersGammasInNodes() ? FormSearch.of(whole) : NodeForms.plain(whole);
    LongFunction<PreparedQueue> dry =
        bytes -> prepare(queue, forms, moves, eigenvectors, bytes, new ElementSlots());
    boolean guided = options.tiering() == Tiering.GUIDED;
    long bytes =
        guided
            ? QueueCost.inTiers(options, device.multipliesInPlace(), dry).workingBytes()
            : options.workingBytes();
    return prepare(queue, forms, moves, eigenvectors, bytes, slots);
  }

  private PreparedQueue prepare(
      ExecutionQueue queue,
      NodeForms forms,
      PlaceMoves moves,
      int eigenvectors,
      long bytes,
      ElementSlots elements) {
    return new QueuePreparation(
            queue,
            moves,
            forms,
            eigenvectors,
            device.precision(),
            Math.min(bytes, QueueCost.UNBOUNDED),
            device.flopsOfLaunch(),
            elements)
        .prepared();
  }

  /**
   * Runs a queue.
   *
   * @throws DistillationException when an input is missing or cannot be used
   * @throws MemoryBudgetException when one contraction does not fit into the budget
   * @throws ContractionException when a result is not finite
   * @throws CancellationException when {@code control} asks to stop
   */
  public QueueResult run(PreparedQueue prepared, InputBlocks blocks, ExecutionControl control) {
    boolean finished = false;
    try {
      begin(prepared, blocks);
      long total = prepared.work().contractions();
      long done = 0;
      for (int vector = 0; vector < prepared.batches().size(); vector++) {
        done += runVector(vector, control);
        control.progress(done, total);
      }
      double[] traces = new double[2 * prepared.queue().traceCount()];
      ExecutionStatistics statistics = finish(traces);
      QueueResult result = QueueResult.evaluate(prepared.queue(), traces, statistics);
      finished = true;
      return result;
    } finally {
      leave(finished);
    }
  }

  /** Begins a queue; {@link #leave} must follow, whatever happens in between. */
  void begin(PreparedQueue prepared, InputBlocks blocks) {
    // Where everything fits, nothing is evicted, and copies would only cost memory.
    boolean caching = prepared.peakBytes() > budgetBytes;
    inputs.begin(prepared, blocks, caching);
    Run run =
        new Run(
            prepared,
            rawResults(prepared.work().traces()),
            new StageTimes(device),
            waits(),
            System.nanoTime());
    present = run;
    runner.begin(prepared, blocks.gammaBasis(), run.raw(), run.times(), !caching);
    if (caching) {
      runner.offerRecomputation(prepared);
      choices
          .computeIfAbsent(
              prepared.access(),
              queue -> Replay.cheapest(prepared.trace(), options, device.multipliesInPlace()))
          .applyTo(memhc);
    }
    memhc.schedule(prepared.access(), inputs::key, inputs::isNeededLater);
  }

  /**
   * Launches the next vector, alone or with later ones.
   *
   * @return the number of contractions
   */
  long runVector(int number, ExecutionControl control) {
    Run run = Objects.requireNonNull(present);
    Batch vector = run.prepared().batches().get(number);
    checkCancelled(control);
    long done = vector.pairs().size();
    done += runner.launch(vector, control);
    return done + (vector.builds() ? 0 : vector.contractions().size());
  }

  /** Brings an element of the queue from the executor of another place that runs a part of it. */
  void receive(int element, QueueExecutor from) {
    List<Integer> own = Objects.requireNonNull(present).prepared().parts(element);
    List<Integer> there = Objects.requireNonNull(from.present).prepared().parts(element);
    for (int k = 0; k < own.size(); k++) {
      runner.receive(own.get(k), from.runner, there.get(k));
    }
  }

  /**
   * Waits for the last kernels.
   *
   * @param traces receives the traces that the queue computes, by their numbers
   */
  ExecutionStatistics finish(double[] traces) {
    Run run = Objects.requireNonNull(present);
    runner.flush();
    long start = System.nanoTime();
    device.synchronize(device.computeStream());
    double wait = NANOS * (System.nanoTime() - start);
    QueueWork work = run.prepared().work();
    double[] values = new double[Math.toIntExact(2 * work.traces())];
    run.raw().get(0, values, 0, values.length);
    run.prepared().rawResults().into(values, traces);
    Waits waits = waits();
    return new ExecutionStatistics(
        work,
        inputs.blocksRead(),
        inputs.bytesRead(),
        waits.data() - run.before().data(),
        run.times().seconds(Stage.NODES),
        run.times().seconds(Stage.PRODUCTS),
        run.times().seconds(Stage.TRACES),
        waits.copies() - run.before().copies(),
        waits.kernels() - run.before().kernels(),
        wait,
        NANOS * (System.nanoTime() - run.begin()));
  }

  /** Ends a queue, finished or not. */
  void leave(boolean finished) {
    leaveClean(finished);
    inputs.leave();
    present = null;
  }

  static void checkCancelled(ExecutionControl control) {
    if (control.isCancelled()) {
      throw new CancellationException("stopped before the contractions were finished");
    }
  }

  /** Releases all elements before the next configuration. */
  private void leaveClean(boolean finished) {
    if (finished) {
      memhc.releaseAll();
      return;
    }
    try {
      memhc.abandon();
    } catch (RuntimeException e) {
      // The caller gets the first failure; this one adds nothing.
      LOG.debug("while stopping: {}", e.getMessage());
    }
  }

  private void freeRawResults() {
    HostMemory memory = rawResults;
    if (memory != null) {
      hostMemory.release(memory.bytes());
      memory.close();
      rawResults = null;
    }
  }

  private HostMemory rawResults(long count) {
    HostMemory memory = rawResults;
    long bytes = Math.max(1, count) * TensorShape.COMPLEX_BYTES;
    if (memory == null || memory.bytes() < bytes) {
      freeRawResults();
      hostMemory.reserve(bytes);
      memory = device.allocateHost(bytes);
      rawResults = memory;
    }
    return memory;
  }

  private int add(TensorShape shape, boolean input) {
    return input ? memhc.addInput(shape, inputs) : memhc.addIntermediate(shape);
  }

  /** The counters of MemHC since the executor was opened. */
  public MemoryStatistics memory() {
    return memhc.statistics();
  }

  /** Checks the invariants of MemHC's tables. */
  public void audit() {
    memhc.audit();
  }

  @Override
  public void close() {
    memhc.close();
    inputs.close();
    freeRawResults();
  }
}
