package org.starlingqcd.hadron.execute;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.input.BlockRequest;
import org.starlingqcd.hadron.input.InputStore;
import org.starlingqcd.hadron.input.RoundedBlocks;
import org.starlingqcd.hadron.input.StoredInputs;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;

/**
 * The inputs of the queue that an executor runs: which slot of MemHC holds which, where their data
 * come from, and which of them the store keeps. MemHC loads on its thread for files; all other
 * calls are the executor's.
 */
final class QueueInputs implements InputSource, AutoCloseable {
  private final Device device;
  private final ElementSlots slots;
  private final HostMemoryBudget hostMemory;
  private final boolean lending;

  private @Nullable Content[] contents = new Content[0];
  private @Nullable PreparedQueue running;
  private @Nullable InputBlocks source;
  private @Nullable InputStore ownStore;
  private @Nullable StoredInputs store;
  private @Nullable RoundedBlocks rounded;

  /** Slots whose inputs the store keeps because this queue loads them again. */
  private final Set<Integer> again = ConcurrentHashMap.newKeySet();

  private final AtomicInteger step = new AtomicInteger();
  private final AtomicLong blocksRead = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();

  /**
   * The input in a slot: a whole one, some rows of a baryon's open leg, or a strip of a tetraquark,
   * whose rows may be fewer than those of the slot.
   */
  private record Content(Input input, Rows rows) {}

  /** An input slot as a user of the store. */
  private record SlotUser(QueueInputs inputs, int slot) {}

  /** The layout of a device. */
  private record DeviceForm(Device device, TensorShape shape, String name)
      implements InputBlocks.Form {
    @Override
    public long bytes() {
      return shape.bytes();
    }

    @Override
    public void arrange(HostMemory block, HostMemory target) {
      device.arrange(block, target, shape);
    }
  }

  /**
   * Inputs of queues that one executor runs.
   *
   * @param tiers whether memory has two tiers, so that inputs may be used where a cache holds them
   */
  QueueInputs(Device device, ElementSlots slots, HostMemoryBudget hostMemory, boolean tiers) {
    this.device = device;
    this.slots = slots;
    this.hostMemory = hostMemory;
    // A copy that is rounded is not what lies in the cache.
    this.lending = tiers && device.precision() == Precision.DOUBLE;
  }

  /**
   * Begins a queue.
   *
   * @param blocks in the precision of the device, or in double precision without a store
   * @param caching whether inputs are loaded more than once, so that a store keeps them
   */
  void begin(PreparedQueue prepared, InputBlocks blocks, boolean caching) {
    assign(prepared);
    running = prepared;
    step.set(0);
    InputBlocks inPrecision = inPrecision(blocks, prepared.eigenvectors());
    source = inPrecision;
    store = caching ? stored(inPrecision, prepared.eigenvectors()) : null;
    blocksRead.set(0);
    bytesRead.set(0);
  }

  private void assign(PreparedQueue prepared) {
    contents = new Content[slots.shapes().size()];
    List<ExecutionQueue.Element> elements = prepared.queue().elements();
    for (int k = 0; k < elements.size(); k++) {
      List<Integer> parts = prepared.parts(k);
      if (elements.get(k) instanceof Input.Tetraquark tetraquark) {
        int pairs = Rows.of(tetraquark, prepared.eigenvectors());
        int rows = (int) (slots.shapes().get(parts.get(0)).size() / pairs);
        for (int strip = 0; strip < parts.size(); strip++) {
          int count = Math.min(rows, pairs - strip * rows);
          contents[parts.get(strip)] = new Content(tetraquark, new Rows(strip * rows, count));
        }
      } else if (elements.get(k) instanceof Input input) {
        contents[parts.get(0)] = new Content(input, Rows.ALL);
      }
    }
    for (PreparedPairs pairs : prepared.pairs()) {
      Input attached = (Input) elements.get(pairs.step().attached());
      int rows = pairs.slicing().rows();
      for (int k = 0; k < pairs.slices().size(); k++) {
        int count = Math.min(rows, prepared.eigenvectors() - k * rows);
        contents[pairs.slices().get(k)] = new Content(attached, new Rows(k * rows, count));
      }
    }
  }

  /** Bytes of a slot behind the rows of a strip of a tetraquark. */
  private long bytesLeft(int slot) {
    Content content = contents[slot];
    PreparedQueue queue = running;
    if (content == null || queue == null || !(content.input() instanceof Input.Tetraquark k)) {
      return 0;
    }
    TensorShape shape = slots.shapes().get(slot);
    return shape.bytes() - content.rows().bytes(k, queue.eigenvectors(), shape.precision());
  }

  private InputBlocks inPrecision(InputBlocks blocks, int eigenvectors) {
    Precision precision = device.precision();
    if (blocks.precision() == precision) {
      return blocks;
    }
    if (blocks instanceof StoredInputs) {
      throw new IllegalArgumentException(
          "must be of the device's precision " + precision + ": inputs=" + blocks.precision());
    }
    RoundedBlocks single = new RoundedBlocks(blocks, eigenvectors, hostMemory);
    rounded = single;
    return single;
  }

  private StoredInputs stored(InputBlocks blocks, int eigenvectors) {
    if (blocks instanceof StoredInputs stored) {
      return stored;
    }
    InputStore own = InputStore.ofOneQueue(hostMemory, eigenvectors, device.precision());
    ownStore = own;
    return own.inputs(blocks);
  }

  /**
   * Names the contents of a slot over all queues of a configuration; 0 for a slot without input.
   */
  long key(int slot) {
    Content content = contents[slot];
    InputBlocks blocks = source;
    if (content == null || blocks == null) {
      return 0;
    }
    long key = blocks.key(content.input(), content.rows());
    return key == 0 || device.precision() == Precision.DOUBLE ? key : ~key;
  }

  /** Whether a later queue of the configuration reads the input in a slot. */
  boolean isNeededLater(int slot) {
    Content content = contents[slot];
    InputBlocks blocks = source;
    return content != null && blocks != null && blocks.isNeededLater(content.input());
  }

  /**
   * Counts a step, which reads these slots. Inputs that it reads for the last time leave the store.
   */
  void step(int[] read, int count) {
    PreparedQueue queue = running;
    if (store != null && queue != null) {
      for (int k = 0; k < count; k++) {
        if (queue.lastUse(read[k]) <= step.get()) {
          release(read[k]);
        }
      }
    }
    step.incrementAndGet();
  }

  /** Says to the store that the input in a slot is not loaded again. */
  private void release(int slot) {
    StoredInputs behind = store;
    Content content = contents[slot];
    if (again.remove(slot) && behind != null && content != null) {
      behind.release(request(content, slot, false));
    }
  }

  /** Writes the block of a slot to byte {@code offset} of {@code target}. */
  @Override
  public void load(int slot, HostMemory target, long offset) {
    if (!read(slot, target, offset)) {
      countRead(slot);
    }
    int left = (int) (bytesLeft(slot) / Double.BYTES);
    long end = (offset + slots.shapes().get(slot).bytes()) / Double.BYTES;
    target.put(end - left, new double[left], 0, left);
  }

  private void countRead(int slot) {
    Content content = contents[slot];
    // Strips of a tetraquark are one block together.
    boolean more =
        content != null
            && content.input() instanceof Input.Tetraquark
            && content.rows().first() > 0;
    blocksRead.addAndGet(more ? 0 : 1);
    long bytes = slots.shapes().get(slot).bytes() - bytesLeft(slot);
    bytesRead.addAndGet(bytes / device.precision().realBytes() * Double.BYTES);
  }

  /** Reads a block; returns whether the store had it. */
  private boolean read(int slot, HostMemory target, long offset) {
    InputBlocks blocks = source;
    PreparedQueue queue = running;
    Content content = contents[slot];
    if (blocks == null || queue == null || content == null) {
      throw new IllegalStateException("no queue runs that could fill slot " + slot);
    }
    StoredInputs behind = store == null && blocks instanceof StoredInputs all ? all : store;
    if (behind == null) {
      blocks.load(content.input(), content.rows(), target, offset);
      return false;
    }
    boolean more = store != null && queue.lastUse(slot) > step.get();
    if (more) {
      again.add(slot);
    }
    return behind.load(request(content, slot, more), target, offset);
  }

  private BlockRequest request(Content content, int slot, boolean more) {
    return new BlockRequest(content.input(), content.rows(), new SlotUser(this, slot), more, false);
  }

  /** Memory of the store out of which the device copies the block of a slot as it is. */
  @Override
  public @Nullable HeldInput hold(int slot) {
    Content content = contents[slot];
    PreparedQueue queue = running;
    if (!(source instanceof StoredInputs stored)
        || content == null
        || queue == null
        || bytesLeft(slot) > 0) {
      return null;
    }
    boolean more = store != null && queue.lastUse(slot) > step.get();
    HeldInput block = stored.hold(request(content, slot, more), () -> countRead(slot));
    if (block != null && more) {
      again.add(slot);
    }
    return block;
  }

  @Override
  public @Nullable Object form() {
    return device.formOfInputs();
  }

  @Override
  public @Nullable HostMemory lend(int slot) {
    StoredInputs behind = store;
    Content content = contents[slot];
    TensorShape shape = slots.shapes().get(slot);
    String layout = device.layout(shape).orElse(null);
    if (behind == null || content == null || layout == null || !lending || bytesLeft(slot) > 0) {
      return null;
    }
    return behind.lend(content.input(), content.rows(), new DeviceForm(device, shape, layout));
  }

  /** Blocks read for the queue, without those that the store had. */
  long blocksRead() {
    return blocksRead.get();
  }

  /** Bytes of these blocks, in double precision as they lie in files. */
  long bytesRead() {
    return bytesRead.get();
  }

  /** Ends the queue. */
  void leave() {
    again.forEach(this::release);
    store = null;
    source = null;
    running = null;
    closeStore();
  }

  private void closeStore() {
    InputStore own = ownStore;
    if (own != null) {
      ownStore = null;
      own.close();
    }
    RoundedBlocks single = rounded;
    if (single != null) {
      rounded = null;
      single.close();
    }
  }

  @Override
  public void close() {
    closeStore();
  }
}
