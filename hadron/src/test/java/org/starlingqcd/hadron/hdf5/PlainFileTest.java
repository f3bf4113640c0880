package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlainFileTest {
  @TempDir Path folder;

  @Test
  void reasonOfAFailure_isTheSystems_andNotTheNameOfTheFileAlone() throws IOException {
    assertEquals("no permission", PlainFile.reason(new AccessDeniedException("/a")));
    assertEquals(
        "Read-only file system",
        PlainFile.reason(new FileSystemException("/a", null, "Read-only file system")));
    assertEquals("said", PlainFile.reason(new IOException("said")));
    Path file = Files.createFile(folder.resolve("file"));
    Path missing = folder.resolve("missing");
    assertEquals(
        "no such file or folder: " + missing,
        PlainFile.reason(assertThrows(IOException.class, () -> Files.size(missing))));
    assertEquals(
        "there is a file: " + file,
        PlainFile.reason(assertThrows(IOException.class, () -> Files.createDirectories(file))));
    assertEquals(
        "is not a folder: " + file,
        PlainFile.reason(assertThrows(IOException.class, () -> Files.newDirectoryStream(file))));
  }
}
