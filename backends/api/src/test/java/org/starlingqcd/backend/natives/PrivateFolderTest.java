package org.starlingqcd.backend.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders count as private. */
final class PrivateFolderTest {
  @TempDir Path temporary;

  @BeforeEach
  void posix() throws IOException {
    Assumptions.assumeTrue(
        Files.getFileStore(temporary).supportsFileAttributeView("posix"), "no POSIX permissions");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void set(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void newFolder_isTheUsersAlone() throws IOException {
    Path made = PrivateFolder.make(temporary.resolve("cache/libraries"));
    assertEquals("rwx------", mode(made));
    assertEquals(made, PrivateFolder.make(temporary.resolve("cache/libraries")));
  }

  @Test
  void folderThatOthersMayRead_isClosedToThem() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("libraries"));
    set(folder, "rwxr-xr-x");
    assertEquals("rwx------", mode(PrivateFolder.make(folder)));
  }

  @Test
  void folderThatOthersMayWriteTo_isRefused() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("libraries"));
    for (String mode : List.of("rwxrwx---", "rwx----w-", "rwxrwxrwx")) {
      set(folder, mode);
      IOException refused = assertThrows(IOException.class, () -> PrivateFolder.make(folder));
      assertTrue(refused.getMessage().contains("other users may write"), refused.getMessage());
    }
  }

  @Test
  void folderWithinOneThatEverybodyMayWriteTo_isRefusedUnlessTheirsStayTheirs() throws IOException {
    Path open = Files.createDirectory(temporary.resolve("open"));
    set(open, "rwxrwxrwx");
    IOException refused =
        assertThrows(IOException.class, () -> PrivateFolder.make(open.resolve("libraries")));
    assertTrue(refused.getMessage().contains("everybody may write"), refused.getMessage());
    Files.setAttribute(open, "unix:mode", 01777);
    PrivateFolder.make(open.resolve("libraries"));
  }

  @Test
  void linkAndFile_areRefused() throws IOException {
    Path target = Files.createDirectory(temporary.resolve("target"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), target);
    assertThrows(IOException.class, () -> PrivateFolder.make(link));
    Path file = Files.createFile(temporary.resolve("file"));
    assertThrows(IOException.class, () -> PrivateFolder.make(file));
  }

  @Test
  void folderOfAnotherUser_isRefused() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("libraries"));
    set(folder, "rwx------");
    try {
      Files.setAttribute(folder, "unix:uid", 12345);
    } catch (IOException e) {
      Assumptions.abort("only root gives folders away");
    }
    IOException refused = assertThrows(IOException.class, () -> PrivateFolder.make(folder));
    assertTrue(refused.getMessage().contains("another user"), refused.getMessage());
  }

  @Test
  void withoutAPlace_aNewFolderIsMade() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    Path first = PrivateFolder.first(List.of(file));
    assertEquals("rwx------", mode(first));
    assertTrue(Files.isDirectory(first));
  }

  @Test
  void placesAreAbsolute() {
    Map<String, String> none = Map.of("user.home", "?");
    assertEquals(List.of(), PrivateFolder.candidates(none::get, key -> "cache"));
    Map<String, String> home = Map.of("user.home", "/home/ada");
    assertEquals(
        List.of(
            Path.of("/scratch/ada/starling/libraries"),
            Path.of("/home/ada/.cache/starling/libraries")),
        PrivateFolder.candidates(
            home::get, key -> key.equals("XDG_CACHE_HOME") ? "/scratch/ada" : null));
  }
}
