package org.starlingqcd.backend.unpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache of unpacked JNI libraries. */
final class NativeLibraryTest {
  @TempDir Path cache;

  @Test
  void otherContentsOfTheSameSize_areNotTakenForTheLibrary() throws IOException {
    Path first = NativeLibrary.unpacked(new byte[] {1, 2, 3}, cache, "lib.so");
    Path second = NativeLibrary.unpacked(new byte[] {1, 2, 4}, cache, "lib.so");
    assertNotEquals(first, second);
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(first));
    assertArrayEquals(new byte[] {1, 2, 4}, Files.readAllBytes(second));
  }

  @Test
  void secondUse_unpacksNothingAndLeavesNothingBehind() throws IOException {
    Path first = NativeLibrary.unpacked(new byte[] {5}, cache, "lib.so");
    FileTime written = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(first, written);
    assertEquals(first, NativeLibrary.unpacked(new byte[] {5}, cache, "lib.so"));
    assertEquals(written, Files.getLastModifiedTime(first));
    try (Stream<Path> files = Files.list(first.getParent())) {
      assertEquals(List.of(first), files.toList());
    }
  }

  @Test
  void damagedOrPlantedFile_isReplacedBeforeItIsUsed() throws IOException {
    byte[] library = {5, 6, 7};
    Path file = NativeLibrary.unpacked(library, cache, "lib.so");
    Files.write(file, new byte[] {5, 6});
    assertArrayEquals(
        library, Files.readAllBytes(NativeLibrary.unpacked(library, cache, "lib.so")));
    Files.write(file, new byte[] {5, 6, 8});
    assertArrayEquals(
        library, Files.readAllBytes(NativeLibrary.unpacked(library, cache, "lib.so")));

    Path victim = Files.write(cache.resolve("victim"), new byte[] {1});
    Files.delete(file);
    Files.createSymbolicLink(file, victim);
    assertEquals(file, NativeLibrary.unpacked(library, cache, "lib.so"));
    assertArrayEquals(library, Files.readAllBytes(file));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(victim));
  }
}
