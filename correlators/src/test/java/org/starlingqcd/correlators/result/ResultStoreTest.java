package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ComputingProcess.HEADER;
import static org.starlingqcd.correlators.result.ComputingProcess.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class ResultStoreTest {
  @TempDir Path folder;

  private static ResultRequest request(List<Integer> configurations, List<Integer> sources) {
    return new ResultRequest(configurations, sources, false, Duration.ofHours(1));
  }

  private ResultStore open(ResultHeader header, ResultRequest request) {
    return ResultStore.open(folder.resolve("x.h5"), header, request);
  }

  private ResultStore open(List<Integer> configurations, List<Integer> sources) {
    return open(HEADER, request(configurations, sources));
  }

  private void compute(List<Integer> configurations, List<Integer> sources) {
    try (ResultStore store = open(configurations, sources)) {
      for (int configuration : configurations) {
        for (int source : sources) {
          if (store.claim(configuration, source)) {
            store.append(unit(configuration, source));
            store.release(configuration, source);
          }
        }
      }
    }
  }

  @Test
  void result_hasTheLayoutOfTheFormat() {
    compute(List.of(12, 3), List.of(5, 0));
    try (Hdf5File file = Hdf5File.open(folder.resolve("x.h5"))) {
      assertEquals("correlator", file.attributes("/").string("format"));
      assertEquals(1, file.attributes("/").integer("format_version"));
      assertEquals("x", file.attributes("/").string("name"));
      assertEquals("e", file.attributes("/").string("ensemble"));
      assertEquals("name: x", file.attributes("/").string("definition"));
      assertEquals(List.of("a", "b"), file.attributes("/").strings("operators"));
      assertEquals(List.of("cfg_0003", "cfg_0012"), file.children("/"));
      assertArrayEquals(new long[] {0, 5}, file.attributes("cfg_0012").integers("source_times"));
      assertArrayEquals(new long[] {0, 1, 2}, file.attributes("cfg_0012").integers("separations"));
      double[] correlator = file.dataset("cfg_0012/correlator").readAll();
      assertArrayEquals(new long[] {2, 3, 2, 2}, file.dataset("cfg_0012/correlator").extents());
      double[] second = new double[24];
      System.arraycopy(correlator, 24, second, 0, 24);
      assertArrayEquals(unit(12, 5).correlator(), second);
      assertArrayEquals(
          new long[] {0, 1, 2, 5, 6, 7},
          file.dataset("cfg_0012/vev").attributes().integers("times"));
      assertArrayEquals(new long[] {6, 2}, file.dataset("cfg_0012/vev").extents());
    }
  }

  @Test
  void result_leavesNothingBesideIt() throws IOException {
    compute(List.of(1), List.of(0));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          Set.of("x.h5", ".starling.lock"),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
  }

  @Test
  void configurationsAndSourcesMayBeAdded_inAnyOrder() {
    compute(List.of(2), List.of(1));
    compute(List.of(1, 2), List.of(1));
    compute(List.of(2), List.of(0, 1));
    compute(List.of(1), List.of(0));
    ResultFile.Configuration[] grown = read(1, 2);
    folder = folder.resolve("at-once");
    compute(List.of(1, 2), List.of(0, 1));
    ResultFile.Configuration[] whole = read(1, 2);
    for (int k = 0; k < 2; k++) {
      ResultAssert.assertSame(whole[k], grown[k]);
    }
  }

  private ResultFile.Configuration[] read(int... numbers) {
    try (Hdf5File file = Hdf5File.open(folder.resolve("x.h5"))) {
      ResultFile.Configuration[] result = new ResultFile.Configuration[numbers.length];
      for (int k = 0; k < numbers.length; k++) {
        result[k] = ResultFile.read(file, numbers[k], HEADER);
      }
      return result;
    }
  }

  @Test
  void finishedUnits_areNotTakenAgain() {
    compute(List.of(1), List.of(0, 2));
    try (ResultStore store = open(List.of(1, 2), List.of(0, 2))) {
      assertTrue(store.isFinished(1, 2));
      assertFalse(store.claim(1, 0));
      assertTrue(store.claim(2, 0));
      assertTrue(store.isFinished(1, 0));
      assertFalse(store.isFinished(2, 0));
      assertFalse(store.isFinished(2, 2));
    }
  }

  @Test
  void journalOfADeadProcess_isMergedByTheNext() throws IOException {
    ResultStore lost = open(List.of(1), List.of(0, 1));
    lost.append(unit(1, 1));
    // What is left by a process that was killed: its journal without its locks.
    Path journals = folder.resolve("x.journal");
    Path journal = onlyJournal();
    byte[] bytes = Files.readAllBytes(journal);
    lost.close();
    Files.delete(folder.resolve("x.h5"));
    try (ResultStore again = open(List.of(1), List.of(0, 1))) {
      assertFalse(again.isFinished(1, 1));
    }
    // A journal counts for the result it was written for only.
    Files.createDirectories(journals);
    Files.write(journals.resolve("left.units"), bytes);
    try (ResultStore again = open(List.of(1), List.of(0, 1))) {
      assertFalse(again.isFinished(1, 1));
      again.append(unit(1, 0));
    }
    assertFalse(Files.exists(journals));
  }

  @Test
  void tornFrame_isIgnoredAndItsUnitComputedAgain() throws IOException {
    compute(List.of(1), List.of(0));
    ResultStore store = open(List.of(1), List.of(0, 1, 2));
    store.append(unit(1, 1));
    long whole = Files.size(onlyJournal());
    store.append(unit(1, 2));
    byte[] bytes = Files.readAllBytes(onlyJournal());
    Path left = folder.resolve("x.journal").resolve("left.units");
    Path kept = folder.resolve("kept.h5");
    Files.copy(folder.resolve("x.h5"), kept);
    store.close();
    for (int cut : new int[] {1, 8, 100}) {
      // The same result before the merge, with a journal that ends within its last frame.
      Files.copy(kept, folder.resolve("x.h5"), StandardCopyOption.REPLACE_EXISTING);
      Files.createDirectories(left.getParent());
      Files.write(left, Arrays.copyOf(bytes, bytes.length - cut));
      try (ResultStore again = open(List.of(1), List.of(0, 1, 2))) {
        assertTrue(again.isFinished(1, 1));
        assertFalse(again.isFinished(1, 2));
      }
    }
    // A frame whose numbers changed on the disk is not a frame.
    Files.copy(kept, folder.resolve("x.h5"), StandardCopyOption.REPLACE_EXISTING);
    Files.createDirectories(left.getParent());
    bytes[(int) whole + 50] ^= 1;
    Files.write(left, bytes);
    try (ResultStore again = open(List.of(1), List.of(0, 1, 2))) {
      assertTrue(again.isFinished(1, 1));
      assertFalse(again.isFinished(1, 2));
    }
  }

  private Path onlyJournal() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("x.journal"))) {
      List<Path> journals = files.filter(file -> file.toString().endsWith(".units")).toList();
      assertEquals(1, journals.size());
      return journals.get(0);
    }
  }

  @Test
  void mergeIfDue_keepsEverythingOnce() {
    ResultRequest often = new ResultRequest(List.of(1, 2, 3), List.of(0, 1), false, Duration.ZERO);
    try (ResultStore store = open(HEADER, often)) {
      for (int configuration = 1; configuration <= 3; configuration++) {
        for (int source = 0; source < 2; source++) {
          assertTrue(store.claim(configuration, source));
          store.append(unit(configuration, source));
          store.release(configuration, source);
          store.mergeIfDue();
        }
      }
    }
    try (Hdf5File file = Hdf5File.open(folder.resolve("x.h5"))) {
      assertEquals(new TreeSet<>(List.of(1, 2, 3)), ResultFile.contents(file).finished().keySet());
    }
  }

  @Test
  void otherDefinition_isRefusedUnlessOverwritten() {
    compute(List.of(1), List.of(0));
    ResultHeader other =
        ResultFixture.header("x", "e", "name: y", List.of("a", "b"), List.of(0, 1, 2), true);
    assertRefused(other, "holds results of another definition of the name 'x'");
    assertRefused(
        ResultFixture.header("x", "f", "name: x", List.of("a", "b"), List.of(0, 1, 2), true),
        "holds results of ensemble 'e' instead of 'f'");
    assertRefused(
        ResultFixture.header("x", "e", "name: x", List.of("a", "b"), List.of(0, 1), true),
        "holds results with separations [0, 1, 2] instead of [0, 1]");
    ResultRequest overwrite = new ResultRequest(List.of(1), List.of(0), true, Duration.ofHours(1));
    try (ResultStore store = open(other, overwrite)) {
      assertFalse(store.isFinished(1, 0));
    }
  }

  private void assertRefused(ResultHeader header, String reason) {
    InputException refusal =
        assertThrows(
            InputException.class, () -> open(header, request(List.of(1), List.of(0))).close());
    assertEquals(
        folder.resolve("x.h5")
            + ": "
            + reason
            + "; give another --out, or --overwrite to discard them",
        refusal.getMessage());
    // The refusal leaves nothing behind that would stop the next run.
    compute(List.of(1), List.of(0));
  }

  @Test
  void numbersThatAreNotFinite_areRefusedByPlace() {
    try (ResultStore store = open(List.of(1), List.of(4))) {
      ResultUnit unit = unit(1, 4);
      unit.correlator()[2 * (4 + 2) + 1] = Double.NaN;
      ComputationException refusal =
          assertThrows(ComputationException.class, () -> store.append(unit));
      assertEquals(
          "x: configuration 1, source 4, separation 1, sink operator 'b', source operator 'a':"
              + " the result is NaN; the numbers of the data are too large or the data are damaged",
          refusal.getMessage());
      ResultUnit second = unit(1, 4);
      second.onePoint()[6] = Double.POSITIVE_INFINITY;
      assertTrue(
          String.valueOf(
                  assertThrows(ComputationException.class, () -> store.append(second)).getMessage())
              .contains("one-point function of operator 'b' at time 5: the result is Infinity"));
      assertFalse(store.isFinished(1, 4));
    }
  }

  @Test
  void outputThatIsAFile_isRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("f"));
    assertMessage(
        file + ": is a file; results need a folder (--out takes another one)",
        file.resolve("x.h5"));
  }

  @Test
  void resultThatIsAFolder_isRefused() throws IOException {
    Path result = Files.createDirectories(folder.resolve("x.h5"));
    assertMessage(result + ": is a folder where the result file has to be; move it away", result);
  }

  @Test
  void outputThatCannotBeCreated_isRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("f"));
    Path out = file.resolve("deep");
    InputException refusal =
        assertThrows(InputException.class, () -> openAt(out.resolve("x.h5")).close());
    assertTrue(
        String.valueOf(refusal.getMessage())
            .matches(
                "results cannot be written to "
                    + Pattern.quote(out.toString())
                    + ": .+ \\(--out takes another folder\\)"),
        refusal.getMessage());
  }

  @Test
  void fileThatIsNoResult_isRefused() throws IOException {
    Path file = folder.resolve("x.h5");
    Files.writeString(file, "not HDF5");
    assertMessage(file + ": is not an HDF5 file; move the file away, or give another --out", file);
    assertEquals("not HDF5", Files.readString(file));
    try (Hdf5File other = Hdf5File.create(file)) {
      other.attributes("/").put("format", "distillation");
    }
    assertMessage(
        file + ": is not a result file (no attribute format = \"correlator\" or \"three-point\")",
        file);
  }

  private void assertMessage(String message, Path file) {
    assertEquals(
        message, assertThrows(InputException.class, () -> openAt(file).close()).getMessage());
  }

  private static ResultStore openAt(Path file) {
    return ResultStore.open(file, HEADER, request(List.of(1), List.of(0)));
  }
}
