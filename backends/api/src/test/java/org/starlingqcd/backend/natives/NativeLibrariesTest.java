package org.starlingqcd.backend.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache of unpacked JNI libraries. */
final class NativeLibrariesTest {
  @TempDir Path cache;

  @Test
  void otherContentsOfTheSameSize_areNotTakenForTheLibrary() throws IOException {
    Path first = NativeLibraries.unpacked(new byte[] {1, 2, 3}, cache, "lib.so");
    Path second = NativeLibraries.unpacked(new byte[] {1, 2, 4}, cache, "lib.so");
    assertNotEquals(first, second);
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(first));
    assertArrayEquals(new byte[] {1, 2, 4}, Files.readAllBytes(second));
  }

  @Test
  void secondUse_unpacksNothingAndLeavesNothingBehind() throws IOException {
    Path first = NativeLibraries.unpacked(new byte[] {5}, cache, "lib.so");
    FileTime written = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(first, written);
    assertEquals(first, NativeLibraries.unpacked(new byte[] {5}, cache, "lib.so"));
    assertEquals(written, Files.getLastModifiedTime(first));
    assertEquals(List.of(first), files(first.getParent()));
  }

  @Test
  void damagedOrPlantedFile_isReplacedBeforeItIsUsed() throws IOException {
    byte[] library = {5, 6, 7};
    Path file = NativeLibraries.unpacked(library, cache, "lib.so");
    Files.write(file, new byte[] {5, 6});
    assertArrayEquals(
        library, Files.readAllBytes(NativeLibraries.unpacked(library, cache, "lib.so")));
    Files.write(file, new byte[] {5, 6, 8});
    assertArrayEquals(
        library, Files.readAllBytes(NativeLibraries.unpacked(library, cache, "lib.so")));

    Path victim = Files.write(cache.resolve("victim"), new byte[] {1});
    Files.delete(file);
    Files.createSymbolicLink(file, victim);
    assertEquals(file, NativeLibraries.unpacked(library, cache, "lib.so"));
    assertArrayEquals(library, Files.readAllBytes(file));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(victim));
  }

  @Test
  void verify_comparesOnlyWhatHasChanged_andRemovesWhatDiffers() throws IOException {
    byte[] library = {1, 2, 3};
    Path jar = cache.resolve("some.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("org/lib.so"));
      out.write(library);
    }
    Path unpacked = Files.createDirectories(cache.resolve("libraries/some.jar/org"));
    Path file = Files.write(unpacked.resolve("lib.so"), library);
    Path link = Files.createSymbolicLink(unpacked.resolve("lib.so.0"), Path.of("lib.so"));
    Path mark = cache.resolve("libraries/some.jar.verified");
    try (JarFile original = new JarFile(jar.toFile())) {
      Path folder = cache.resolve("libraries");
      NativeLibraries.verify(original, folder);
      FileTime marked = Files.getLastModifiedTime(mark);
      NativeLibraries.verify(original, folder);
      assertEquals(marked, Files.getLastModifiedTime(mark));
      // The same size and date, and a planted file.
      FileTime date = Files.getLastModifiedTime(file);
      Files.write(file, new byte[] {1, 2, 4});
      Files.setLastModifiedTime(file, date);
      Path planted = Files.createFile(unpacked.resolve("planted.so"));
      NativeLibraries.verify(original, folder);
      assertEquals(List.of(link), files(unpacked));
      assertFalse(Files.exists(planted));
      assertEquals(marked, Files.getLastModifiedTime(mark));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
