package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.FileVersion;

/** Headers of folders of many files are read again when, and only when, a file may have changed. */
final class KeptHeadersTest {
  private static final int FILES = 500;

  @TempDir Path folder;
  private final List<Path> files = new ArrayList<>();
  private final List<Path> read = new ArrayList<>();

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectory(folder.resolve("data"));
    for (int k = 0; k < FILES; k++) {
      files.add(write(folder.resolve("data/f" + k), "text", 100));
    }
  }

  private static Path write(Path file, String text, long secondsAgo) throws IOException {
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(secondsAgo)));
  }

  private KeptHeaders.Kept header(Path file) {
    read.add(file);
    try {
      return new KeptHeaders.Kept(
          FileVersion.of(file),
          new DistillationHeader("e", files.indexOf(file), 4, 8, 2, "DeGrand-Rossi", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files that a command has to read. */
  private List<Path> look(List<Path> all) throws IOException {
    read.clear();
    KeptHeaders kept = new KeptHeaders(all, new UserCache(folder.resolve("cache")));
    for (Path file : all) {
      KeptHeaders.Kept found = kept.find(file, FileVersion.of(file));
      if (found == null) {
        kept.note(file, header(file));
      } else {
        assertEquals(files.indexOf(file), found.header().configuration());
      }
    }
    kept.write();
    return List.copyOf(read);
  }

  @Test
  void unchangedFiles_areReadOnce() throws IOException {
    assertEquals(files, look(files));
    assertEquals(List.of(), look(files));
    // Fewer files than are worth it.
    assertEquals(files.subList(0, 3), look(files.subList(0, 3)));
    write(files.get(0), "more text", 100);
    write(files.get(1), "next", 50);
    Files.delete(files.get(2));
    write(files.get(2), "text", 100);
    assertEquals(files.subList(0, 3), look(files));
    assertEquals(List.of(), look(files));
  }

  @Test
  void fileThatHasJustChanged_isReadAgain() throws IOException {
    look(files);
    write(files.get(7), "text", 1);
    assertEquals(files.subList(7, 8), look(files));
    assertEquals(files.subList(7, 8), look(files));
  }

  @Test
  void damagedCache_isNoCache() throws IOException {
    look(files);
    try (Stream<Path> kept = Files.list(folder.resolve("cache"))) {
      Path index = kept.findAny().orElseThrow();
      byte[] bytes = Files.readAllBytes(index);
      bytes[bytes.length / 2] ^= 1;
      Files.write(index, bytes);
    }
    assertEquals(files, look(files));
  }

  @Test
  void cacheThatCannotBeWritten_changesNothing() throws IOException {
    Files.writeString(folder.resolve("cache"), "a file where the folder would be");
    assertEquals(files, look(files));
    assertEquals(files, look(files));
  }
}
