package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.DryDevice;
import org.starlingqcd.memhc.replay.NoData;

/** Inputs that several queues share stay on the device between them, and leave first. */
final class KeptInputsTest {
  private static final TensorShape NODE = TensorShape.mesonNode(4);

  /** Four queues of eight products each; all share their inputs, in other slots each time. */
  private static MemoryStatistics run(int blocks, boolean keep) {
    int inputs = 16;
    MemHCOptions options = MemHCOptions.ofBudget(blocks * NODE.bytes()).withPrefetch(0);
    try (MemHC memory = MemHC.open(new DryDevice(), options)) {
      for (int k = 0; k < inputs; k++) {
        memory.addInput(NODE, NoData.INSTANCE);
      }
      for (int k = 0; k < inputs / 2; k++) {
        memory.addIntermediate(NODE);
      }
      for (int round = 0; round < 4; round++) {
        AccessQueue.Builder queue = AccessQueue.builder();
        for (int k = 0; k < inputs / 2; k++) {
          queue.step(new int[] {2 * k, 2 * k + 1}, new int[] {inputs + k});
        }
        int shift = 5 * round;
        boolean last = round == 3;
        memory.schedule(
            queue.endVector().build(), slot -> 1 + (slot + shift) % inputs, slot -> keep && !last);
        for (int k = 0; k < inputs / 2; k++) {
          memory.pin(new int[] {2 * k, 2 * k + 1}, 2, new int[] {inputs + k}, 1);
          memory.launched();
          memory.audit();
        }
        memory.releaseAll();
        memory.audit();
      }
      return memory.statistics();
    }
  }

  @Test
  void inputsOfLaterQueues_areCopiedOnce_whereThereIsRoom() {
    assertEquals(16 * NODE.bytes(), run(24, true).bytesToDevice());
    assertEquals(4 * 16 * NODE.bytes(), run(24, false).bytesToDevice());
  }

  @Test
  void keptInputs_leaveBeforeAnythingIsEvicted() {
    MemoryStatistics with = run(8, true);
    MemoryStatistics without = run(8, false);
    assertEquals(without.evictions(), with.evictions());
    assertEquals(8 * NODE.bytes(), with.peakDeviceBytes());
  }
}
