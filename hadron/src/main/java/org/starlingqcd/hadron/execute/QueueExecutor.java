package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.PreparedQueue.Batch;
import org.starlingqcd.hadron.execute.PreparedQueue.Contraction;
import org.starlingqcd.hadron.execute.PreparedQueue.SpinSum;
import org.starlingqcd.hadron.execute.PreparedQueue.TraceTile;
import org.starlingqcd.hadron.execute.StageTimes.Stage;
import org.starlingqcd.hadron.input.InputCache;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.table.MemoryBudgetException;

/**
 * Runs execution queues on a device through MemHC: every vector as one batch where memory allows,
 * in several where it does not.
 *
 * <p>One executor serves a whole batch run. Its MemHC, and with it the blocks in {@code free_pool},
 * lives as long as the executor does: elements of MemHC are places that one queue after another
 * fills, so nothing is allocated from the second configuration on. Results depend neither on the
 * budget nor on the eviction policy. One thread at a time.
 */
public final class QueueExecutor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueExecutor.class);
  private static final double NANOS = 1e-9;

  private final Device device;
  private final MemHC memhc;
  private final long budgetBytes;
  private final long flopsPerByte;
  private final Map<TensorShape, List<Integer>> inputPlaces = new HashMap<>();
  private final Map<TensorShape, List<Integer>> intermediatePlaces = new HashMap<>();
  private final List<DeviceMemory> lefts = new ArrayList<>();
  private final List<DeviceMemory> rights = new ArrayList<>();
  private final List<TraceBlock> traceBlocks = new ArrayList<>();
  private final Map<BaryonSpin.Sum, SpinSumMapping> spinSumMappings = new HashMap<>();
  private GammaBasis mappingBasis = GammaBasis.DEGRAND_ROSSI;
  private int[] inputs = new int[2];
  private final int[] outputs = new int[2];
  private final List<TensorShape> shapes = new ArrayList<>();
  private final InputCache inputCache;
  private boolean caching;
  private @Nullable PreparedQueue running;
  private final AtomicInteger step = new AtomicInteger();
  private @Nullable Content[] contents = new Content[0];
  private @Nullable InputBlocks source;
  private @Nullable HostMemory rawResults;
  private final AtomicLong blocksRead = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();

  /** The input at a place: a whole one, or some rows of a baryon's open leg. */
  private record Content(Input input, Rows rows) {}

  private QueueExecutor(Device device, MemHCOptions options) {
    this.device = device;
    this.memhc = MemHC.open(device, options);
    this.budgetBytes = options.budgetBytes();
    this.flopsPerByte = options.flopsPerByte();
    this.inputCache = new InputCache(options.hostBytes());
  }

  /**
   * Opens an executor on a device, which must outlive it. Where a queue does not fit into the
   * budget, host copies of its inputs take as much again as MemHC's copies of intermediates may, so
   * that no block is read twice.
   */
  public static QueueExecutor open(Device device, MemHCOptions options) {
    return new QueueExecutor(device, options);
  }

  /**
   * Translates a queue for this executor; O(accesses).
   *
   * @param eigenvectors N of the data on which it will run
   */
  public PreparedQueue prepare(ExecutionQueue queue, int eigenvectors) {
    TensorShape node = TensorShape.mesonNode(eigenvectors);
    TensorShape elemental = TensorShape.elemental(eigenvectors);
    Map<List<Integer>, int[]> taken = new HashMap<>();
    int[] elements = new int[queue.elements().size()];
    Map<Integer, PreparedPairs> pairs = pairs(queue, eigenvectors, taken);
    for (int k = 0; k < elements.length; k++) {
      ExecutionQueue.Element element = queue.elements().get(k);
      if (element instanceof Input.Elemental) {
        elements[k] = place(elemental, true, taken);
      } else if (element instanceof Input.Perambulator) {
        elements[k] = place(node, true, taken);
      } else if (element instanceof Input.BaryonElemental) {
        elements[k] = place(new TensorShape(1, 3, eigenvectors), true, taken);
      } else if (element instanceof ExecutionQueue.PairBlocks) {
        // The blocks of a set are elements of their own.
        elements[k] = -1;
      } else {
        elements[k] = place(node, false, taken);
      }
    }
    return new PreparedQueue(queue, eigenvectors, elements, pairs, budgetBytes, shapes);
  }

  /** The elements of pair blocks, by the set that they are in the queue. */
  private Map<Integer, PreparedPairs> pairs(
      ExecutionQueue queue, int n, Map<List<Integer>, int[]> taken) {
    Map<Integer, PreparedPairs> pairs = new HashMap<>();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.BoundPairs blocks) {
          pairs.put(
              step.destination(),
              PreparedPairs.of(
                  blocks, n, budgetBytes, (shape, input) -> place(shape, input, taken)));
        }
      }
    }
    return pairs;
  }

  /** The next place of a shape that this queue has not taken yet, a new one if there is none. */
  private int place(TensorShape shape, boolean input, Map<List<Integer>, int[]> taken) {
    List<Integer> known =
        (input ? inputPlaces : intermediatePlaces).computeIfAbsent(shape, key -> new ArrayList<>());
    int[] next =
        taken.computeIfAbsent(
            List.of(input ? 1 : 0, shape.spins(), shape.rank(), shape.extent()), key -> new int[1]);
    if (next[0] == known.size()) {
      // MemHC numbers its elements from 0 on, as they are added.
      known.add(input ? memhc.addInput(shape, this::load) : memhc.addIntermediate(shape));
      shapes.add(shape);
    }
    return known.get(next[0]++);
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
    long begin = System.nanoTime();
    fillPlaces(prepared);
    source = blocks;
    blocksRead.set(0);
    bytesRead.set(0);
    double waitedBefore = memhc.waitedSeconds();
    HostMemory raw = rawResults(prepared.traces());
    StageTimes times = new StageTimes(device);
    boolean finished = false;
    try {
      offerRecomputation(prepared);
      memhc.schedule(prepared.access());
      ContractionBatch batch =
          new ContractionBatch(
              prepared.eigenvectors(), prepared.eigenvectors(), prepared.eigenvectors());
      long total = prepared.products() + prepared.traces();
      long done = 0;
      for (Batch vector : prepared.batches()) {
        checkCancelled(control);
        runContractions(vector, batch);
        runPairs(vector, control);
        runSpinSums(vector, prepared.eigenvectors(), blocks.gammaBasis());
        times.end(vector.builds() ? Stage.NODES : Stage.PRODUCTS);
        done += runTraces(vector, prepared.eigenvectors(), raw);
        times.end(Stage.TRACES);
        done += vector.pairs().size();
        done += vector.builds() ? 0 : vector.contractions().size();
        control.progress(done, total);
      }
      long start = System.nanoTime();
      device.synchronize(device.computeStream());
      double wait = NANOS * (System.nanoTime() - start);
      double[] values = new double[Math.toIntExact(2 * prepared.traces())];
      raw.get(0, values, 0, values.length);
      ExecutionStatistics statistics =
          new ExecutionStatistics(
              prepared.builds(),
              prepared.products(),
              prepared.traces(),
              prepared.flops(),
              blocksRead.get(),
              bytesRead.get(),
              memhc.waitedSeconds() - waitedBefore,
              times.seconds(Stage.NODES),
              times.seconds(Stage.PRODUCTS),
              times.seconds(Stage.TRACES),
              wait,
              NANOS * (System.nanoTime() - begin));
      QueueResult result =
          QueueResult.evaluate(prepared.queue(), prepared.traceValues(values), statistics);
      finished = true;
      return result;
    } finally {
      leaveClean(finished);
      source = null;
      running = null;
      inputCache.clear();
    }
  }

  /** Tells MemHC how nodes and products can be made again, for what it has to evict. */
  private void offerRecomputation(PreparedQueue prepared) {
    if (!caching || flopsPerByte == 0) {
      return;
    }
    int n = prepared.eigenvectors();
    ContractionBatch alone = new ContractionBatch(n, n, n);
    for (Contraction contraction : prepared.repeatable()) {
      double flops = 8.0 * n * n * n * contraction.mapping().size();
      memhc.recomputable(
          contraction.destination(),
          new Recomputation(
              List.of(contraction.left(), contraction.right()),
              (long) Math.ceil(flops / flopsPerByte),
              (element, operands, destination) -> {
                alone.clear();
                add(contraction, operands.get(0), operands.get(1), destination, alone);
                device.contract(alone, device.computeStream());
              }));
    }
  }

  private static void add(
      Contraction contraction,
      DeviceMemory left,
      DeviceMemory right,
      DeviceMemory destination,
      ContractionBatch batch) {
    batch.add(
        left,
        right,
        destination,
        contraction.mapping(),
        contraction.coefficient().re(),
        contraction.coefficient().im(),
        contraction.adds());
  }

  /** Lets go of all elements, so that the next configuration starts afresh. */
  private void leaveClean(boolean finished) {
    if (finished) {
      memhc.releaseAll();
      return;
    }
    try {
      memhc.abandon();
    } catch (RuntimeException e) {
      // What failed first is already on its way to the caller.
      LOG.debug("while stopping: {}", e.getMessage());
    }
  }

  private void runContractions(Batch vector, ContractionBatch batch) {
    for (Contraction contraction : vector.contractions()) {
      inputs[0] = contraction.left();
      inputs[1] = contraction.right();
      outputs[0] = contraction.destination();
      if (!pin(inputs, 2, outputs, 1)) {
        launch(batch);
        pinAlone(inputs, 2, outputs, 1);
      }
      add(
          contraction,
          memhc.memory(contraction.left()),
          memhc.memory(contraction.right()),
          memhc.memory(contraction.destination()),
          batch);
    }
    launch(batch);
  }

  private void runPairs(Batch vector, ExecutionControl control) {
    for (PairParts pairs : vector.pairs()) {
      pairs.forEach(
          (branch, read, written, work) -> {
            checkCancelled(control);
            pinAlone(read, read.length, written, written.length);
            device.contractPairs(
                pairs.contraction(branch, memhc.memory(pairs.workspace())),
                work.stage(memhc::memory),
                device.computeStream());
            memhc.launched();
          });
    }
  }

  private static void checkCancelled(ExecutionControl control) {
    if (control.isCancelled()) {
      throw new CancellationException("stopped before the contractions were finished");
    }
  }

  /**
   * The mapping of a spin sum, made once for all configurations that have their spins in one basis.
   */
  private SpinSumMapping spinSumMapping(BaryonSpin.Sum sum, GammaBasis basis) {
    if (basis != mappingBasis) {
      spinSumMappings.clear();
      mappingBasis = basis;
    }
    return spinSumMappings.computeIfAbsent(sum, key -> key.mapping(basis));
  }

  private void runSpinSums(Batch vector, int n, GammaBasis basis) {
    for (SpinSum sum : vector.spinSums()) {
      inputs[0] = sum.block();
      outputs[0] = sum.destination();
      pinAlone(inputs, 1, outputs, 1);
      device.sumSpins(
          memhc.memory(sum.block()),
          memhc.memory(sum.destination()),
          spinSumMapping(sum.sum(), basis),
          n,
          device.computeStream());
      memhc.launched();
    }
  }

  /** Pins the elements of the next step; copies of inputs used for the last time are dropped. */
  private boolean pin(int[] read, int nIn, int[] written, int nOut) {
    if (!memhc.pin(read, nIn, written, nOut)) {
      return false;
    }
    PreparedQueue queue = running;
    if (caching && queue != null) {
      for (int k = 0; k < nIn; k++) {
        if (queue.lastUse(read[k]) <= step.get()) {
          inputCache.drop(read[k]);
        }
      }
    }
    step.incrementAndGet();
    return true;
  }

  /** Pins when nothing else is pinned; MemHC throws if even that does not fit. */
  private void pinAlone(int[] read, int nIn, int[] written, int nOut) {
    if (!pin(read, nIn, written, nOut)) {
      throw new IllegalStateException(
          "not pinned though nothing else is: " + Arrays.toString(Arrays.copyOf(read, nIn)));
    }
  }

  private void launch(ContractionBatch batch) {
    if (batch.size() > 0) {
      device.contract(batch, device.computeStream());
      memhc.launched();
      batch.clear();
    }
  }

  private int runTraces(Batch vector, int eigenvectors, HostMemory raw) {
    int results = 0;
    for (TraceTile tile : vector.traces()) {
      int count = tile.inputs(inputs);
      if (!pin(inputs, count, outputs, 0)) {
        launchTraces(raw);
        pinAlone(inputs, count, outputs, 0);
      }
      lefts.clear();
      rights.clear();
      for (int left : tile.lefts()) {
        lefts.add(memhc.memory(left));
      }
      for (int right : tile.rights()) {
        rights.add(memhc.memory(right));
      }
      traceBlocks.add(new TraceBlock(lefts, rights, tile.mapping(), eigenvectors, tile.rawIndex()));
      results += tile.results();
    }
    launchTraces(raw);
    return results;
  }

  private void launchTraces(HostMemory raw) {
    if (!traceBlocks.isEmpty()) {
      device.trace(traceBlocks, raw, device.computeStream());
      memhc.launched();
      traceBlocks.clear();
    }
  }

  private void fillPlaces(PreparedQueue prepared) {
    inputs = new int[prepared.mostInputs()];
    contents = new Content[shapes.size()];
    running = prepared;
    step.set(0);
    // Where everything fits, nothing is evicted, and copies would only cost memory.
    caching = prepared.peakBytes() > budgetBytes;
    List<ExecutionQueue.Element> elements = prepared.queue().elements();
    for (int k = 0; k < elements.size(); k++) {
      if (elements.get(k) instanceof Input input) {
        contents[prepared.element(k)] = new Content(input, Rows.ALL);
      }
    }
    for (PreparedPairs places : prepared.pairPlaces()) {
      Input attached = (Input) elements.get(places.step().attached());
      int rows = places.slicing().rows();
      for (int k = 0; k < places.slices().size(); k++) {
        int count = Math.min(rows, prepared.eigenvectors() - k * rows);
        contents[places.slices().get(k)] = new Content(attached, new Rows(k * rows, count));
      }
    }
  }

  private HostMemory rawResults(long count) {
    HostMemory memory = rawResults;
    long bytes = Math.max(1, count) * TensorShape.COMPLEX_BYTES;
    if (memory == null || memory.bytes() < bytes) {
      if (memory != null) {
        memory.close();
      }
      memory = device.allocateHost(bytes);
      rawResults = memory;
    }
    return memory;
  }

  /** Loads an input on MemHC's thread for files. */
  private void load(int place, HostMemory target, long offset) {
    InputBlocks blocks = source;
    PreparedQueue queue = running;
    Content content = contents[place];
    if (blocks == null || queue == null || content == null) {
      throw new IllegalStateException("no queue runs that could load place " + place);
    }
    if (caching && inputCache.fetch(place, target, offset)) {
      return;
    }
    blocks.load(content.input(), content.rows(), target, offset);
    blocksRead.incrementAndGet();
    long bytes = shapes.get(place).bytes();
    bytesRead.addAndGet(bytes);
    if (caching && queue.lastUse(place) > step.get()) {
      inputCache.keep(place, target, offset, bytes);
    }
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
    inputCache.close();
    HostMemory memory = rawResults;
    if (memory != null) {
      memory.close();
      rawResults = null;
    }
  }
}
