package org.starlingqcd.hadron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.Rows;

/** Compares data block by block. */
public final class SameBlocks {
  private SameBlocks() {}

  /** Everything that data hold. */
  public static List<Input> everything(DistillationData data) {
    return data.blocks()
        .blocks(b -> b instanceof DataBlock.Perambulator || b instanceof DataBlock.Elemental)
        .map(DataBlock::input)
        .toList();
  }

  private static double[] load(DistillationData data, Input input, Rows rows, int doubles) {
    try (HostMemory memory = HostMemory.allocate((long) doubles * Double.BYTES)) {
      data.load(input, rows, memory, 0);
      double[] numbers = new double[doubles];
      memory.get(0, numbers, 0, doubles);
      return numbers;
    }
  }

  /**
   * Asserts that two hold the same numbers wherever {@code found} holds some.
   *
   * @param tolerance largest difference relative to the largest number of a block
   * @return blocks compared
   */
  public static int assertSame(
      DistillationData expected, DistillationData found, double tolerance) {
    assertEquals(expected.header().temporalExtent(), found.header().temporalExtent());
    assertEquals(expected.header().eigenvectors(), found.header().eigenvectors());
    List<Input> inputs = everything(found);
    int n = found.header().eigenvectors();
    for (Input input : inputs) {
      boolean baryon = input instanceof Input.BaryonElemental;
      long bytes = input.bytes(n);
      int doubles = (int) (bytes / Double.BYTES);
      assertClose(
          input,
          load(expected, input, Rows.ALL, doubles),
          load(found, input, Rows.ALL, doubles),
          tolerance);
      if (baryon) {
        Rows rows = new Rows(n / 2, n / 4);
        int some = doubles / n * (n / 4);
        assertClose(
            input, load(expected, input, rows, some), load(found, input, rows, some), tolerance);
      }
    }
    return inputs.size();
  }

  private static void assertClose(
      Input input, double[] expected, double[] found, double tolerance) {
    double largest = 0;
    double difference = 0;
    for (int k = 0; k < expected.length; k++) {
      largest = Math.max(largest, Math.abs(expected[k]));
      difference = Math.max(difference, Math.abs(expected[k] - found[k]));
    }
    assertTrue(difference <= tolerance * largest, input + ": " + difference + " of " + largest);
  }
}
