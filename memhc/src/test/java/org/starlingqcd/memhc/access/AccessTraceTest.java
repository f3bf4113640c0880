package org.starlingqcd.memhc.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.LazyDevice;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.Workbench;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.Replay;

final class AccessTraceTest {
  @TempDir private Path folder = Path.of("");

  private static void assertSame(AccessQueue expected, AccessQueue queue) {
    assertEquals(expected.steps(), queue.steps());
    assertEquals(expected.vectors(), queue.vectors());
    for (int vector = 0; vector <= expected.vectors(); vector++) {
      assertEquals(expected.vectorStart(vector), queue.vectorStart(vector));
    }
    for (int step = 0; step < expected.steps(); step++) {
      assertEquals(expected.firstOutput(step), queue.firstOutput(step));
      assertEquals(expected.firstAccess(step + 1), queue.firstAccess(step + 1));
    }
    for (int k = 0; k < expected.accesses(); k++) {
      assertEquals(expected.element(k), queue.element(k));
      assertEquals(expected.nextUse(k), queue.nextUse(k));
    }
    assertArrayEquals(expected.kept(), queue.kept());
    for (int step = 0; step < expected.steps(); step++) {
      assertEquals(expected.kind(step), queue.kind(step));
      assertEquals(expected.flops(step), queue.flops(step));
      assertEquals(expected.overwrites(step), queue.overwrites(step));
      assertEquals(expected.isRepeatable(step), queue.isRepeatable(step));
    }
  }

  private Path record(Workbench bench, boolean scheduled) {
    Path file = folder.resolve("run.trace");
    long budget = 2 * bench.largestWorkingSet();
    LazyDevice device = new LazyDevice(budget, 1);
    try (MemHC memory = MemHC.open(device, MemHCOptions.ofBudget(budget).withTrace(file))) {
      bench.addTo(memory);
      if (scheduled) {
        memory.schedule(bench.queue());
      }
      bench.run(memory, device);
    }
    device.close();
    return file;
  }

  @Test
  void recordedRun_readsBackAsItsQueue() throws IOException {
    for (int seed = 1; seed <= 20; seed++) {
      Workbench bench = Workbench.random(seed, 40);
      AccessTrace trace = AccessTrace.read(record(bench, true));
      assertEquals(1, trace.queues().size());
      assertSame(bench.queue(), trace.queues().get(0));
      assertEquals(bench.shapes.size(), trace.elements());
      for (int element = 0; element < trace.elements(); element++) {
        assertEquals(bench.shapes.get(element).bytes(), trace.bytes(element));
        assertEquals(bench.input.get(element), trace.input()[element]);
      }
    }
  }

  @Test
  void recordedRun_withoutSchedule_hasTheSameAccesses() throws IOException {
    Workbench bench = Workbench.random(7, 40);
    AccessQueue queue = AccessTrace.read(record(bench, false)).queues().get(0);
    AccessQueue expected = bench.queue();
    assertEquals(expected.accesses(), queue.accesses());
    for (int k = 0; k < expected.accesses(); k++) {
      assertEquals(expected.element(k), queue.element(k));
    }
    assertArrayEquals(expected.kept(), queue.kept());
  }

  @Test
  void replay_ofARecordedRun_countsTheSame() throws IOException {
    for (int seed = 1; seed <= 30; seed++) {
      Workbench bench = Workbench.random(seed, 60);
      AccessTrace trace = AccessTrace.read(record(bench, true));
      long budget = bench.largestWorkingSet() + 512;
      LazyDevice device = new LazyDevice(budget, seed);
      MemHCOptions options = MemHCOptions.ofBudget(budget);
      MemoryStatistics ran;
      try (MemHC memory = MemHC.open(device, options)) {
        bench.addTo(memory);
        memory.schedule(bench.queue());
        bench.run(memory, device);
        for (int element : bench.kept) {
          memory.sync(element);
        }
        ran = memory.statistics();
      }
      device.close();
      MemoryStatistics replayed = Replay.run(trace, options);
      assertEquals(ran.hits(), replayed.hits(), "seed " + seed);
      assertEquals(ran.misses(), replayed.misses(), "seed " + seed);
      assertEquals(ran.evictions(), replayed.evictions(), "seed " + seed);
      assertEquals(ran.bytesToDevice(), replayed.bytesToDevice(), "seed " + seed);
      assertEquals(ran.prefetches(), replayed.prefetches(), "seed " + seed);
    }
  }

  @Test
  void file_isCompact() throws IOException {
    Workbench bench = Workbench.random(3, 1000);
    long bytes = Files.size(record(bench, true));
    assertTrue(
        bytes
            < 3L * bench.queue().accesses() + 2L * bench.queue().steps() + 3L * bench.shapes.size(),
        "" + bytes);
  }

  @Test
  void damagedFile_isRefused() throws IOException {
    Path file = record(Workbench.random(2, 10), true);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      IOException cut = assertThrows(IOException.class, () -> AccessTrace.read(file));
      assertTrue(String.valueOf(cut.getMessage()).startsWith(file + ": "), cut.getMessage());
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x11;
      Files.write(file, flipped);
      assertThrows(IOException.class, () -> AccessTrace.read(file), "byte " + at);
    }
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    assertThrows(IOException.class, () -> AccessTrace.read(file));
  }

  @Test
  void otherVersion_isNamed() throws IOException {
    Path file = record(Workbench.random(2, 10), true);
    byte[] whole = Files.readAllBytes(file);
    whole[8] = 9;
    Files.write(file, whole);
    IOException wrong = assertThrows(IOException.class, () -> AccessTrace.read(file));
    assertEquals(
        file + ": memory trace of version 9, expected a version up to 4", wrong.getMessage());
  }

  private static final byte[] HEAD = {'M', 'E', 'M', 'H', 'C', 'T', 'R', 'C'};

  private static final byte[] ELEMENTS_WITH_BYTES = {1, 16, 2, (byte) 0xc8, 1, 4, 3, 1, 1, 0};
  private static final byte[] ELEMENTS = {1, 16, 2, (byte) 0xc8, 1, 3, 1, 1, 0};

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Written by hand from the description of the format. */
  @Test
  void format_isAsDescribed() throws IOException {
    Path file = folder.resolve("small.trace");
    new AccessTrace(
            List.of(new TensorShape(16, 2, 200, Precision.SINGLE)),
            new int[3],
            new boolean[] {true, true, false},
            List.of(
                AccessQueue.builder()
                    .step(new int[] {1, 0}, new int[] {2})
                    .work(StepKind.TRACE, 300)
                    .overwriting()
                    .repeatable()
                    .endVector()
                    .keep(2)
                    .build()),
            List.of(new long[] {0, -1, 0}))
        .write(file);
    byte[] bytes = Files.readAllBytes(file);
    byte[] queue = {1, 1, 1, 2, 1, 11, (byte) 0xac, 2, 2, 1, 4, 1, 2};
    byte[] keys = {1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    assertArrayEquals(
        joined(HEAD, new byte[] {4}, ELEMENTS_WITH_BYTES, queue, keys),
        Arrays.copyOf(bytes, bytes.length - 4));
    AccessTrace read = AccessTrace.read(file);
    assertEquals(Precision.SINGLE, read.shapes().get(0).precision());
    assertEquals(StepKind.TRACE, read.queues().get(0).kind(0));
    assertEquals(300, read.queues().get(0).flops(0));
    assertTrue(read.queues().get(0).overwrites(0));
    assertArrayEquals(new long[] {0, -1, 0}, read.keys().get(0));
  }

  /** A file of the first version, without kinds, flops and keys. */
  @Test
  void firstVersion_canBeRead() throws IOException {
    byte[] body = joined(HEAD, new byte[] {1}, ELEMENTS, new byte[] {1, 1, 1, 2, 1, 2, 1, 4, 1, 2});
    CRC32 sum = new CRC32();
    sum.update(body);
    Path file = folder.resolve("old.trace");
    Files.write(file, joined(body, ByteBuffer.allocate(4).putInt((int) sum.getValue()).array()));
    AccessTrace trace = AccessTrace.read(file);
    assertEquals(1, trace.queues().size());
    AccessQueue queue = trace.queues().get(0);
    assertSame(
        AccessQueue.builder().step(new int[] {1, 0}, new int[] {2}).endVector().keep(2).build(),
        queue);
    assertEquals(Precision.DOUBLE, trace.shapes().get(0).precision());
    assertEquals(StepKind.OTHER, queue.kind(0));
    assertEquals(0, queue.flops(0));
    assertArrayEquals(new long[3], trace.keys().get(0));
  }
}
