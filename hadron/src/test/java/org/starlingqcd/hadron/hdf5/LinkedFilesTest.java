package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files into which external links of another file lead. */
final class LinkedFilesTest {
  @TempDir Path folder;

  private Path linkTo(String target) {
    Path path = folder.resolve("links.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      synchronized (Hdf5Library.LOCK) {
        try (BytePointer name = Hdf5Library.text(target);
            BytePointer object = Hdf5Library.text("/values");
            BytePointer link = Hdf5Library.text("link")) {
          Hdf5Library.check(
              hdf5.H5Lcreate_external(name, object, file.id(), link, 0, 0), "H5Lcreate_external");
        }
      }
    }
    return path;
  }

  private Path target() {
    Path path = folder.resolve("target.h5");
    try (Hdf5File file = Hdf5File.open(Mutants.createWithoutChecksums(path))) {
      assertFalse(file.exists("values"));
    }
    try (Hdf5File file = Hdf5File.openForUpdate(path);
        Hdf5Dataset values =
            file.createDataset(
                "values", ElementType.INTEGER, new long[] {2}, DatasetOptions.CONTIGUOUS)) {
      values.writeIntegers(new long[] {3, 4});
    }
    return path;
  }

  @Test
  void soundFile_isRead() {
    target();
    try (Hdf5File file = Hdf5File.open(linkTo("target.h5"));
        Hdf5Dataset values = file.dataset("link")) {
      assertArrayEquals(new long[] {3, 4}, values.readIntegers());
    }
  }

  @Test
  void missingFile_leavesTheOthersReadable() {
    try (Hdf5File file = Hdf5File.open(linkTo("nowhere.h5"))) {
      assertFalse(file.exists("link"));
    }
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe.h5");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (String name : new String[] {"pipe.h5", pipe.toString()}) {
      Path links = linkTo(name);
      Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> Hdf5File.open(links));
      assertTrue(e.getMessage().contains("pipe.h5, which is a named pipe"), e.getMessage());
    }
  }

  @Test
  void damagedFile_isRefusedByItsName() throws Exception {
    Path target = target();
    byte[] bytes = Files.readAllBytes(target);
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    bytes[text.indexOf("HEAP") + 4] = 9;
    Files.write(target, bytes);
    Hdf5Exception e = assertThrows(Hdf5Exception.class, () -> Hdf5File.open(linkTo("target.h5")));
    assertTrue(e.getMessage().startsWith(target + ": is damaged"), e.getMessage());
  }
}
