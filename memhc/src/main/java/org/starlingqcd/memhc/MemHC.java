package org.starlingqcd.memhc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * The memory manager of hadron contractions: keeps elements on a device within a budget and moves
 * as little as possible (Wang, Peng, Ren, Chen & Edwards, ACM TACO 19, 24 (2022),
 * doi:10.1145/3506705).
 *
 * <p>A run looks like this. Elements are added and the whole queue of accesses is scheduled. Then
 * for every contraction {@link #pin} makes all its elements resident; {@link #memory} gives their
 * device memory for the batch that is being put together. When a vector is complete, or when {@code
 * pin} says that memory is short, the caller puts its kernels into the device's compute stream and
 * calls {@link #launched}, which lets the pinned elements go again. With a schedule, elements are
 * released as soon as nothing uses them any more.
 *
 * <p>A look-up is one array access and costs O(1) with every policy but those ordered by next use,
 * which take O(log n) for n resident elements. Nothing is allocated on a hit. One thread at a time.
 */
public final class MemHC implements AutoCloseable {
  // Elements become evictable with the call of launched(), not when the device reaches the event
  // that it records: a copy from or into the block of a victim in flight is put into its stream
  // behind that event, so what is evicted never depends on timing, and the calling thread waits
  // only where a block goes back to the device.

  private static final int HAS_VALUE = Placement.HAS_VALUE;

  private final Device device;
  private final MemHCOptions options;
  private final ElementTable table = new ElementTable();
  private final WorkingSet workingSet = new WorkingSet(table);
  private final Pins pins = new Pins(table);
  private final Counters counters = new Counters();
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final BlockStore store;
  private final Transfers transfers;
  private final HostTier host;
  private final ElementCache cache;
  private final Placement placement;
  private final Prefetcher prefetcher;
  private final @Nullable TraceRecorder trace;
  private boolean closed;

  private MemHC(Device device, MemHCOptions options, EvictionPolicy policy) {
    this.device = device;
    this.options = options;
    this.policy = policy;
    schedule = new Schedule(table, policy);
    store = new BlockStore(device, options.budgetBytes(), options.packing(), table, counters);
    transfers = new Transfers(device, counters);
    host = new HostTier(device, transfers, table, counters, options);
    cache = new ElementCache(table, store, transfers, host, policy, schedule, counters, options);
    placement =
        new Placement(device, table, pins, store, cache, transfers, policy, counters, options);
    prefetcher = new Prefetcher(table, cache, store, schedule, options);
    Path file = options.trace();
    trace = file == null ? null : new TraceRecorder(file, table);
  }

  /**
   * Opens MemHC on a device, which must outlive it.
   *
   * @throws IllegalArgumentException when there is no such policy
   */
  public static MemHC open(Device device, MemHCOptions options) {
    return new MemHC(device, options, EvictionPolicies.create(options.policy()));
  }

  /** Adds an element whose data {@code source} can supply at any time; returns its number. */
  public int addInput(TensorShape shape, InputSource source) {
    return table.add(shape, source);
  }

  /**
   * Adds an element that kernels make, a GPU-only object: it has no host data until it is evicted
   * or read. Returns its number.
   */
  public int addIntermediate(TensorShape shape) {
    return table.add(shape, null);
  }

  /**
   * Offers a way to make an intermediate again, which is taken instead of keeping a copy on the
   * host when the element is evicted and that is cheaper; it stands until the element is released.
   * An element that is added to after it was made ({@code pin} with it as output once more) must
   * not have one.
   */
  public void recomputable(int element, Recomputation how) {
    table.check(element);
    how.inputs().forEach(table::check);
    if (table.has(element, ElementTable.INPUT)) {
      throw new IllegalArgumentException("an input is not computed: " + table.describe(element));
    }
    table.recomputation[element] = how;
  }

  /** Keeps an element on the device for ever, from its first use on. */
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
          "it is a reserved block and what is there cannot leave");
    }
    return memory;
  }

  /**
   * Makes the order of all accesses to come known. From now on every {@link #pin} must be the next
   * step of the queue, and what the queue uses for the last time is released as soon as that has
   * been launched, unless the queue keeps it. A queue that has run to its end may be scheduled
   * again, for the next configuration, say; what was planned for it is known then.
   *
   * @throws MemoryBudgetException when a step of it can never fit
   */
  public void schedule(AccessQueue queue) {
    requireNothingPinned("schedule");
    if (queue.elements() > table.count) {
      throw new IllegalArgumentException(
          "the queue names elements that were not added: elements="
              + queue.elements()
              + " added="
              + table.count);
    }
    workingSet.requireBudget(queue, placement.fixedBytes(), options.budgetBytes());
    schedule.start(queue, cache.capacityBytes());
    if (trace != null) {
      trace.scheduled(queue);
    }
  }

  /** Says which elements the vector pair about to run uses; a schedule says it by itself. */
  public void beginVector(int[] elements, int count) {
    policy.beginVector(elements, count);
  }

  /**
   * Makes all elements of one contraction resident and pins them until {@link #launched}; each is
   * one look-up. An output that has a value keeps it, so that a contraction can add to it.
   *
   * @return false when they do not fit beside those pinned already: launch those, then ask again
   * @throws MemoryBudgetException when they do not fit though nothing else is pinned
   */
  public boolean pin(int[] inputs, int nIn, int[] outputs, int nOut) {
    requireOpen();
    check(inputs, nIn, outputs, nOut);
    transfers.advance();
    schedule.check(inputs, nIn, outputs, nOut);
    schedule.announceVector();
    if (!restoreDropped(inputs, nIn)
        || !restoreDropped(outputs, nOut)
        || !place(inputs, nIn, outputs, nOut)) {
      if (pins.count() == 0) {
        throw tooSmall(inputs, nIn, outputs, nOut);
      }
      return false;
    }
    schedule.advance();
    if (trace != null && schedule.queue() == null) {
      trace.pinned(inputs, nIn, outputs, nOut);
    }
    return true;
  }

  private boolean place(int[] inputs, int nIn, int[] outputs, int nOut) {
    schedule.lookPast();
    boolean placed = placement.place(inputs, nIn, outputs, nOut);
    if (!placed) {
      schedule.lookBack();
    }
    return placed;
  }

  /**
   * Computes again what was dropped of these elements.
   *
   * @return false when that has to wait until what is pinned has been launched
   */
  private boolean restoreDropped(int[] elements, int count) {
    for (int k = 0; k < count; k++) {
      if (table.has(elements[k], ElementTable.DROPPED)
          && (pins.count() > 0 || !placement.restore(elements[k]))) {
        return false;
      }
    }
    return true;
  }

  private void check(int[] inputs, int nIn, int[] outputs, int nOut) {
    for (int k = 0; k < nIn; k++) {
      table.check(inputs[k]);
      if ((table.flags[inputs[k]] & HAS_VALUE) == 0) {
        throw new IllegalStateException("input has no value: " + table.describe(inputs[k]));
      }
    }
    for (int k = 0; k < nOut; k++) {
      table.check(outputs[k]);
      if (table.has(outputs[k], ElementTable.INPUT)) {
        throw new IllegalArgumentException(
            "an input cannot be an output: " + table.describe(outputs[k]));
      }
    }
  }

  private MemoryBudgetException tooSmall(int[] inputs, int nIn, int[] outputs, int nOut) {
    int largest = nIn > 0 ? inputs[0] : outputs[0];
    for (int k = 0; k < nIn + nOut; k++) {
      int element = k < nIn ? inputs[k] : outputs[k - nIn];
      largest = table.bytes[element] > table.bytes[largest] ? element : largest;
    }
    long smallest = placement.fixedBytes() + workingSet.bytes(inputs, nIn, outputs, nOut);
    return new MemoryBudgetException(
        largest,
        table.bytes[largest],
        options.budgetBytes(),
        smallest,
        smallest > options.budgetBytes()
            ? "its working set is " + smallest + " bytes"
            : "the device has less memory free than the budget promises");
  }

  /**
   * The device memory of a pinned element; valid until {@link #launched}.
   *
   * @throws IllegalStateException when the element is not pinned
   */
  public DeviceMemory memory(int element) {
    table.check(element);
    if (!table.has(element, ElementTable.PINNED)) {
      throw new IllegalStateException("not pinned: " + table.describe(element));
    }
    return table.resident(element).memory;
  }

  /**
   * Says that kernels which use all pinned elements are in the compute stream now; ends the pins.
   * Outputs have their values from here on.
   */
  public void launched() {
    requireOpen();
    int count = pins.count();
    if (count == 0) {
      return;
    }
    DeviceEvent event = device.record(device.computeStream());
    pins.truncate(0);
    boolean known = schedule.queue() != null;
    for (int k = 0; k < count; k++) {
      int element = pins.get(k);
      DeviceBlock block = table.resident(element);
      block.used = event;
      if (table.has(element, ElementTable.WRITTEN)) {
        table.clear(element, ElementTable.WRITTEN);
        table.set(element, ElementTable.DEFINED);
        host.drop(element);
        if (!options.gpuOnly()) {
          host.store(element);
        }
      }
      boolean dead = known && options.liveness() && table.nextUse[element] == Residency.NEVER;
      if (table.has(element, ElementTable.DOOMED)
          || (dead && !table.has(element, ElementTable.HELD))) {
        cache.release(element);
      }
    }
    if (!options.reuse()) {
      cache.giveBackAll();
    }
    if (trace != null && !known) {
      trace.launched();
    }
    prefetcher.run();
    transfers.advance();
  }

  /**
   * Releases an element that is dead: its block goes to {@code free_pool}, its host copy is
   * dropped. While it is pinned, that happens at {@link #launched}. Releasing what is not there is
   * no error; an input can be used again later. A held element stays.
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
   * Releases every element that is not held, for the next configuration, say; blocks stay in {@code
   * free_pool}. No source is asked for data after the call.
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
    }
    releaseAll();
  }

  /**
   * Copies the value of an element to byte {@code offset} of {@code target} in host layout and
   * waits for it, and for nothing else that is not needed for it.
   *
   * @throws IllegalStateException when the element has no value, or its kernels are not launched
   */
  public void read(int element, HostMemory target, long offset) {
    requireValue(element);
    restoreForHost(element);
    cache.read(element, target, offset);
  }

  /**
   * Copies the value of an intermediate to the host's own copy, unless that is there; later reads
   * and evictions then copy nothing. Does not wait.
   *
   * @throws IllegalStateException as {@link #read}
   */
  public void sync(int element) {
    requireValue(element);
    restoreForHost(element);
    cache.sync(element);
  }

  private void restoreForHost(int element) {
    if (trace != null && schedule.queue() == null) {
      trace.read(element);
    }
    if (table.has(element, ElementTable.DROPPED)) {
      requireNothingPinned("reading what has to be recomputed");
      if (!placement.restore(element)) {
        throw tooSmall(new int[] {element}, 1, new int[0], 0);
      }
    }
  }

  private void requireValue(int element) {
    requireOpen();
    table.check(element);
    if ((table.flags[element] & HAS_VALUE) == 0 || table.has(element, ElementTable.WRITTEN)) {
      throw new IllegalStateException("has no value to read: " + table.describe(element));
    }
  }

  /** Whether the element is on the device. */
  public boolean isResident(int element) {
    table.check(element);
    return table.block[element] != null;
  }

  /** Bytes on the device that belong to elements; what {@code free_pool} holds is not counted. */
  public long residentBytes() {
    return store.heldBytes() - store.pooledBytes() - store.reservedBytes();
  }

  /** Time that the calling thread waited for data of inputs or of the spill file, in seconds. */
  public double waitedSeconds() {
    return 1e-9 * counters.waitedNanos;
  }

  /** The counters so far. */
  public MemoryStatistics statistics() {
    return counters.snapshot(policy.name(), options.budgetBytes());
  }

  /**
   * Derives every invariant anew from the tables, O(elements + blocks).
   *
   * @throws IllegalStateException naming the first that does not hold
   */
  public void audit() {
    new Audit(table, store, pins, host, cache, options).run();
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
    store.close();
    host.close();
    transfers.close();
    if (trace != null) {
      trace.close();
    }
  }
}
