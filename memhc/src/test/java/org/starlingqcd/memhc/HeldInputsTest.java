package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;

/** The device copies inputs out of the memory of their source, which gets it back afterwards. */
@Timeout(60)
final class HeldInputsTest {
  private static final TensorShape NODE = new TensorShape(16, 2, 1);
  private static final int INPUTS = 24;
  private static final int STEPS = 60;

  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger buffered = new AtomicInteger();
  private final List<Memory> open = new ArrayList<>();
  private final List<HostMemory> early = new ArrayList<>();

  /** A source with memory for a few inputs; it spoils what it gets back. */
  private final class Source implements InputSource {
    private final int most;
    private final boolean hasty;

    Source(int most, boolean hasty) {
      this.most = most;
      this.hasty = hasty;
    }

    @Override
    public void load(int element, HostMemory target, long offset) {
      fill(target, offset, element + 1.0);
      buffered.incrementAndGet();
    }

    @Override
    public @Nullable HeldInput hold(int element) {
      // The mistake: the next user writes before the copy has run.
      early.forEach(memory -> fill(memory, NODE.bytes(), Double.NaN));
      early.clear();
      if (open.size() == most) {
        return null;
      }
      Memory memory = new Memory(element, held.get() % 2 == 0, hasty);
      open.add(memory);
      return memory;
    }
  }

  /** Data that are there, or that the thread for files brings. */
  private final class Memory implements HeldInput {
    private final HostMemory memory = HostMemory.allocate(2 * NODE.bytes());
    private final int element;
    private final boolean there;
    private final boolean hasty;

    Memory(int element, boolean there, boolean hasty) {
      this.element = element;
      this.there = there;
      this.hasty = hasty;
      fill(memory, NODE.bytes(), Double.NaN);
    }

    @Override
    public boolean isRead() {
      return there;
    }

    @Override
    public void read() {
      fill(memory, NODE.bytes(), element + 1.0);
      held.incrementAndGet();
    }

    @Override
    public HostMemory memory() {
      return memory;
    }

    @Override
    public long offset() {
      if (hasty) {
        early.add(memory);
      }
      return NODE.bytes();
    }

    @Override
    public void close() {
      fill(memory, NODE.bytes(), Double.NaN);
      assertTrue(open.remove(this));
      early.remove(memory);
      memory.close();
    }
  }

  private static void fill(HostMemory memory, long offset, double number) {
    double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
    Arrays.fill(numbers, number);
    memory.put(offset / Double.BYTES, numbers, 0, numbers.length);
  }

  /** Steps over all inputs in memory for a few of them; whether all numbers are right. */
  private boolean run(long seed, int most, boolean hasty) {
    LazyDevice device = new LazyDevice(100 * NODE.bytes(), seed);
    boolean right = true;
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget((STEPS + 8) * NODE.bytes()))) {
      for (int k = 0; k < INPUTS; k++) {
        memory.addInput(NODE, new Source(most, hasty));
      }
      AccessQueue.Builder queue = AccessQueue.builder();
      for (int step = 0; step < STEPS; step++) {
        memory.addIntermediate(NODE);
        queue.step(new int[] {left(step), right(step)}, new int[] {INPUTS + step}).endVector();
        queue.keep(INPUTS + step);
      }
      memory.schedule(queue.build());
      for (int step = 0; step < STEPS; step++) {
        int[] inputs = {left(step), right(step)};
        assertTrue(memory.pin(inputs, 2, new int[] {INPUTS + step}, 1));
        ContractionBatch batch = new ContractionBatch(1, 1, 1);
        batch.add(
            memory.memory(inputs[0]),
            memory.memory(inputs[1]),
            memory.memory(INPUTS + step),
            BatchSpinMapping.mesonProduct());
        device.contract(batch, device.computeStream());
        memory.launched();
      }
      for (int step = 0; step < STEPS; step++) {
        right &= isRight(memory, step);
      }
      memory.releaseAll();
      memory.audit();
    }
    assertEquals(0, open.size());
    assertEquals(0, device.allocatedBytes());
    return right;
  }

  private static int left(int step) {
    return 7 * step % INPUTS;
  }

  private static int right(int step) {
    return (11 * step + 5) % INPUTS;
  }

  private static boolean isRight(MemHC memory, int step) {
    double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
    try (HostMemory target = HostMemory.allocate(NODE.bytes())) {
      memory.read(INPUTS + step, target, 0);
      target.get(0, numbers, 0, numbers.length);
    }
    double expected = 3 * (left(step) + 1) - 5 * (right(step) + 1);
    return Arrays.stream(numbers).allMatch(number -> number == expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void inputs_areCopiedOutOfTheMemoryOfTheirSource(long seed) {
    assertTrue(run(seed, Integer.MAX_VALUE, false));
    assertEquals(0, buffered.get());
  }

  /** What the source has no memory for goes through buffers. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void inputs_beyondTheMemoryOfTheirSource_goThroughBuffers(long seed) {
    assertTrue(run(seed, 2, false));
    assertTrue(held.get() > 0 && buffered.get() > 0, held + " " + buffered);
  }

  /** The test sees memory that is used again before its copy has run. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void memoryThatIsUsedTooEarly_isSeen(long seed) {
    assertFalse(run(seed, Integer.MAX_VALUE, true));
  }
}
