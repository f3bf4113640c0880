package org.starlingqcd.hadron.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

final class InputStoreTest {
  private static final UnitKey UNIT = new UnitKey(1, 0);

  private DistillationData data =
      DistillationData.open(List.of(Path.of("../examples/data/quenched_4x8_cfg0001.h5")));
  private final int eigenvectors = data.header().eigenvectors();
  private final TensorShape shape = TensorShape.mesonNode(eigenvectors);
  private final HostMemoryBudget ample = new HostMemoryBudget(200 * shape.bytes(), 0);
  private HostMemory target = HostMemory.allocate(1);

  @BeforeEach
  void allocate() {
    target.close();
    target = HostMemory.allocate(2 * shape.bytes());
  }

  @AfterEach
  void close() {
    target.close();
    data.close();
  }

  private static List<Input> blocks(int source) {
    List<Input> blocks = new ArrayList<>();
    for (int sink = 0; sink < 8; sink++) {
      blocks.add(new Input.Perambulator("light", sink, source));
    }
    return blocks;
  }

  private double[] load(InputStore store, Input block, boolean later) {
    return load(store, block, new Use(this, false, later));
  }

  private double[] load(InputStore store, Input block, Use use) {
    // Off the beginning, so that a wrong offset shows.
    store.load(UNIT, data, block, Rows.ALL, use, target, shape.bytes());
    double[] values = new double[(int) (shape.bytes() / Double.BYTES)];
    target.get(shape.bytes() / Double.BYTES, values, 0, values.length);
    return values;
  }

  private double[] direct(Input block) {
    data.load(block, target, 0);
    double[] values = new double[(int) (shape.bytes() / Double.BYTES)];
    target.get(0, values, 0, values.length);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void blocks_areThoseOfTheDataWhateverTheRoom(int readers) {
    for (long room : new long[] {0, shape.bytes(), 3 * shape.bytes(), 100 * shape.bytes()}) {
      try (InputStore store =
          new InputStore(
              HostMemoryBudget.unbounded(), room, eigenvectors, 3 * shape.bytes(), readers)) {
        store.prefetch(UNIT, data, blocks(0));
        store.prefetch(UNIT, data, blocks(5));
        // Used in another order than asked for, and some never asked for.
        for (Input block : blocks(5)) {
          assertArrayEquals(direct(block), load(store, block, false), block + " room " + room);
        }
        for (Input block : blocks(3)) {
          assertArrayEquals(direct(block), load(store, block, true), block + " room " + room);
        }
        store.drop(1);
        for (Input block : blocks(0)) {
          assertArrayEquals(direct(block), load(store, block, false), block + " room " + room);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void blocksOfAUnit_areReadOnce(int readers) {
    try (InputStore store =
        new InputStore(ample, 100 * shape.bytes(), eigenvectors, shape.bytes(), readers)) {
      store.prefetch(UNIT, data, blocks(0));
      blocks(0).forEach(block -> load(store, block, false));
      store.drop(1);
    }
    assertEquals(8, data.blocksRead());
  }

  @Test
  void blocksAtHand_areReadWhenTheyAreUsed() {
    List<Input> loaded = new CopyOnWriteArrayList<>();
    Input last = blocks(0).get(7);
    InputBlocks memory =
        new InputBlocks() {
          @Override
          public void load(Input input, Rows rows, HostMemory to, long offset) {
            loaded.add(input);
            data.load(input, rows, to, offset);
          }

          @Override
          public boolean isAtHand(Input input) {
            return !input.equals(last);
          }

          @Override
          public GammaBasis gammaBasis() {
            return data.gammaBasis();
          }
        };
    try (InputStore store =
        new InputStore(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      store.prefetch(UNIT, memory, blocks(0));
      for (Input block : List.of(last, blocks(0).get(3))) {
        store.load(UNIT, memory, block, Rows.ALL, new Use(this, false, false), target, 0);
      }
    }
    assertEquals(List.of(last, blocks(0).get(3)), loaded);
  }

  @Test
  void blocksThatALaterSourceUses_stay() {
    try (InputStore store =
        new InputStore(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      for (int uses = 0; uses < 3; uses++) {
        blocks(0).forEach(block -> load(store, block, true));
      }
    }
    assertEquals(8, data.blocksRead());
  }

  @Test
  void blocksInTheWay_areGivenUp_andReadAgain() {
    HostMemoryBudget budget = new HostMemoryBudget(8 * shape.bytes(), 0);
    try (InputStore store =
        new InputStore(budget, 8 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      blocks(0).forEach(block -> load(store, block, true));
      assertFalse(budget.tryReserve(1));
      budget.reserve(6 * shape.bytes());
      assertEquals(8 * shape.bytes(), budget.peakBytes());
      blocks(0).forEach(block -> load(store, block, true));
      // Two of the eight had stayed.
      assertEquals(14, data.blocksRead());
      budget.reserve(3 * shape.bytes());
      assertEquals(9 * shape.bytes(), budget.peakBytes());
      budget.release(9 * shape.bytes());
    }
    assertTrue(budget.tryReserve(8 * shape.bytes()));
  }

  @Test
  void blocksThatTheQueueLoadsAgain_stayUntilTheirRelease_beforeThoseOfLaterSources() {
    HostMemoryBudget budget = new HostMemoryBudget(8 * shape.bytes(), 0);
    try (InputStore store =
        new InputStore(budget, 4 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      // Four blocks at most wait for a later source.
      blocks(1).forEach(block -> load(store, block, true));
      assertEquals(4 * shape.bytes(), budget.peakBytes());
      for (Input block : blocks(0)) {
        load(store, block, new Use("queue", true, false));
        load(store, block, new Use("other queue", true, false));
      }
      assertEquals(16, data.blocksRead());
      assertEquals(8 * shape.bytes(), budget.peakBytes());
      // None of them gives way, neither to buffers nor to what is read ahead.
      assertFalse(budget.reclaim(shape.bytes()));
      store.prefetch(UNIT, data, blocks(2));
      for (Input block : blocks(0)) {
        assertArrayEquals(direct(block), load(store, block, new Use("queue", false, false)));
        store.release(UNIT, block, Rows.ALL, "other queue");
      }
      blocks(2).forEach(block -> load(store, block, false));
      assertEquals(32, data.blocksRead());
      assertTrue(budget.reclaim(8 * shape.bytes()));
      budget.release(8 * shape.bytes());
    }
    assertTrue(budget.tryReserve(8 * shape.bytes()));
  }

  @Test
  void rows_areKeptByThemselves_untilTheWholeBlockIsHere() {
    Input block =
        new Input.BaryonElemental("", new Momentum(0, 0, 0), 0, false, BaryonPart.Legs.NATURAL);
    int rows = eigenvectors / 2;
    long bytes = new Rows(0, rows).bytes(block, eigenvectors);
    RowNumbers numbers = new RowNumbers();
    HostMemoryBudget budget = new HostMemoryBudget(10 * bytes, 0);
    try (InputStore store = new InputStore(budget, 4 * bytes, eigenvectors, 0);
        HostMemory memory = HostMemory.allocate(2 * bytes)) {
      for (int times = 0; times < 2; times++) {
        for (int half = 0; half < 2; half++) {
          Rows asked = new Rows(half * rows, rows);
          boolean had =
              store.load(UNIT, numbers, block, asked, new Use(half, true, false), memory, 0);
          assertEquals(times > 0, had);
          assertEquals(asked.first(), first(memory));
        }
      }
      assertEquals(2, numbers.loads.get());
      assertEquals(2 * bytes, budget.peakBytes());
      store.prefetch(UNIT, numbers, List.of(block));
      // Waits until the block is here, whose rows then serve.
      while (numbers.loads.get() < 3) {
        Thread.onSpinWait();
      }
      for (int half = 0; half < 2; half++) {
        Rows asked = new Rows(half * rows, rows);
        assertTrue(store.load(UNIT, numbers, block, asked, new Use(half, false, false), memory, 0));
        assertEquals(asked.first(), first(memory));
      }
      assertEquals(3, numbers.loads.get());
      assertEquals(4 * bytes, budget.peakBytes());
      assertTrue(budget.reclaim(10 * bytes));
      budget.release(10 * bytes);
    }
  }

  @Test
  void missingBlock_isAFailureOfTheOneWhoNeedsIt() {
    Input missing = new Input.Perambulator("charm", 0, 0);
    try (InputStore store =
        new InputStore(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      store.prefetch(UNIT, data, List.of(missing, blocks(0).get(1)));
      assertThrows(DistillationException.class, () -> load(store, missing, false));
      assertArrayEquals(direct(blocks(0).get(1)), load(store, blocks(0).get(1), false));
    }
  }

  private static double first(HostMemory memory) {
    double[] value = new double[1];
    memory.get(0, value, 0, 1);
    return value[0];
  }

  /** Every number of a row is the number of the row. */
  private final class RowNumbers implements InputBlocks {
    private final AtomicInteger loads = new AtomicInteger();

    @Override
    public void load(Input input, Rows rows, HostMemory to, long offset) {
      int first = rows.isAll() ? 0 : rows.first();
      int count = rows.isAll() ? eigenvectors : rows.count();
      int length = (int) (new Rows(0, 1).bytes(input, eigenvectors) / Double.BYTES);
      for (int row = 0; row < count; row++) {
        double[] values = new double[length];
        Arrays.fill(values, first + row);
        to.put(offset / Double.BYTES + (long) row * length, values, 0, length);
      }
      loads.incrementAndGet();
    }

    @Override
    public GammaBasis gammaBasis() {
      return GammaBasis.DEGRAND_ROSSI;
    }
  }
}
