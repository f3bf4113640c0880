package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ComputingProcess.HEADER;
import static org.starlingqcd.correlators.result.ComputingProcess.unit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** That a result comes to be, or replaces another, with its first unit and not before. */
final class ResultBeginTest {
  @TempDir Path parent;
  private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void nameFolder() {
    folder = parent.resolve("deep/out");
    file = folder.resolve("x.h5");
  }

  private ResultStore open(boolean overwrite, List<Integer> configurations) {
    return open(file, overwrite, configurations);
  }

  private static ResultStore open(Path file, boolean overwrite, List<Integer> configurations) {
    ResultRequest request =
        new ResultRequest(configurations, List.of(0, 1), overwrite, Duration.ofHours(1));
    return ResultStore.open(file, HEADER, request);
  }

  /** A finished result of one unit. */
  private void compute(int configuration, int source) {
    try (ResultStore store = open(false, List.of(configuration))) {
      store.append(unit(configuration, source));
    }
  }

  private Set<Integer> sources(int configuration) {
    SortedSet<Integer> sources = ResultFile.contents(file).finished().get(configuration);
    return sources == null ? Set.of() : sources;
  }

  @Test
  void withoutAUnit_nothingIsLeft() throws IOException {
    open(false, List.of(1)).close();
    open(true, List.of(1)).close();
    assertEquals(Set.of(""), ResultAssert.everything(parent).keySet());
  }

  @Test
  void withoutAUnit_otherFilesOfTheFolderStay() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("notes.txt"), "mine");
    Map<String, String> before = ResultAssert.everything(parent);
    open(false, List.of(1)).close();
    assertEquals(before, ResultAssert.everything(parent));
  }

  @Test
  void withoutAUnit_whatIsThereStaysAsItIs() throws IOException {
    compute(1, 0);
    Map<String, String> before = ResultAssert.everything(parent);
    open(true, List.of(1)).close();
    assertEquals(before, ResultAssert.everything(parent));
    // Not even what was asked for is noted.
    open(false, List.of(1, 2, 3)).close();
    assertEquals(before, ResultAssert.everything(parent));
    // A result that came from elsewhere does not get anything beside it.
    Files.delete(folder.resolve(".starling.lock"));
    before = ResultAssert.everything(parent);
    open(true, List.of(1)).close();
    open(false, List.of(1, 2)).close();
    assertEquals(before, ResultAssert.everything(parent));
  }

  @Test
  void unitThatIsRefused_replacesNothing() throws IOException {
    compute(1, 0);
    Map<String, String> before = ResultAssert.everything(parent);
    try (ResultStore store = open(true, List.of(1))) {
      ResultUnit bad = unit(1, 1);
      bad.correlator()[0] = Double.NaN;
      assertThrows(ComputationException.class, () -> store.append(bad));
    }
    assertEquals(before, ResultAssert.everything(parent));
  }

  @Test
  void firstUnit_replacesWhatWasThere() throws IOException {
    compute(1, 0);
    try (ResultStore store = open(true, List.of(1))) {
      assertFalse(store.isFinished(1, 0));
      assertEquals(Set.of(0), sources(1));
      store.append(unit(1, 1));
      // At once: a process that is killed from here on must not leave the old units.
      assertEquals(Set.of(), sources(1));
    }
    assertEquals(Set.of(1), sources(1));
    assertEquals(Set.of("", ".starling.lock", "x.h5"), ResultAssert.everything(folder).keySet());
  }

  @Test
  void beginning_makesAResultOfNoUnits() {
    try (ResultStore store = open(false, List.of(1, 2))) {
      store.begin();
    }
    assertEquals(Set.of(), ResultFile.contents(file).finished().keySet());
    assertEquals(
        new TreeSet<>(List.of(1, 2)), ResultFile.contents(file).requested().configurations());
  }

  @Test
  void resultWithoutAUnit_isJoinedByOthers() {
    compute(1, 0);
    ResultStore first = open(true, List.of(1));
    ResultStore second = open(false, List.of(1, 2));
    // Nor does the second one see the units that are to be thrown away.
    assertFalse(second.isFinished(1, 0));
    assertTrue(first.claim(1, 0));
    assertFalse(second.claim(1, 0));
    assertTrue(second.claim(1, 1));
    second.append(unit(1, 1));
    second.release(1, 1);
    assertFalse(first.claim(1, 1));
    first.append(unit(1, 0));
    second.close();
    assertEquals(Set.of(0, 1), sources(1));
    first.close();
    assertEquals(Set.of(0, 1), sources(1));
    assertEquals(
        new TreeSet<>(List.of(1, 2)), ResultFile.contents(file).requested().configurations());
  }

  @Test
  @Tag("slow")
  void resultWithoutAUnit_staysForAProcessThatJoined() throws Exception {
    compute(0, 0);
    ResultStore first = open(true, List.of(0));
    Process second = ComputingProcess.start(file, 1, 2, 500, 100_000);
    Path journals = folder.resolve("x.journal");
    while (count(journals) < 2) {
      assertTrue(second.isAlive());
      Thread.sleep(5);
    }
    first.close();
    // The old units, until the process that joined has one.
    assertEquals(Set.of(0), sources(0));
    InputException refusal = assertThrows(InputException.class, () -> open(true, List.of(0)));
    assertEquals(
        file + ": another process is writing to this result; it cannot be overwritten now",
        refusal.getMessage());
    assertTrue(second.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, second.exitValue());
    assertEquals(Set.of(0, 1), sources(0));
    assertEquals(Set.of("", ".starling.lock", "x.h5"), ResultAssert.everything(folder).keySet());
  }

  private static long count(Path journals) throws IOException {
    try (Stream<Path> files = Files.list(journals)) {
      return files.filter(path -> path.toString().endsWith(".units")).count();
    }
  }

  /** What a process leaves that is killed while it has the result open. */
  private void kill(ResultStore store) throws IOException {
    Map<String, String> journals = ResultAssert.everything(folder.resolve("x.journal"));
    store.close();
    Files.createDirectories(folder.resolve("x.journal"));
    for (Map.Entry<String, String> entry : journals.entrySet()) {
      if (!entry.getKey().isEmpty()) {
        Files.write(
            folder.resolve("x.journal").resolve(entry.getKey()),
            entry.getValue().getBytes(StandardCharsets.ISO_8859_1));
      }
    }
  }

  @Test
  void killedBeforeItsFirstUnit_changesNothing() throws IOException {
    compute(1, 0);
    byte[] before = Files.readAllBytes(file);
    kill(open(true, List.of(1)));
    assertTrue(Files.exists(folder.resolve("x.journal/unbegun.h5")));
    ResultStore.check(
        file, HEADER, new ResultRequest(List.of(1), List.of(0), false, Duration.ZERO));
    try (ResultStore next = open(false, List.of(1))) {
      assertTrue(next.isFinished(1, 0));
    }
    assertArrayEquals(before, Files.readAllBytes(file));
    assertEquals(Set.of("", ".starling.lock", "x.h5"), ResultAssert.everything(folder).keySet());
  }

  @Test
  void journalOfTheOldResult_staysUntilThatIsReplaced() throws IOException {
    compute(1, 0);
    byte[] old = Files.readAllBytes(file);
    ResultStore lost = open(false, List.of(1));
    lost.append(unit(1, 1));
    kill(lost);
    Files.write(file, old);
    open(true, List.of(1)).close();
    assertEquals(Set.of(0), sources(1));
    try (ResultStore next = open(false, List.of(1))) {
      assertTrue(next.isFinished(1, 1));
    }
    assertEquals(Set.of(0, 1), sources(1));
    // Now with a unit: what was not merged of the old result goes with it.
    lost = open(false, List.of(1, 2));
    lost.append(unit(2, 0));
    kill(lost);
    try (ResultStore store = open(true, List.of(1))) {
      store.append(unit(1, 1));
    }
    assertEquals(Set.of(1), sources(1));
    assertEquals(Set.of(), sources(2));
    assertFalse(Files.exists(folder.resolve("x.journal")));
  }

  @Test
  void resultOfAnotherProgram_staysAsItIsUntilAUnitIsAdded() throws IOException {
    compute(1, 0);
    try (Hdf5File other = Hdf5File.openForUpdate(file)) {
      other.attributes("/").put("result_id", "");
    }
    Map<String, String> before = ResultAssert.everything(parent);
    try (ResultStore store = open(false, List.of(1))) {
      assertTrue(store.isFinished(1, 0));
      assertFalse(store.isFinished(1, 1));
    }
    assertEquals(before, ResultAssert.everything(parent));
    try (ResultStore store = open(false, List.of(1))) {
      store.append(unit(1, 1));
      assertEquals(Set.of(0), sources(1));
    }
    assertEquals(Set.of(0, 1), sources(1));
  }

  @Test
  void gate_letsOneInThoughItIsRemovedMeanwhile() throws Exception {
    int threads = 4;
    Path gate = folder.resolve(".starling.lock");
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger passed = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    Callable<Integer> enter =
        () -> {
          start.await();
          for (int round = 0; round < 30; round++) {
            FolderLock.pass(
                gate,
                passing -> {
                  assertEquals(1, inside.incrementAndGet());
                  assertTrue(Files.exists(gate));
                  assertEquals(0, inside.decrementAndGet());
                  // Whoever comes now makes another one; those who wait have this one.
                  passing.remove();
                });
            passed.incrementAndGet();
          }
          return 0;
        };
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> ends =
          IntStream.range(0, threads).mapToObj(k -> pool.submit(enter)).toList();
      start.countDown();
      for (Future<Integer> end : ends) {
        end.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(30 * threads, passed.get());
  }
}
