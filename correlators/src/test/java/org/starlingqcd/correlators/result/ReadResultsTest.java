package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class ReadResultsTest {
  @TempDir Path folder;

  @Test
  void unchangedResult_isReadOnce() throws Exception {
    Path path = Files.copy(ResultFixture.reference("pion.h5"), folder.resolve("pion.h5"));
    ResultFile.Contents first = ReadResults.checked(path);
    assertSame(first, ReadResults.checked(path));
    assertSame(first, ReadResults.unchecked(path));
  }

  @Test
  void changedResult_isReadAgain() throws Exception {
    Path path = Files.copy(ResultFixture.reference("pion.h5"), folder.resolve("pion.h5"));
    ResultFile.Contents first = ReadResults.checked(path);
    String gone = ResultFile.group(first.finished().firstKey());
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete(gone + "/correlator");
    }
    assertThrows(InputException.class, () -> ReadResults.checked(path));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete(gone);
    }
    ResultFile.Contents second = ReadResults.checked(path);
    assertNotSame(first, second);
    assertEquals(first.finished().size() - 1, second.finished().size());
  }
}
