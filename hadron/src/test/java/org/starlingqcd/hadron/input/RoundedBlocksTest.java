package org.starlingqcd.hadron.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

final class RoundedBlocksTest {
  private static final int N = 3;
  private static final UnitKey UNIT = new UnitKey(1, 0);
  private static final TensorShape SINGLE = TensorShape.mesonNode(N).in(Precision.SINGLE);
  private static final Input BARYON =
      new Input.BaryonElemental("", new Momentum(0, 0, 0), 0, false, BaryonPart.Legs.NATURAL);

  private final AtomicInteger read = new AtomicInteger();
  private final Numbers data = new Numbers();
  private final HostMemory target = HostMemory.allocate(20 * SINGLE.bytes());

  @AfterEach
  void free() {
    target.close();
  }

  /** Numbers that no float equals; the block of one time has a number that is too large. */
  private final class Numbers implements InputBlocks {
    int tooLarge = -1;

    double[] of(Input input) {
      double[] numbers =
          new Random(input.toString().hashCode())
              .doubles(input.bytes(N) / Double.BYTES, -1, 1)
              .toArray();
      if (input instanceof Input.Perambulator line && line.sinkTime() == tooLarge) {
        numbers[7] = 1e39;
      }
      return numbers;
    }

    @Override
    public void load(Input input, Rows rows, HostMemory to, long offset) {
      read.incrementAndGet();
      int first = rows.isAll() ? 0 : (int) (rows.offset(input, N, Precision.DOUBLE) / Double.BYTES);
      to.put(offset / Double.BYTES, of(input), first, (int) (rows.bytes(input, N) / Double.BYTES));
    }

    @Override
    public GammaBasis gammaBasis() {
      return GammaBasis.DEGRAND_ROSSI;
    }
  }

  private static List<Input> lines(int count) {
    return IntStream.range(0, count)
        .<Input>mapToObj(sink -> new Input.Perambulator("light", sink, 0))
        .toList();
  }

  private static float[] rounded(double[] numbers, int first, int count) {
    float[] rounded = new float[count];
    for (int k = 0; k < count; k++) {
      rounded[k] = (float) numbers[first + k];
    }
    return rounded;
  }

  private float[] rounded(Input input) {
    double[] numbers = data.of(input);
    return rounded(numbers, 0, numbers.length);
  }

  /** Floats of the target, which holds two of them in place of a double. */
  private float[] floats(long offset, int count) {
    double[] pairs = new double[count / 2];
    target.get(offset / Double.BYTES, pairs, 0, pairs.length);
    float[] floats = new float[count];
    for (int k = 0; k < count; k++) {
      long bits = Double.doubleToRawLongBits(pairs[k / 2]);
      floats[k] = Float.intBitsToFloat((int) (k % 2 == 0 ? bits : bits >>> Float.SIZE));
    }
    return floats;
  }

  @Test
  void blocksRowsAndRuns_areRoundedOnce() {
    HostMemoryBudget budget = new HostMemoryBudget(1 << 20, 0);
    try (RoundedBlocks single = new RoundedBlocks(data, N, budget)) {
      assertEquals(Precision.SINGLE, single.precision());
      Input line = lines(1).get(0);
      single.load(line, target, 16);
      assertArrayEquals(rounded(line), floats(16, rounded(line).length));
      Rows rows = new Rows(1, 2);
      single.load(BARYON, rows, target, 8);
      assertArrayEquals(
          rounded(data.of(BARYON), 2 * N * N, 4 * N * N), floats(8, 4 * N * N), "rows");
      single.loadRun(lines(4), SINGLE.bytes(), target, 32);
      for (int k = 0; k < 4; k++) {
        Input each = lines(4).get(k);
        assertArrayEquals(
            rounded(each), floats(32 + k * SINGLE.bytes(), rounded(each).length), each.toString());
      }
    }
    assertTrue(budget.tryReserve(budget.otherBytes()), "all is given back");
  }

  @Test
  void run_withoutMemoryForAllOfIt_isReadBlockByBlock() {
    HostMemoryBudget budget = new HostMemoryBudget(3 * SINGLE.bytes(), 0);
    try (RoundedBlocks single = new RoundedBlocks(data, N, budget)) {
      single.loadRun(lines(4), SINGLE.bytes(), target, 0);
      Input last = lines(4).get(3);
      assertArrayEquals(rounded(last), floats(3 * SINGLE.bytes(), rounded(last).length));
    }
    assertEquals(2 * SINGLE.bytes(), budget.peakBytes());
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void store_holdsTwiceAsManyBlocksInSinglePrecision(Precision precision) {
    // Eight blocks in single precision, and one in double precision that is being read.
    HostMemoryBudget budget = new HostMemoryBudget(10 * SINGLE.bytes(), 0);
    try (RoundedBlocks single = new RoundedBlocks(data, N, budget);
        InputStore store =
            new InputStore(budget, 8 * SINGLE.bytes(), N, 0, precision, PageLocked.NONE)) {
      InputBlocks blocks = precision == Precision.SINGLE ? single : data;
      for (int round = 0; round < 2; round++) {
        for (Input line : lines(8)) {
          store.load(UNIT, blocks, new BlockRequest(line, Rows.ALL, this, false, true), target, 0);
        }
      }
    }
    // The store keeps the first ones that fit; the others are read again.
    assertEquals(precision == Precision.SINGLE ? 8 : 8 + 4, read.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 100})
  void store_hasTheSameNumbersWhateverTheRoom(int blocks) {
    HostMemoryBudget budget = new HostMemoryBudget(200 * SINGLE.bytes(), 0);
    try (RoundedBlocks single = new RoundedBlocks(data, N, budget);
        InputStore store =
            new InputStore(
                budget,
                blocks * SINGLE.bytes(),
                N,
                4 * SINGLE.bytes(),
                Precision.SINGLE,
                PageLocked.NONE)) {
      store.prefetch(UNIT, single, lines(8));
      for (Input line : lines(8)) {
        store.load(UNIT, single, new BlockRequest(line, Rows.ALL, this, false, false), target, 8);
        assertArrayEquals(rounded(line), floats(8, rounded(line).length), line.toString());
      }
      for (Rows rows : List.of(Rows.ALL, new Rows(2, 1), new Rows(1, 1))) {
        store.load(UNIT, single, new BlockRequest(BARYON, rows, this, true, false), target, 8);
        int first = rows.isAll() ? 0 : 2 * N * N * rows.first();
        int count = 2 * N * N * (rows.isAll() ? N : rows.count());
        assertArrayEquals(
            rounded(data.of(BARYON), first, count), floats(8, count), rows.toString());
      }
    }
    assertTrue(budget.tryReserve(budget.otherBytes()), "all is given back");
  }

  @Test
  void numberThatIsTooLarge_isSaidToWhoeverNeedsTheBlock() {
    data.tooLarge = 2;
    HostMemoryBudget budget = new HostMemoryBudget(1 << 20, 0);
    try (RoundedBlocks single = new RoundedBlocks(data, N, budget);
        InputStore store =
            new InputStore(budget, 1 << 19, N, 0, Precision.SINGLE, PageLocked.NONE)) {
      store.prefetch(UNIT, single, lines(4));
      store.load(
          UNIT, single, new BlockRequest(lines(4).get(1), Rows.ALL, this, false, false), target, 0);
      Input bad = lines(4).get(2);
      String message =
          TestData.refusal(
              () ->
                  store.load(
                      UNIT,
                      single,
                      new BlockRequest(bad, Rows.ALL, this, false, false),
                      target,
                      0));
      assertEquals(
          bad + " has a number that is too large for single precision; use --precision double",
          message);
    }
  }
}
