package org.starlingqcd.backend.unpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VerifiedFilesTest {
  @TempDir Path cache;
  private Path folder = Path.of("");
  private Path library = Path.of("");

  @BeforeEach
  void unpack() throws IOException {
    folder = cache.resolve("some.jar");
    library = folder.resolve("org/lib.so");
    Files.createDirectories(library.getParent());
    Files.write(library, new byte[] {1, 2, 3});
    Files.createSymbolicLink(folder.resolve("org/lib.so.0"), Path.of("lib.so"));
  }

  @Test
  void files_areUnchangedOnceRemembered() throws IOException {
    assertFalse(new VerifiedFiles(folder).areUnchanged());
    new VerifiedFiles(folder).remember();
    assertTrue(new VerifiedFiles(folder).areUnchanged());
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(List.of(folder, cache.resolve("some.jar.verified")), files.sorted().toList());
    }
  }

  @Test
  void sameSizeAndDate_areSeenToBeOtherContents() throws IOException {
    new VerifiedFiles(folder).remember();
    FileTime date = Files.getLastModifiedTime(library);
    Files.write(library, new byte[] {1, 2, 4});
    Files.setLastModifiedTime(library, date);
    assertFalse(new VerifiedFiles(folder).areUnchanged());
  }

  @Test
  void newAndRemovedFiles_areSeen() throws IOException {
    new VerifiedFiles(folder).remember();
    Path added = Files.createFile(folder.resolve("planted.so"));
    assertFalse(new VerifiedFiles(folder).areUnchanged());
    Files.delete(added);
    assertTrue(new VerifiedFiles(folder).areUnchanged());
    Files.delete(library);
    assertFalse(new VerifiedFiles(folder).areUnchanged());
  }

  @Test
  void filesThatChangeWhileTheyAreCompared_areNotRemembered() throws IOException {
    VerifiedFiles before = new VerifiedFiles(folder);
    Files.write(library, new byte[] {1, 2});
    before.remember();
    assertFalse(new VerifiedFiles(folder).areUnchanged());
  }
}
