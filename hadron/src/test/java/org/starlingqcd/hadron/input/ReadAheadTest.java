package org.starlingqcd.hadron.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.Rows;

final class ReadAheadTest {
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

  private double[] load(ReadAhead readAhead, Input block, boolean later) {
    // Off the beginning, so that a wrong offset shows.
    readAhead.load(UNIT, data, block, Rows.ALL, other -> later, target, shape.bytes());
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

  @Test
  void blocks_areThoseOfTheDataWhateverTheRoom() {
    for (long room : new long[] {0, shape.bytes(), 3 * shape.bytes(), 100 * shape.bytes()}) {
      try (ReadAhead readAhead =
          new ReadAhead(HostMemoryBudget.unbounded(), room, eigenvectors, 3 * shape.bytes())) {
        readAhead.prefetch(UNIT, data, blocks(0));
        readAhead.prefetch(UNIT, data, blocks(5));
        // Used in another order than asked for, and some never asked for.
        for (Input block : blocks(5)) {
          assertArrayEquals(direct(block), load(readAhead, block, false), block + " room " + room);
        }
        for (Input block : blocks(3)) {
          assertArrayEquals(direct(block), load(readAhead, block, true), block + " room " + room);
        }
        readAhead.drop(1);
        for (Input block : blocks(0)) {
          assertArrayEquals(direct(block), load(readAhead, block, false), block + " room " + room);
        }
      }
    }
  }

  @Test
  void blocksOfAUnit_areReadOnce() {
    try (ReadAhead readAhead =
        new ReadAhead(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      readAhead.prefetch(UNIT, data, blocks(0));
      blocks(0).forEach(block -> load(readAhead, block, false));
      readAhead.drop(1);
    }
    assertEquals(8, data.blocksRead());
  }

  @Test
  void blocksThatALaterSourceUses_stay() {
    try (ReadAhead readAhead =
        new ReadAhead(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      for (int uses = 0; uses < 3; uses++) {
        blocks(0).forEach(block -> load(readAhead, block, true));
      }
    }
    assertEquals(8, data.blocksRead());
  }

  @Test
  void blocksInTheWay_areGivenUp_andReadAgain() {
    HostMemoryBudget budget = new HostMemoryBudget(8 * shape.bytes(), 0);
    try (ReadAhead readAhead =
        new ReadAhead(budget, 8 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      blocks(0).forEach(block -> load(readAhead, block, true));
      assertFalse(budget.tryReserve(1));
      budget.reserve(6 * shape.bytes());
      assertEquals(8 * shape.bytes(), budget.peakBytes());
      blocks(0).forEach(block -> load(readAhead, block, true));
      // Two of the eight had stayed.
      assertEquals(14, data.blocksRead());
      budget.reserve(3 * shape.bytes());
      assertEquals(9 * shape.bytes(), budget.peakBytes());
      budget.release(9 * shape.bytes());
    }
    assertTrue(budget.tryReserve(8 * shape.bytes()));
  }

  @Test
  void missingBlock_isAFailureOfTheOneWhoNeedsIt() {
    Input missing = new Input.Perambulator("charm", 0, 0);
    try (ReadAhead readAhead =
        new ReadAhead(ample, 100 * shape.bytes(), eigenvectors, 3 * shape.bytes())) {
      readAhead.prefetch(UNIT, data, List.of(missing, blocks(0).get(1)));
      assertThrows(DistillationException.class, () -> load(readAhead, missing, false));
      assertArrayEquals(direct(blocks(0).get(1)), load(readAhead, blocks(0).get(1), false));
    }
  }
}
