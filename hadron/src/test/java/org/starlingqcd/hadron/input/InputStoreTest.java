package org.starlingqcd.hadron.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.memhc.access.HeldInput;

final class InputStoreTest {
  private static final UnitKey UNIT = new UnitKey(1, 0);

  private final AtomicInteger notKept = new AtomicInteger();

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
    return load(store, request(block, this, false, later));
  }

  private static BlockRequest request(Input block, Object user, boolean again, boolean later) {
    return new BlockRequest(block, Rows.ALL, user, again, later);
  }

  private double[] load(InputStore store, BlockRequest request) {
    // Off the beginning, so that a wrong offset shows.
    store.load(UNIT, data, request, target, shape.bytes());
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
          store(HostMemoryBudget.unbounded(), room, 3 * shape.bytes(), PageLocked.NONE, readers)) {
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
        store(ample, 100 * shape.bytes(), shape.bytes(), PageLocked.NONE, readers)) {
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
    try (InputStore store = store(ample, 100 * shape.bytes(), 3 * shape.bytes())) {
      store.prefetch(UNIT, memory, blocks(0));
      for (Input block : List.of(last, blocks(0).get(3))) {
        store.load(UNIT, memory, request(block, this, false, false), target, 0);
      }
    }
    assertEquals(List.of(last, blocks(0).get(3)), loaded);
  }

  @Test
  void blocksThatALaterSourceUses_stay() {
    try (InputStore store = store(ample, 100 * shape.bytes(), 3 * shape.bytes())) {
      for (int uses = 0; uses < 3; uses++) {
        blocks(0).forEach(block -> load(store, block, true));
      }
    }
    assertEquals(8, data.blocksRead());
  }

  @Test
  void blocksInTheWay_areGivenUp_andReadAgain() {
    HostMemoryBudget budget = new HostMemoryBudget(8 * shape.bytes(), 0);
    try (InputStore store = store(budget, 8 * shape.bytes(), 3 * shape.bytes())) {
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
    try (InputStore store = store(budget, 4 * shape.bytes(), 3 * shape.bytes())) {
      // Four blocks at most wait for a later source.
      blocks(1).forEach(block -> load(store, block, true));
      assertEquals(4 * shape.bytes(), budget.peakBytes());
      for (Input block : blocks(0)) {
        load(store, request(block, "queue", true, false));
        load(store, request(block, "other queue", true, false));
      }
      assertEquals(16, data.blocksRead());
      assertEquals(8 * shape.bytes(), budget.peakBytes());
      // None of them gives way, neither to buffers nor to what is read ahead.
      assertFalse(budget.reclaim(shape.bytes()));
      store.prefetch(UNIT, data, blocks(2));
      for (Input block : blocks(0)) {
        assertArrayEquals(direct(block), load(store, request(block, "queue", false, false)));
        store.release(UNIT, request(block, "other queue", false, false));
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
    try (InputStore store = store(budget, 4 * bytes, 0);
        HostMemory memory = HostMemory.allocate(2 * bytes)) {
      for (int times = 0; times < 2; times++) {
        for (int half = 0; half < 2; half++) {
          Rows asked = new Rows(half * rows, rows);
          boolean had =
              store.load(
                  UNIT, numbers, new BlockRequest(block, asked, half, true, false), memory, 0);
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
        assertTrue(
            store.load(
                UNIT, numbers, new BlockRequest(block, asked, half, false, false), memory, 0));
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
    try (InputStore store = store(ample, 100 * shape.bytes(), 3 * shape.bytes())) {
      store.prefetch(UNIT, data, List.of(missing, blocks(0).get(1)));
      assertThrows(DistillationException.class, () -> load(store, missing, false));
      assertArrayEquals(direct(blocks(0).get(1)), load(store, blocks(0).get(1), false));
    }
  }

  /** Page-locked memory of a device that has so many bytes, which need not be told apart. */
  private static PageLocked pageLocked(long bytes) {
    AtomicLong left = new AtomicLong(bytes);
    return asked -> {
      if (left.addAndGet(-asked) < 0) {
        left.addAndGet(asked);
        return null;
      }
      HostMemory memory = HostMemory.allocate(asked);
      return new HostMemory(
          memory.address(),
          asked,
          address -> {
            left.addAndGet(asked);
            memory.close();
          });
    };
  }

  private InputStore store(HostMemoryBudget budget, long aheadBytes, long batchBytes) {
    return store(budget, aheadBytes, batchBytes, PageLocked.NONE, 1);
  }

  private InputStore store(
      HostMemoryBudget budget, long ahead, long batch, PageLocked pageLocked, int readers) {
    return new InputStore(
        budget, ahead, eigenvectors, batch, Precision.DOUBLE, pageLocked, readers);
  }

  private InputStore storeWith(PageLocked pageLocked, HostMemoryBudget budget) {
    return store(budget, 20 * shape.bytes(), 3 * shape.bytes(), pageLocked, 2);
  }

  /** Where blocks were read to, by their addresses. */
  private final class Places implements InputBlocks {
    private final Map<Input, Long> read = new ConcurrentHashMap<>();

    @Override
    public void load(Input input, Rows rows, HostMemory to, long offset) {
      data.load(input, rows, to, offset);
      read.put(input, to.address() + offset);
    }

    @Override
    public @Nullable Input next(Input input) {
      return data.next(input);
    }

    @Override
    public void loadRun(List<Input> run, long bytes, HostMemory to, long offset) {
      data.loadRun(run, bytes, to, offset);
      for (int k = 0; k < run.size(); k++) {
        read.put(run.get(k), to.address() + offset + k * bytes);
      }
    }

    @Override
    public GammaBasis gammaBasis() {
      return data.gammaBasis();
    }
  }

  private @Nullable HeldInput hold(InputStore store, InputBlocks from, BlockRequest request) {
    return store.hold(UNIT, from, request, notKept::incrementAndGet);
  }

  /** Reads a block on one thread; returns whether it had been kept. */
  private boolean read(HeldInput held) {
    int before = notKept.get();
    held.read();
    return notKept.get() == before;
  }

  private double[] numbers(HeldInput held) {
    double[] values = new double[(int) (shape.bytes() / Double.BYTES)];
    held.memory().get(held.offset() / Double.BYTES, values, 0, values.length);
    return values;
  }

  private void assertHolds(Input block, HeldInput held) {
    double[] expected = new double[(int) (shape.bytes() / Double.BYTES)];
    try (HostMemory plain = HostMemory.allocate(shape.bytes())) {
      data.load(block, plain, 0);
      plain.get(0, expected, 0, expected.length);
    }
    assertArrayEquals(expected, numbers(held));
  }

  /** Blocks that were read ahead, one by one or together, and others. */
  @Test
  void heldBlocks_areWhereTheyWereRead() {
    Places places = new Places();
    try (InputStore store = storeWith(pageLocked(100 * shape.bytes()), ample)) {
      store.prefetch(UNIT, places, blocks(0));
      List<HeldInput> all = new ArrayList<>();
      List<Input> inputs = new ArrayList<>(blocks(0));
      inputs.addAll(blocks(4));
      for (Input block : inputs) {
        HeldInput held = hold(store, places, request(block, this, false, false));
        assertFalse(read(held));
        all.add(held);
      }
      // All at once: no memory serves twice while it is held.
      for (int k = 0; k < inputs.size(); k++) {
        HeldInput held = all.get(k);
        assertEquals(places.read.get(inputs.get(k)), held.memory().address() + held.offset());
        assertArrayEquals(direct(inputs.get(k)), numbers(held), inputs.get(k).toString());
      }
      all.forEach(HeldInput::close);
    }
    assertTrue(ample.tryReserve(ample.otherBytes()));
  }

  /** What cannot be page-locked is read ahead into ordinary memory, and copied as before. */
  @Test
  void blocksBeyondPageLockedMemory_areLoaded() {
    try (InputStore store = storeWith(pageLocked(2 * shape.bytes()), ample)) {
      List<HeldInput> held = new ArrayList<>();
      for (Input block : blocks(0)) {
        HeldInput one = hold(store, data, request(block, this, false, false));
        if (one == null) {
          assertArrayEquals(direct(block), load(store, block, false));
        } else {
          one.read();
          held.add(one);
        }
      }
      assertEquals(2, held.size());
      for (int k = 0; k < 2; k++) {
        assertArrayEquals(direct(blocks(0).get(k)), numbers(held.get(k)));
        held.get(k).close();
      }
      // Its memory serves again.
      try (HeldInput again = hold(store, data, request(blocks(0).get(5), this, false, false))) {
        again.read();
        assertArrayEquals(direct(blocks(0).get(5)), numbers(again));
      }
    }
  }

  @Test
  void heldBlocks_ofTheQueue_areKeptUntilTheirRelease() {
    try (InputStore store = storeWith(pageLocked(100 * shape.bytes()), ample)) {
      for (int times = 0; times < 3; times++) {
        for (Input block : blocks(0)) {
          try (HeldInput held = hold(store, data, request(block, "queue", times < 2, false))) {
            assertEquals(times > 0, held.isRead());
            assertEquals(times > 0, read(held));
          }
        }
      }
      assertEquals(8, data.blocksRead());
      // Nobody needs them now.
      assertTrue(ample.reclaim(ample.otherBytes()));
      ample.release(ample.otherBytes());
    }
  }

  /** Two devices that need blocks at once, in opposite orders, with memory for a few of them. */
  @ParameterizedTest
  @ValueSource(longs = {3, 100})
  void heldBlocks_ofSeveralDevices_areReadByOne(long locked) throws Exception {
    try (InputStore store = storeWith(pageLocked(locked * shape.bytes()), ample)) {
      store.prefetch(UNIT, data, blocks(0).subList(2, 5));
      ExecutorService devices = Executors.newFixedThreadPool(2);
      List<Input> backward = new ArrayList<>(blocks(0));
      Collections.reverse(backward);
      List<Future<?>> done = new ArrayList<>();
      for (List<Input> order : List.of(blocks(0), backward)) {
        done.add(devices.submit(() -> holdAll(store, order)));
      }
      for (Future<?> one : done) {
        one.get(60, TimeUnit.SECONDS);
      }
      devices.shutdown();
    }
    assertTrue(ample.tryReserve(ample.otherBytes()));
  }

  /** Asks for all, then reads them one after the other, as MemHC does. */
  private void holdAll(InputStore store, List<Input> order) {
    Map<Input, HeldInput> held = new LinkedHashMap<>();
    for (Input block : order) {
      HeldInput one = hold(store, data, request(block, order, false, true));
      if (one != null) {
        held.put(block, one);
      }
    }
    held.forEach(
        (block, one) -> {
          one.read();
          assertHolds(block, one);
        });
    held.values().forEach(HeldInput::close);
  }

  @Test
  void heldBlockThatIsMissing_isAFailureOfTheOneWhoNeedsIt() {
    Input missing = new Input.Perambulator("charm", 0, 0);
    try (InputStore store = storeWith(pageLocked(100 * shape.bytes()), ample)) {
      store.prefetch(UNIT, data, List.of(missing));
      for (int times = 0; times < 2; times++) {
        try (HeldInput held = hold(store, data, request(missing, this, false, false))) {
          assertThrows(DistillationException.class, held::read);
        }
      }
      // Asked for, and not needed after all.
      hold(store, data, request(missing, this, false, false)).close();
    }
    assertTrue(ample.tryReserve(ample.otherBytes()));
  }

  /** What was asked for while it was read ahead, in vain, is read again. */
  @Test
  void heldBlockWhoseReadingAheadFails_isReadByTheOneWhoNeedsIt() {
    Input block = new Input.Perambulator("light", 0, 0);
    FirstFails failing = new FirstFails();
    try (InputStore store = storeWith(pageLocked(100 * shape.bytes()), ample)) {
      store.prefetch(UNIT, failing, List.of(block));
      failing.begun.join();
      try (HeldInput held = hold(store, failing, request(block, this, false, false))) {
        failing.asked.complete(null);
        held.read();
        assertHolds(block, held);
      }
    }
  }

  @Test
  void heldRows_areThoseOfTheWholeBlock_whereItIsHere() {
    Input block =
        new Input.BaryonElemental("", new Momentum(0, 0, 0), 0, false, BaryonPart.Legs.NATURAL);
    RowNumbers numbers = new RowNumbers();
    Rows second = new Rows(eigenvectors / 2, eigenvectors / 2);
    try (InputStore store = storeWith(pageLocked(100 * shape.bytes()), ample)) {
      for (boolean whole : new boolean[] {false, true}) {
        if (whole) {
          store.prefetch(UNIT, numbers, List.of(block));
          while (numbers.loads.get() < 2) {
            Thread.onSpinWait();
          }
        }
        try (HeldInput held =
            hold(store, numbers, new BlockRequest(block, second, 1, true, false))) {
          assertEquals(whole, read(held));
          double[] value = new double[1];
          held.memory().get(held.offset() / Double.BYTES, value, 0, 1);
          assertEquals(second.first(), value[0]);
        }
      }
      assertEquals(2, numbers.loads.get());
    }
  }

  private static double first(HostMemory memory) {
    double[] value = new double[1];
    memory.get(0, value, 0, 1);
    return value[0];
  }

  /** Data that cannot be read at first, which they find out when somebody has asked for them. */
  private final class FirstFails implements InputBlocks {
    private final CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> asked = new CompletableFuture<>();

    @Override
    public void load(Input input, Rows rows, HostMemory to, long offset) {
      if (begun.complete(null)) {
        asked.join();
        throw new DistillationException("not yet");
      }
      data.load(input, rows, to, offset);
    }

    @Override
    public GammaBasis gammaBasis() {
      return data.gammaBasis();
    }
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
