package org.starlingqcd.memhc;

import java.nio.file.Path;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Tiering;

/**
 * The memory manager of hadron contractions: keeps elements on a device within a budget and moves
 * as little as possible (Wang, Peng, Ren, Chen &amp; Edwards, ACM TACO 19, 24 (2022),
 * doi:10.1145/3506705).
 *
 * <p>A run looks like this. Elements are added and the whole queue of accesses is scheduled. Then
 * for every contraction {@link #pin} makes all its elements resident; {@link #memory} returns their
 * device memory for the batch that is being assembled. When a vector is complete, or when {@code
 * pin} reports that memory is short, the caller puts its kernels into the compute stream of the
 * device and calls {@link #launched}, which unpins the elements. With a schedule, elements are
 * released right after their last use.
 *
 * <p>A look-up is one array access and costs O(1) with every policy but those ordered by next use,
 * which take O(log n) for n resident elements. Nothing is allocated on a hit. One thread at a time.
 */
public final class MemHC extends Part implements AutoCloseable {
  // Elements become evictable with the call of launched(), not when the device reaches the event
  // that it records. Copies from or into the block of a victim that kernels still use follow that
  // event in their stream. So evictions never depend on timing, and the calling thread waits only
  // where a block is returned to the device.

  private final WorkingSet workingSet;
  private final ElementCache cache;
  private final Placement placement;
  private final Prefetcher prefetcher;
  private final HostedElements hosted;
  private final @Nullable TraceRecorder trace;
  private boolean closed;

  private MemHC(Tables tables) {
    super(tables);
    workingSet = new WorkingSet(tables);
    cache = new ElementCache(tables);
    placement = new Placement(tables, cache);
    prefetcher = new Prefetcher(tables, cache);
    hosted = new HostedElements(this, tables, cache);
    Path file = options.trace;
    trace = file == null ? null : new TraceRecorder(file, table);
  }

  /**
   * Opens MemHC on a device, which must outlive it.
   *
   * @throws IllegalArgumentException when there is no such policy, or tiers are asked for that the
   *     device does not have or that do not go with the other options
   */
  public static MemHC open(Device device, MemHCOptions options) {
    if (options.tiering() != Tiering.OFF && !device.readsInPlace()) {
      throw new IllegalArgumentException("the device has no slow memory: " + device.info().name());
    }
    return new MemHC(new Tables(device, options));
  }

  /** Adds an element that {@code source} can load at any time; returns its number. */
  public int addInput(TensorShape shape, InputSource source) {
    return table.add(shape, source);
  }

  /**
   * Adds an element that kernels compute, a GPU-only object without host data until it is evicted
   * or read. Returns its number.
   */
  public int addIntermediate(TensorShape shape) {
    return table.add(shape, null);
  }

  /**
   * Gives an intermediate without a value one in slow memory, as if a kernel had put it there: for
   * replays.
   *
   * @throws IllegalStateException when slow memory has no room for it
   */
  public void fillInSlowMemory(int element) {
    table.check(element);
    if (table.hasValue(element)) {
      return;
    }
    if (slow == null || slow.take(element) == null) {
      throw new IllegalStateException("no room in slow memory: " + table.describe(element));
    }
    table.set(element, ElementTable.DEFINED);
  }

  /** Elements that live in the host's own memory. */
  public HostedElements hosted() {
    return hosted;
  }

  void requireNotPinned(int element) {
    requireOpen();
    table.check(element);
    if (table.has(element, ElementTable.PINNED)) {
      throw new IllegalStateException("is pinned: " + table.describe(element));
    }
  }

  /**
   * Lets what steps of a scheduled queue make be computed again where that is cheaper than a copy
   * on the host, at the price of {@link MemHCOptions#withRecomputation}. Holds for the queues that
   * are scheduled from now on.
   */
  public void recomputeWith(Recomputation kernel) {
    requireNothingPinned("recomputeWith");
    tables.recomputation = kernel;
  }

  /**
   * Evicts by another policy than that of the options from now on, for example what {@code
   * Replay.cheapest} has found.
   *
   * @param aside whether slow memory takes only what leaves fast memory, as if there were one tier
   */
  public void follow(String policy, boolean aside) {
    requireNothingPinned("follow");
    tables.aside = aside;
    if (!policy.equals(tables.policy.name())) {
      cache.follow(policy);
    }
  }

  /** Keeps an element on the device from its first use until {@link #close}. */
  public void hold(int element) {
    table.check(element);
    requireNothingPinned("hold");
    if (!table.has(element, ElementTable.HELD)) {
      table.set(element, ElementTable.HELD);
      table.heldBytes += table.bytes[element];
    }
  }

  /**
   * Takes a block of device memory that stays until {@link #close} and counts against the budget.
   *
   * @throws MemoryBudgetException when there is no room for it
   */
  public DeviceMemory reserve(long bytes) {
    requireOpen();
    DeviceMemory memory = store.reserve(bytes);
    while (memory == null && cache.makeRoom()) {
      memory = store.reserve(bytes);
    }
    if (memory == null) {
      throw new MemoryBudgetException(
          table.count,
          bytes,
          options.budgetBytes(),
          store.heldBytes() + bytes,
          "it is a reserved block, and nothing else can leave the device");
    }
    return memory;
  }

  /**
   * Announces the order of all accesses to come. From now on every {@link #pin} must be the next
   * step of the queue, and an element is released once its last use in the queue has been launched,
   * unless the queue keeps it. A queue that has run to its end may be scheduled again, for example
   * for the next configuration; its plan is then reused.
   *
   * @throws MemoryBudgetException when a step can never fit
   */
  public void schedule(AccessQueue queue) {
    schedule(queue, input -> 0, input -> false);
  }

  /**
   * As {@link #schedule(AccessQueue)}; a trace of the run records what the inputs are.
   *
   * <p>An input that a later queue needs too stays in its block in {@code free_pool} when it is
   * released. It is not copied again if an element of that queue has the same key. Such inputs are
   * the first to leave: their blocks are overwritten before anything is evicted.
   *
   * @param keyOf a number for the data of an input of this queue, see {@link AccessTrace}; 0: not
   *     known
   * @param keptFor whether a later queue needs the data of an input
   */
  public void schedule(AccessQueue queue, IntToLongFunction keyOf, IntPredicate keptFor) {
    requireNothingPinned("schedule");
    if (queue.elements() > table.count) {
      throw new IllegalArgumentException(
          "the queue names elements that were not added: elements="
              + queue.elements()
              + " added="
              + table.count);
    }
    if (slow == null) {
      workingSet.requireBudget(queue);
    }
    schedule.start(queue, tables.capacityBytes(), tables.recomputation != null);
    for (int element = 0; element < table.count; element++) {
      boolean input = element < queue.elements() && table.has(element, ElementTable.INPUT);
      long key = input ? keyOf.applyAsLong(element) : 0;
      table.inputKey[element] = key;
      table.keepsInput[element] = key != 0 && keptFor.test(element);
    }
    if (trace != null) {
      trace.scheduled(queue, keyOf);
    }
  }

  /** Announces the elements of the next vector pair; not needed with a schedule. */
  public void beginVector(int[] elements, int count) {
    tables.policy.beginVector(elements, count);
  }

  /**
   * Makes all elements of one contraction resident and pins them until {@link #launched}; each is
   * one look-up. An output that has a value keeps it, so that a contraction can add to it. An input
   * may be an output that was pinned since the last {@code launched}; the caller then launches the
   * contractions in this order.
   *
   * @return false when they do not fit beside those pinned already: launch those, then ask again
   * @throws MemoryBudgetException when they do not fit though nothing else is pinned
   */
  public boolean pin(int[] inputs, int nIn, int[] outputs, int nOut) {
    requireOpen();
    table.checkStep(inputs, nIn, outputs, nOut);
    transfers.advance();
    schedule.check(inputs, nIn, outputs, nOut);
    schedule.announceVector();
    if (!placement.pin(inputs, nIn, outputs, nOut)) {
      if (pins.count() == 0) {
        throw workingSet.tooSmall(inputs, nIn, outputs, nOut);
      }
      return false;
    }
    schedule.advance();
    if (trace != null) {
      trace.pinned(inputs, nIn, outputs, nOut);
    }
    return true;
  }

  /**
   * The device memory of a pinned element; valid until {@link #launched}. Kernels that are put into
   * the compute stream after the call find the element's data there. Call it when all elements are
   * pinned: the stream then waits once for all of them.
   *
   * @throws IllegalStateException when the element is not pinned
   */
  public DeviceMemory memory(int element) {
    table.check(element);
    if (!table.has(element, ElementTable.PINNED)) {
      throw new IllegalStateException("not pinned: " + table.describe(element));
    }
    transfers.beforeKernels();
    return table.resident(element).memory;
  }

  /**
   * Reports that the kernels which use the pinned elements are in the compute stream; unpins the
   * elements. From here on outputs have their values.
   */
  public void launched() {
    requireOpen();
    if (pins.count() == 0) {
      return;
    }
    placement.launched(tables.device.record(tables.device.computeStream()));
    if (trace != null) {
      trace.launched();
    }
    prefetcher.run();
    transfers.advance();
  }

  /**
   * Copies an element of another device's MemHC into an element of this one. The one is pinned
   * there as an input, the other here as an output, each alone; the call launches both. Kernels of
   * neither device wait, except those that use the copy. One thread calls both.
   */
  public void receive(int element, MemHC from, int original) {
    requireOpen();
    transfers.copyFrom(from.transfers, from.table.resident(original), table.resident(element));
    from.launched();
    launched();
    if (table.block[element] != null) {
      // Its next use has to wait for the copy, as for an element brought in ahead of its use.
      cache.markAhead(element);
    }
  }

  /**
   * Releases a dead element: its block goes to {@code free_pool} and its host copy is dropped. For
   * a pinned element this happens at {@link #launched}. Releasing an absent element is no error; an
   * input can be used again later. A held element stays.
   */
  public void release(int element) {
    requireOpen();
    table.check(element);
    if (table.has(element, ElementTable.HELD)) {
      return;
    }
    if (table.has(element, ElementTable.PINNED)) {
      table.set(element, ElementTable.DOOMED);
    } else {
      cache.release(element);
    }
  }

  /**
   * Releases every element that is not held, for example before the next configuration; blocks stay
   * in {@code free_pool}. After the call no source is asked for data.
   */
  public void releaseAll() {
    requireNothingPinned("releaseAll");
    for (int element = 0; element < table.count; element++) {
      release(element);
    }
    transfers.drainLoads();
  }

  /**
   * Leaves a queue after a failure, whatever was under way: ends all pins, waits for the kernels
   * that were launched, and releases every element that is not held. What was being written has no
   * value.
   */
  public void abandon() {
    requireOpen();
    pins.truncate(0);
    transfers.synchronizeAll();
    for (int element = 0; element < table.count; element++) {
      table.clear(element, ElementTable.WRITTEN);
      table.keepsInput[element] = false;
    }
    releaseAll();
  }

  /**
   * Copies the value of an element to byte {@code offset} of {@code target} in host layout and
   * waits for this copy alone.
   *
   * @throws IllegalStateException when the element has no value, or its kernels are not launched
   */
  public void read(int element, HostMemory target, long offset) {
    requireValue(element);
    restoreForHost(element);
    cache.read(element, target, offset);
  }

  /**
   * Copies the value of an intermediate to the host tier unless it is there already; later reads
   * and evictions then copy nothing. Does not wait.
   *
   * @throws IllegalStateException as {@link #read}
   */
  public void sync(int element) {
    requireValue(element);
    restoreForHost(element);
    cache.sync(element);
  }

  /**
   * Makes sure that the host has the values of all elements that are on the device, as {@link
   * #sync} of each.
   */
  public void syncAll() {
    requireOpen();
    for (int element = 0; element < table.count; element++) {
      if (!table.has(element, ElementTable.WRITTEN | ElementTable.DROPPED)
          && table.block[element] != null) {
        cache.sync(element);
      }
    }
  }

  private void restoreForHost(int element) {
    if (trace != null) {
      trace.read(element);
    }
    if (table.has(element, ElementTable.DROPPED)) {
      requireNothingPinned("reading what has to be recomputed");
      if (!placement.restore(element)) {
        throw workingSet.tooSmall(new int[] {element}, 1, new int[0], 0);
      }
    }
  }

  private void requireValue(int element) {
    requireOpen();
    table.check(element);
    if (!table.hasValue(element) || table.has(element, ElementTable.WRITTEN)) {
      throw new IllegalStateException("has no value to read: " + table.describe(element));
    }
  }

  /** Whether the element is on the device. */
  public boolean isResident(int element) {
    table.check(element);
    return table.block[element] != null;
  }

  /** Bytes of elements on the device, without blocks in {@code free_pool}. */
  public long residentBytes() {
    return store.heldBytes() - store.pooledBytes() - store.reservedBytes();
  }

  /** Time that the calling thread waited for data of inputs or of the spill file, in seconds. */
  public double waitedSeconds() {
    return 1e-9 * counters.waitedNanos;
  }

  /** Seconds that the device took for copies, as far as they have run; 0 where it keeps no time. */
  public double copySeconds() {
    return transfers.copySeconds();
  }

  /** Seconds for which the device's kernels waited for copies; 0 where it keeps no time. */
  public double kernelsWaitedSeconds() {
    return transfers.waitSeconds();
  }

  /** The counters so far. */
  public MemoryStatistics statistics() {
    return counters.snapshot(options.policy(), options.budgetBytes());
  }

  /**
   * Checks every invariant of the tables from scratch; O(elements + blocks).
   *
   * @throws IllegalStateException naming the first that does not hold
   */
  public void audit() {
    new Audit(tables, cache).run();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("MemHC is closed");
    }
  }

  private void requireNothingPinned(String call) {
    requireOpen();
    if (pins.count() > 0) {
      throw new IllegalStateException(
          call + " while elements are pinned: pinned=" + pins.count() + "; call launched() first");
    }
  }

  /** Waits for everything in flight and returns all memory to the device. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    transfers.synchronizeAll();
    pins.truncate(0);
    for (int element = 0; element < table.count; element++) {
      table.clear(element, ElementTable.HELD);
      cache.release(element);
    }
    table.heldBytes = 0;
    if (slow != null) {
      slow.close();
    }
    store.close();
    host.close();
    transfers.close();
    if (trace != null) {
      trace.close();
    }
  }
}
