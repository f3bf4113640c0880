package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.input.BlockRequest;
import org.starlingqcd.hadron.input.InputStore;
import org.starlingqcd.hadron.input.PageLocked;
import org.starlingqcd.hadron.input.UnitKey;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;

/**
 * From the input store to a fake GPU, which sees when memory that it copies is written: blocks that
 * were read ahead and others, in memory for a few of them.
 */
@Tag("slow")
final class PageLockedInputsTest {
  private static final int EXTENT = 16;
  private static final TensorShape NODE = TensorShape.mesonNode(EXTENT);
  private static final int INPUTS = 24;
  private static final int STEPS = 48;
  private static final UnitKey UNIT = new UnitKey(1, 0);

  /** When memory goes back to the store. */
  private enum Return {
    AFTER_THE_COPY,
    /** The mistake: when the copy has been launched. */
    AT_ONCE
  }

  private final AtomicInteger loaded = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();

  private static Input input(int number) {
    return new Input.Perambulator("light", number, 0);
  }

  /** Random numbers, other ones for each input. */
  private static final class Numbers implements InputBlocks {
    @Override
    public void load(Input input, Rows rows, HostMemory target, long offset) {
      double[] numbers =
          new Random(input.hashCode()).doubles(NODE.bytes() / Double.BYTES).toArray();
      target.put(offset / Double.BYTES, numbers, 0, numbers.length);
    }

    @Override
    public GammaBasis gammaBasis() {
      throw new UnsupportedOperationException("there are no baryons");
    }
  }

  /** Inputs out of a store. */
  private final class Source implements InputSource {
    private final InputStore store;
    private final Return when;
    private final List<Lent> early = new ArrayList<>();

    Source(InputStore store, Return when) {
      this.store = store;
      this.when = when;
    }

    @Override
    public void load(int element, HostMemory target, long offset) {
      store.load(UNIT, new Numbers(), request(element), target, offset);
      loaded.incrementAndGet();
    }

    @Override
    public HeldInput hold(int element) {
      early.forEach(Lent::close);
      early.clear();
      HeldInput block = store.hold(UNIT, new Numbers(), request(element), () -> {});
      return block == null ? null : new Lent(block, this);
    }

    private BlockRequest request(int element) {
      return new BlockRequest(input(element), Rows.ALL, this, false, false);
    }
  }

  /** A block of the store, as MemHC takes it. */
  private final class Lent implements HeldInput {
    private final HeldInput block;
    private final Source source;
    private boolean closed;

    Lent(HeldInput block, Source source) {
      this.block = block;
      this.source = source;
      held.incrementAndGet();
    }

    @Override
    public boolean isRead() {
      return block.isRead();
    }

    @Override
    public void read() {
      block.read();
    }

    @Override
    public HostMemory memory() {
      return block.memory();
    }

    @Override
    public long offset() {
      if (source.when == Return.AT_ONCE) {
        source.early.add(this);
      }
      return block.offset();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        block.close();
      }
    }
  }

  /** Products of all inputs in device memory for a few of them; all numbers of the results. */
  private List<double[]> run(long seed, PageLocked memory, Device device, Return when) {
    HostMemoryBudget budget = new HostMemoryBudget(8 * NODE.bytes(), 0);
    List<double[]> results = new ArrayList<>();
    FakeHip.delayWork(300);
    try (InputStore store =
            new InputStore(budget, 4 * NODE.bytes(), EXTENT, 0, Precision.DOUBLE, memory);
        MemHC memhc =
            MemHC.open(
                device, MemHCOptions.ofBudget((STEPS + 6) * NODE.bytes()).withHostMemory(budget))) {
      store.prefetch(
          UNIT,
          new Numbers(),
          IntStream.range(0, INPUTS).mapToObj(PageLockedInputsTest::input).toList());
      Source source = new Source(store, when);
      for (int k = 0; k < INPUTS; k++) {
        memhc.addInput(NODE, source);
      }
      Random random = new Random(seed);
      int[][] inputs = new int[STEPS][];
      AccessQueue.Builder queue = AccessQueue.builder();
      for (int step = 0; step < STEPS; step++) {
        memhc.addIntermediate(NODE);
        int left = random.nextInt(INPUTS);
        inputs[step] = new int[] {left, (left + 1 + random.nextInt(INPUTS - 1)) % INPUTS};
        queue.step(inputs[step], new int[] {INPUTS + step}).endVector().keep(INPUTS + step);
      }
      memhc.schedule(queue.build());
      for (int step = 0; step < STEPS; step++) {
        assertTrue(memhc.pin(inputs[step], 2, new int[] {INPUTS + step}, 1));
        ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
        batch.add(
            memhc.memory(inputs[step][0]),
            memhc.memory(inputs[step][1]),
            memhc.memory(INPUTS + step),
            BatchSpinMapping.mesonProduct());
        device.contract(batch, device.computeStream());
        memhc.launched();
      }
      FakeHip.delayWork(0);
      for (int step = 0; step < STEPS; step++) {
        double[] numbers = new double[(int) (NODE.bytes() / Double.BYTES)];
        try (HostMemory target = HostMemory.allocate(NODE.bytes())) {
          memhc.read(INPUTS + step, target, 0);
          target.get(0, numbers, 0, numbers.length);
        }
        results.add(numbers);
      }
      memhc.releaseAll();
      memhc.audit();
    }
    assertTrue(budget.tryReserve(budget.otherBytes()), "the store has given back everything");
    return results;
  }

  /** A run with page-locked memory, or without. */
  private List<double[]> run(long seed, boolean locked, Return when) {
    BackendProvider provider = FakeHip.freshProvider(seed);
    try (Device device = provider.open(new DeviceOptions(0, 0, 64L << 20, false))) {
      return run(
          seed, locked ? bytes -> provider.pageLocked(0, bytes) : PageLocked.NONE, device, when);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void blocks_areCopiedOutOfTheStore(long seed) {
    List<double[]> expected = run(seed, false, Return.AFTER_THE_COPY);
    assertEquals(0, held.get());
    List<double[]> actual = run(seed, true, Return.AFTER_THE_COPY);
    assertEquals("", FakeHip.report());
    for (int step = 0; step < STEPS; step++) {
      assertArrayEquals(expected.get(step), actual.get(step), "step " + step);
    }
    assertTrue(held.get() > 0, "held=" + held + " loaded=" + loaded);
  }

  /**
   * The device notices a block that is read into memory out of which it still copies. The store may
   * also free such memory; then the run fails.
   */
  @Test
  void memoryThatIsReturnedTooEarly_isSeen() {
    String failure = "";
    try {
      run(5, true, Return.AT_ONCE);
    } catch (BackendException e) {
      failure = String.valueOf(e.getMessage());
    }
    String report = FakeHip.report();
    assertTrue(
        report.contains("the host uses page-locked memory of a copy in flight")
            || (report.contains("host memory is freed while the host has not waited")
                && failure.contains("700")),
        failure + report + Arrays.asList(held, loaded));
  }
}
