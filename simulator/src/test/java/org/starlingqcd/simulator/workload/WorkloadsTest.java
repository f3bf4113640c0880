package org.starlingqcd.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.replay.Replay;

final class WorkloadsTest {
  /** Numbers of tasks as printed in the paper on stacked DRAM. */
  @ParameterizedTest
  @CsvSource({
    "cholesky:n=32, 5984",
    "smi:n=8, 360",
    "dgemm:n=16, 4352",
    "qr:n=64, 93536",
    "stream:n=256, 10496",
    "'vectors:size=8,oversubscription=1', 24",
  })
  void taskCounts(String workload, int steps) {
    assertEquals(steps, Workloads.make(workload, 1).queues().get(0).steps());
  }

  @Test
  void inPlace_aTileIsOneElement_andALoopAQueue() {
    AccessTrace dgemm = Workloads.make("dgemm:n=3", 1, true);
    assertEquals(3 * 9, dgemm.elements());
    assertEquals(9 + 3 * 27, dgemm.queues().get(0).accesses());
    AccessTrace cholesky = Workloads.make("cholesky:n=4", 1, true);
    assertEquals(10, cholesky.elements());
    for (boolean input : cholesky.input()) {
      assertTrue(input);
    }
    assertEquals(41, Workloads.make("stream:n=5", 1, true).queues().size());
    AccessTrace triad = Workloads.make("triad:n=5", 1, true);
    assertEquals(10, triad.queues().size());
    assertEquals(1, triad.queues().get(3).usesLeft(0));
    assertEquals(1, Workloads.make("triad:n=5", 1).queues().size());
    assertEquals(20, Workloads.make("redblack:n=5", 1, true).queues().size());
  }

  /** Each iteration of Gauss-Seidel is a wave front: its rounds are the diagonals of the blocks. */
  @Test
  void gauss_runsAlongTheDiagonals() {
    AccessTrace gauss = Workloads.make("gauss:n=4", 1, true);
    assertEquals(10, gauss.queues().size());
    AccessQueue iteration = gauss.queues().get(9);
    int[] tasks =
        IntStream.range(0, iteration.vectors())
            .map(k -> iteration.vectorStart(k + 1) - iteration.vectorStart(k))
            .toArray();
    assertArrayEquals(new int[] {1, 2, 3, 4, 3, 2, 1}, tasks);
  }

  @Test
  void everyWorkload_runsAndIsDrawnBySeed() {
    for (String example : Workloads.examples()) {
      String name = example.substring(0, example.indexOf(':'));
      AccessTrace trace = Workloads.make(name, 1);
      MemHCOptions options =
          MemHCOptions.ofBudget(Math.max(Replay.smallestBudget(trace), Replay.peakBytes(trace) / 4))
              .withPolicy("lru")
              .withPrefetch(0);
      assertEquals(
          Replay.run(Workloads.make(example, 1), options).cache(),
          Replay.run(trace, options).cache(),
          "the example has the defaults: " + name);
    }
    assertTrue(
        Workloads.make("tree:taxa=20", 1).queues().get(0).steps()
            != Workloads.make("tree:taxa=20", 2).queues().get(0).steps());
  }

  @Test
  void tree_readsTwoOverwritesOne() {
    AccessTrace trace = Workloads.make("tree:taxa=12,moves=30,radius=3", 5);
    assertEquals(1008, trace.bytes(0));
    assertEquals(128_000, trace.bytes(12));
    assertEquals(22, trace.elements());
    AccessQueue queue = trace.queues().get(0);
    Set<Integer> made = new HashSet<>();
    for (int step = 0; step < queue.steps(); step++) {
      assertTrue(queue.overwrites(step));
      assertEquals(2, queue.firstOutput(step) - queue.firstAccess(step));
      assertEquals(1, queue.firstAccess(step + 1) - queue.firstOutput(step));
      for (int k = queue.firstAccess(step); k < queue.firstOutput(step); k++) {
        int node = queue.element(k);
        assertTrue(node < 12 || made.contains(node), "a view is computed before it is read");
      }
      made.add(queue.element(queue.firstOutput(step)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "forest, no workload is called 'forest'",
    "tree:leaves=3, 'leaves=3'",
    "tree:taxa=, 'taxa='",
    "tree:taxa=2, taxa=2",
    "dgemm:n=0, n=0",
    "dgemm:n=1.5, whole number",
  })
  void nonsense_isNamed(String text, String message) {
    String said =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Workloads.make(text, 1))
                .getMessage());
    assertTrue(said.contains(message), said);
  }
}
