package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.transfer.SpillException;

/** Every way to go wrong that the design of MemHC names, and a few more. */
final class MemHCPitfallsTest {
  private static final TensorShape NODE = new TensorShape(16, 2, 1);
  private static final TensorShape SMALL = new TensorShape(1, 2, 1);
  private static final TensorShape LARGE = new TensorShape(16, 2, 2);
  private static final String POLICIES = "org.starlingqcd.memhc.policy.EvictionPolicies#names";

  @TempDir private Path folder = Path.of("");

  /** Runs a workbench and returns the counters; everything is checked by the workbench. */
  private static MemoryStatistics run(Workbench bench, MemHCOptions options, boolean scheduled) {
    LazyDevice device = new LazyDevice(options.budgetBytes(), 3);
    MemoryStatistics statistics;
    try (MemHC memory = MemHC.open(device, options)) {
      bench.addTo(memory);
      if (scheduled) {
        memory.schedule(bench.queue());
      }
      bench.run(memory, device);
      statistics = memory.statistics();
    }
    assertEquals(0, device.allocatedBytes());
    device.close();
    return statistics;
  }

  /** A vector of products of two inputs each, all outputs kept. */
  private static Workbench vector(int contractions, TensorShape in, TensorShape out) {
    Workbench bench = new Workbench();
    for (int k = 0; k < contractions; k++) {
      int left = bench.add(in, true);
      int right = bench.add(in, true);
      int made = bench.add(out, false);
      bench.steps.add(new int[][] {{left, right}, {made}});
      bench.kept.add(made);
    }
    bench.vectorEnds.add(contractions);
    return bench;
  }

  @ParameterizedTest
  @MethodSource(POLICIES)
  void budgetBelowOneVector_vectorIsSplit(String policy) {
    Workbench bench = vector(10, NODE, NODE);
    MemHCOptions options = MemHCOptions.ofBudget(4 * NODE.bytes()).withPolicy(policy);
    assertTrue(run(bench, options, true).dirtyEvictions() >= 6, "results had to leave");
    run(bench, options, false);
  }

  @ParameterizedTest
  @MethodSource(POLICIES)
  void budgetOfOneWorkingSet_completes(String policy) {
    Workbench bench = vector(10, NODE, NODE);
    MemHCOptions options = MemHCOptions.ofBudget(3 * NODE.bytes()).withPolicy(policy);
    assertEquals(3 * NODE.bytes(), run(bench, options, true).peakDeviceBytes());
  }

  @Test
  void bothInputsTheSame_oneBlockTwoLookUps() {
    Workbench bench = new Workbench();
    int in = bench.add(NODE, true);
    int out = bench.add(NODE, false);
    bench.steps.add(new int[][] {{in, in}, {out}});
    bench.vectorEnds.add(1);
    bench.kept.add(out);
    MemoryStatistics counted = run(bench, MemHCOptions.ofBudget(2 * NODE.bytes()), true);
    assertEquals(2, counted.allocations());
    assertEquals(1, counted.hits());
    assertEquals(2, counted.misses());
  }

  /** The device is emptied for a step that uses a value for the last time. */
  @Test
  void memoryInPieces_valueOfTheStepIsNotLost() {
    Workbench bench = new Workbench();
    int[] in = new int[4];
    for (int k = 0; k < in.length; k++) {
      in[k] = bench.add(NODE, true);
    }
    int value = bench.add(NODE, false);
    int last = bench.add(NODE, false);
    bench.steps.add(new int[][] {{in[0], in[1]}, {value}});
    bench.steps.add(new int[][] {{value, in[2]}, {last}});
    bench.steps.add(new int[][] {{in[0], in[1]}, {bench.add(NODE, false)}});
    bench.kept.add(last);
    bench.kept.add(last + 1);
    for (int k = 1; k <= 3; k++) {
      bench.vectorEnds.add(k);
    }
    MemHCOptions options =
        MemHCOptions.ofBudget(3 * NODE.bytes())
            .withPolicy("lru")
            .withOverwriteVictims(false)
            .withPrefetch(0);
    LazyDevice device = new LazyDevice(options.budgetBytes(), 3);
    device.refuseAfter(3, 2);
    try (MemHC memory = MemHC.open(device, options)) {
      bench.addTo(memory);
      memory.schedule(bench.queue());
      bench.run(memory, device);
      assertTrue(memory.statistics().dirtyEvictions() > 0, "the value left and came back");
    }
    device.close();
  }

  @Test
  void outputAsLargeAsThePool_poolIsReturned() {
    Workbench bench = new Workbench();
    for (int k = 0; k < 62; k++) {
      int left = bench.add(SMALL, true);
      int right = bench.add(SMALL, true);
      bench.steps.add(new int[][] {{left, right}, {bench.add(SMALL, false)}});
      bench.vectorEnds.add(k + 1);
    }
    int out = bench.add(LARGE, false);
    bench.steps.add(new int[][] {{0, 1}, {out}});
    bench.vectorEnds.add(63);
    bench.kept.add(out);
    MemHCOptions options = MemHCOptions.ofBudget(LARGE.bytes() + 2 * SMALL.bytes());
    MemoryStatistics counted = run(bench, options.withPrefetch(0), true);
    assertEquals(0, counted.evictions(), "free_pool goes first");
    run(bench, options, false);
  }

  @ParameterizedTest
  @MethodSource(POLICIES)
  void mixedSizes_poolNeverMatches(String policy) {
    Workbench bench = new Workbench();
    for (int k = 0; k < 40; k++) {
      TensorShape shape = new TensorShape(1 + k, 2, 1);
      int left = bench.add(shape, true);
      int right = bench.add(new TensorShape(41 + k, 2, 1), true);
      int out = bench.add(new TensorShape(81 + k, 2, 1), false);
      bench.steps.add(new int[][] {{left, right}, {out}});
      bench.vectorEnds.add(k + 1);
      bench.kept.add(out);
    }
    MemHCOptions options =
        MemHCOptions.ofBudget(bench.largestWorkingSet() + 160).withPolicy(policy);
    MemoryStatistics counted = run(bench, options, true);
    assertEquals(0, counted.poolReuses());
    assertEquals(0, counted.victimReuses());
  }

  @Test
  void moreProtectedThanCapacity_completes() {
    Workbench bench = new Workbench();
    for (int k = 0; k < 12; k++) {
      bench.add(NODE, true);
    }
    for (int round = 0; round < 3; round++) {
      for (int k = 0; k < 12; k++) {
        int out = bench.add(NODE, false);
        bench.steps.add(new int[][] {{k, (k + 5) % 12}, {out}});
        bench.kept.add(out);
      }
      bench.vectorEnds.add(bench.steps.size());
    }
    MemHCOptions options = MemHCOptions.ofBudget(5 * NODE.bytes()).withPolicy("pre-protected-lru");
    run(bench, options, true);
    run(bench, options.withLiveness(false), true);
  }

  @Test
  void parentEvictedWithChildren_everyBlockReturns() {
    Workbench bench = vector(6, NODE, NODE);
    MemHCOptions options =
        MemHCOptions.ofBudget(3 * NODE.bytes())
            .withOptimizations(true, false, true)
            .withOverwriteVictims(false);
    MemoryStatistics counted = run(bench, options, true);
    assertTrue(counted.dirtyEvictions() >= 5, "evicted: " + counted);
    assertEquals(0, counted.allocations() % 16, "one allocation for each spin");
  }

  /** The kernels have not run when their output and input are evicted and overwritten. */
  @Test
  void victimInFlight_copiesWait() {
    for (long seed = 0; seed < 200; seed++) {
      LazyDevice device = new LazyDevice(3 * NODE.bytes(), seed);
      MemHCOptions options = MemHCOptions.ofBudget(3 * NODE.bytes());
      Workbench bench = vector(4, NODE, NODE);
      try (MemHC memory = MemHC.open(device, options)) {
        bench.addTo(memory);
        bench.run(memory, device);
      }
      device.close();
    }
  }

  @Test
  void hostReadOfAnEvictedIntermediate_copiesNothingMore() {
    Workbench bench = vector(3, NODE, NODE);
    LazyDevice device = new LazyDevice(3 * NODE.bytes(), 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(3 * NODE.bytes()))) {
      bench.addTo(memory);
      bench.run(memory, device);
      int evicted = bench.kept.get(0);
      assertFalse(memory.isResident(evicted));
      long before = memory.statistics().bytesToHost();
      assertArrayEquals(
          Objects.requireNonNull(bench.evaluate().get(evicted)), bench.read(memory, evicted));
      assertEquals(before, memory.statistics().bytesToHost());
    }
    device.close();
  }

  @Test
  void read_synchronizesThatElementOnly() {
    Workbench bench = vector(3, NODE, NODE);
    LazyDevice device = new LazyDevice(100 * NODE.bytes(), 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(100 * NODE.bytes()))) {
      bench.addTo(memory);
      bench.run(memory, device);
      assertEquals(3 * NODE.bytes(), memory.statistics().bytesToHost(), "the three that were read");
      memory.sync(bench.kept.get(1));
      memory.sync(bench.kept.get(1));
      assertEquals(4 * NODE.bytes(), memory.statistics().bytesToHost());
    }
    device.close();
  }

  @Test
  void releaseWhileInUse_waitsForTheLaunch() {
    LazyDevice device = new LazyDevice(3 * NODE.bytes(), 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(3 * NODE.bytes()))) {
      vector(1, NODE, NODE).addTo(memory);
      int[] inputs = {0, 1};
      int[] outputs = {2};
      assertTrue(memory.pin(inputs, 2, outputs, 1));
      memory.release(2);
      memory.release(0);
      memory.audit();
      assertTrue(memory.isResident(2), "still pinned");
      ContractionBatch batch = new ContractionBatch(1, 1, 1);
      batch.add(
          memory.memory(0), memory.memory(1), memory.memory(2), BatchSpinMapping.mesonProduct());
      device.contract(batch, device.computeStream());
      memory.launched();
      memory.audit();
      assertFalse(memory.isResident(2));
      assertFalse(memory.isResident(0));
      assertThrows(IllegalStateException.class, () -> memory.pin(outputs, 1, new int[0], 0));
      assertTrue(memory.pin(inputs, 2, outputs, 1), "an input can be used again");
      memory.launched();
    }
    device.close();
  }

  /** Prefetch with all the budget for itself loads no more than demand does. */
  @ParameterizedTest
  @MethodSource(POLICIES)
  void prefetch_neverEvictsWhatIsNeededSooner(String policy) {
    Workbench bench = new Workbench();
    for (int k = 0; k < 6; k++) {
      bench.add(NODE, true);
    }
    for (int round = 0; round < 20; round++) {
      int out = bench.add(NODE, false);
      bench.steps.add(new int[][] {{round % 6, (round + 1) % 6}, {out}});
      bench.vectorEnds.add(round + 1);
    }
    MemHCOptions options = MemHCOptions.ofBudget(4 * NODE.bytes()).withPolicy(policy);
    MemoryStatistics without = run(bench, options.withPrefetch(0), true);
    MemoryStatistics with = run(bench, options.withPrefetch(4 * NODE.bytes()), true);
    assertTrue(
        with.bytesToDevice() <= without.bytesToDevice() + 2 * NODE.bytes(),
        with.bytesToDevice() + " against " + without.bytesToDevice());
  }

  @Test
  void deviceShorterThanTheBooks_makesRoomOrSaysSo() {
    Workbench bench = vector(8, NODE, NODE);
    LazyDevice device = new LazyDevice(100 * NODE.bytes(), 1);
    device.shrinkTo(3 * NODE.bytes());
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(50 * NODE.bytes()))) {
      bench.addTo(memory);
      bench.run(memory, device);
      device.shrinkTo(2 * NODE.bytes());
      memory.releaseAll();
      int extra = memory.addIntermediate(LARGE);
      MemoryBudgetException short1 =
          assertThrows(
              MemoryBudgetException.class,
              () -> memory.pin(new int[] {0, 1}, 2, new int[] {extra}, 1));
      assertTrue(
          String.valueOf(short1.getMessage()).contains("less free memory than the budget"),
          short1.getMessage());
      memory.audit();
    }
    device.close();
  }

  @Test
  void contractionThatCannotFit_namesElementAndSmallestBudget() {
    Workbench bench = vector(1, NODE, LARGE);
    long needed = 2 * NODE.bytes() + LARGE.bytes();
    LazyDevice device = new LazyDevice(needed, 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(needed - 1))) {
      bench.addTo(memory);
      for (int attempt = 0; attempt < 2; attempt++) {
        boolean scheduled = attempt == 0;
        MemoryBudgetException tooSmall =
            assertThrows(
                MemoryBudgetException.class,
                () -> {
                  if (scheduled) {
                    memory.schedule(bench.queue());
                  }
                  memory.pin(new int[] {0, 1}, 2, new int[] {2}, 1);
                });
        assertEquals(2, tooSmall.element());
        assertEquals(LARGE.bytes(), tooSmall.elementBytes());
        assertEquals(needed - 1, tooSmall.budgetBytes());
        assertEquals(needed, tooSmall.smallestBudgetBytes());
        String message = String.valueOf(tooSmall.getMessage());
        assertTrue(message.startsWith("element 2 of 1024 bytes does not fit"), message);
        assertTrue(message.contains("the budget is 1535 bytes"), message);
        assertTrue(message.endsWith("the smallest that would do is 1536 bytes"), message);
        memory.audit();
      }
    }
    device.close();
    run(bench, MemHCOptions.ofBudget(needed), true);
  }

  @Test
  void spill_withoutRoom_saysWhatWouldHelp() throws IOException {
    Workbench bench = vector(5, NODE, NODE);
    MemHCOptions options = MemHCOptions.ofBudget(3 * NODE.bytes());
    SpillException noDirectory =
        assertThrows(
            SpillException.class, () -> run(bench, options.withTiers(NODE.bytes(), null, 0), true));
    assertTrue(
        String.valueOf(noDirectory.getMessage()).contains("no spill directory"),
        noDirectory.getMessage());
    SpillException bound =
        assertThrows(
            SpillException.class,
            () -> run(bench, options.withTiers(0, folder, 2 * NODE.bytes()), true));
    assertTrue(
        String.valueOf(bound.getMessage()).contains("its bound is 512;"), bound.getMessage());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.count(), "the spill file is gone after a failure too");
    }
  }

  @Test
  void spillFileOfAProcessThatDied_isDeletedAtTheNextStart() throws IOException {
    Path abandoned = Files.createFile(folder.resolve("starling-spill-123.tmp"));
    Path used = Files.createFile(folder.resolve("starling-spill-456.tmp"));
    Path other = Files.createFile(folder.resolve("results.h5"));
    LazyDevice device = new LazyDevice(1024, 1);
    try (FileChannel channel = FileChannel.open(used, StandardOpenOption.WRITE)) {
      assertTrue(channel.lock().isValid());
      MemHC.open(device, MemHCOptions.ofBudget(1024).withTiers(0, folder, 1024)).close();
      assertFalse(Files.exists(abandoned));
      assertTrue(Files.exists(used), "its lock is held");
      assertTrue(Files.exists(other));
    }
    device.close();
  }

  @Test
  void recomputation_dropsInsteadOfCopying() {
    Workbench bench = new Workbench();
    int a = bench.add(NODE, true);
    int b = bench.add(NODE, true);
    int made = bench.add(NODE, false);
    bench.steps.add(new int[][] {{a, b}, {made}});
    for (int k = 0; k < 6; k++) {
      int out = bench.add(LARGE, false);
      bench.steps.add(new int[][] {{a, b}, {out}});
    }
    int last = bench.add(NODE, false);
    bench.steps.add(new int[][] {{made, a}, {last}});
    for (int k = 0; k < bench.steps.size(); k++) {
      bench.vectorEnds.add(k + 1);
    }
    bench.kept.add(last);
    long budget = 2 * NODE.bytes() + LARGE.bytes();
    LazyDevice device = new LazyDevice(budget, 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(budget).withRecomputation(1))) {
      bench.addTo(memory);
      memory.recomputeWith(Workbench.again(device));
      memory.schedule(bench.queue());
      bench.run(memory, device);
      assertEquals(1, memory.statistics().recomputations());
      assertEquals(NODE.bytes(), memory.statistics().bytesToHost(), "the result alone");
    }
    device.close();
  }

  @Test
  void departingFromTheSchedule_isAnError() {
    Workbench bench = vector(2, NODE, NODE);
    LazyDevice device = new LazyDevice(6 * NODE.bytes(), 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(6 * NODE.bytes()))) {
      bench.addTo(memory);
      memory.schedule(bench.queue());
      assertThrows(
          IllegalStateException.class, () -> memory.pin(new int[] {3, 4}, 2, new int[] {5}, 1));
      assertThrows(IllegalStateException.class, () -> memory.memory(0));
      assertThrows(IndexOutOfBoundsException.class, () -> memory.release(99));
    }
    device.close();
  }
}
