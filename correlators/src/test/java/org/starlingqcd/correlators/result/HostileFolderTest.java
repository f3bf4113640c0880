package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ComputingProcess.HEADER;
import static org.starlingqcd.correlators.result.ComputingProcess.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Results in a folder in which somebody else left something, and results that are damaged. */
final class HostileFolderTest {
  @TempDir Path folder;

  private Path result() {
    return folder.resolve("x.h5");
  }

  private void compute(int configuration, int... sources) {
    List<Integer> all = java.util.Arrays.stream(sources).boxed().toList();
    ResultRequest request =
        new ResultRequest(List.of(configuration), all, false, Duration.ofHours(1));
    try (ResultStore store = ResultStore.open(result(), HEADER, request)) {
      for (int source : sources) {
        if (store.claim(configuration, source)) {
          store.append(unit(configuration, source));
          store.release(configuration, source);
        }
      }
    }
  }

  private long[] sources(int configuration) {
    try (Hdf5File file = Hdf5File.open(result())) {
      return file.attributes(ResultFile.group(configuration)).integers("source_times");
    }
  }

  private Path victim() throws IOException {
    return Files.writeString(folder.resolve("victim"), "precious");
  }

  private void assertUnharmed() throws IOException {
    assertEquals("precious", Files.readString(folder.resolve("victim")));
  }

  @Test
  void linkInThePlaceOfTheNewFile_isReplacedNotFollowed() throws IOException {
    Files.createSymbolicLink(folder.resolve(".x.h5.tmp"), victim());
    compute(1, 0);
    assertUnharmed();
    assertArrayEquals(new long[] {0}, sources(1));
  }

  @Test
  void createdHdf5File_replacesALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("new.h5"), victim());
    Hdf5File.create(link).close();
    assertUnharmed();
    assertTrue(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void linkInThePlaceOfALock_isRefused() throws IOException {
    Path victim = victim();
    for (String name : List.of(".starling.lock", "x.journal")) {
      Path link = Files.createSymbolicLink(folder.resolve(name), victim);
      InputException refused = assertThrows(InputException.class, () -> compute(1, 0));
      assertTrue(refused.getMessage().contains(link + " is a link or a "), refused.getMessage());
      Files.delete(link);
      assertUnharmed();
    }
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path journals = Files.createSymbolicLink(folder.resolve("x.journal"), elsewhere);
    assertThrows(InputException.class, () -> compute(1, 0));
    Files.delete(journals);
    Files.createDirectory(journals);
    Path claims = Files.createSymbolicLink(journals.resolve("claims"), victim);
    InputException refused = assertThrows(InputException.class, () -> compute(1, 0));
    assertTrue(
        refused
            .getMessage()
            .endsWith(
                claims
                    + " is a link or a special file, expected a plain file"
                    + " for locks; remove it"),
        refused.getMessage());
    assertUnharmed();
  }

  @Test
  void lockFileWithContents_isALock_andKeepsThem() throws IOException {
    Path lock = Files.writeString(folder.resolve(".starling.lock"), "precious\n");
    // An endless loop until now: the limit is there for the test to end.
    assertTimeoutPreemptively(Duration.ofMinutes(2), () -> compute(1, 0));
    assertEquals("precious\n", Files.readString(lock));
    Files.writeString(lock, "starling: process 1 on a-machine-that-crashed\n");
    compute(1, 0, 1);
    assertEquals("", Files.readString(lock));
    assertArrayEquals(new long[] {0, 1}, sources(1));
  }

  @Test
  void configurationsWithManyDigits_keepTheirEarlierSources() {
    for (int configuration : new int[] {999_999_999, 1_000_000_000, Integer.MAX_VALUE}) {
      compute(configuration, 0);
      compute(configuration, 1);
      assertArrayEquals(new long[] {0, 1}, sources(configuration));
    }
    assertArrayEquals(new long[] {0, 1}, sources(999_999_999));
  }

  private void damage(java.util.function.Consumer<Hdf5File> change) {
    try (Hdf5File file = Hdf5File.openForUpdate(result())) {
      change.accept(file);
    }
  }

  private void assertRefused(String what) throws IOException {
    byte[] before = Files.readAllBytes(result());
    InputException refused = assertThrows(InputException.class, () -> compute(2, 0));
    assertTrue(refused.getMessage().contains(what), refused.getMessage());
    assertArrayEquals(before, Files.readAllBytes(result()));
    Path other = folder.resolve("x.h5");
    ResultRequest request = new ResultRequest(List.of(2), List.of(0), false, Duration.ofHours(1));
    assertThrows(InputException.class, () -> ResultStore.check(other, HEADER, request));
  }

  @Test
  void damagedResult_isFoundBeforeAnythingIsComputed() throws IOException {
    compute(1, 0, 5);
    byte[] whole = Files.readAllBytes(result());
    damage(file -> file.delete("cfg_0001/correlator"));
    assertRefused("'cfg_0001/correlator'");

    Files.write(result(), whole);
    damage(file -> file.attributes("cfg_0001").put("source_times", new long[] {0, 5, 6}));
    assertRefused("'cfg_0001/correlator' has extents [2, 3, 2, 2], expected [3, 3, 2, 2]");
    for (long[] wrong : new long[][] {{3, 3}, {0, -1}, {0, 1L << 31}, {}}) {
      Files.write(result(), whole);
      damage(file -> file.attributes("cfg_0001").put("source_times", wrong));
      assertRefused("cfg_0001");
    }

    Files.write(result(), whole);
    damage(
        file ->
            file.createDataset(
                    "cfg_00001/correlator",
                    ElementType.COMPLEX,
                    new long[] {1, 3, 2, 2},
                    DatasetOptions.CONTIGUOUS)
                .close());
    assertRefused("'cfg_00001': expected the number of a configuration");
  }
}
