package org.starlingqcd.hadron.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Links and pipes in the places of an unfinished file and of what stands beside it. */
final class PartialFileTest {
  private static final String IDENTITY = "what is written";

  @TempDir Path folder;
  private Path victim = Path.of("");
  private Path target = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    victim = Files.writeString(folder.resolve("victim"), "precious");
    target = folder.resolve("out.h5");
  }

  private void writeAll() throws IOException {
    PartialFile file = new PartialFile(target);
    assertTrue(file.earlier(IDENTITY).isEmpty());
    file.create().close();
    file.begin(IDENTITY);
    file.finish("part");
    assertEquals(List.of("part"), parts(file));
    file.complete();
    assertTrue(Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS));
    assertFalse(Files.exists(folder.resolve("out.h5.part.done")));
    assertEquals("precious", Files.readString(victim));
  }

  private static List<String> parts(PartialFile file) throws IOException {
    PartialFile.Earlier earlier = file.earlier(IDENTITY).orElseThrow();
    earlier.file().close();
    return earlier.parts();
  }

  @Test
  void plantedLinks_areReplacedNotFollowed() throws IOException {
    Files.createSymbolicLink(folder.resolve("out.h5.part"), victim);
    Files.createSymbolicLink(folder.resolve("out.h5.part.done"), victim);
    writeAll();
  }

  @Test
  void linkToAnotherUnfinishedFile_isNotContinued() throws IOException {
    PartialFile other = new PartialFile(folder.resolve("other.h5"));
    other.create().close();
    other.begin(IDENTITY);
    for (String ending : List.of(".part", ".part.done")) {
      Files.createSymbolicLink(
          folder.resolve("out.h5" + ending), folder.resolve("other.h5" + ending));
    }
    writeAll();
    assertEquals(List.of(), parts(other));
  }

  @Test
  void pipe_isNeverOpened() throws Exception {
    Files.createFile(folder.resolve("out.h5.part"));
    Path done = folder.resolve("out.h5.part.done");
    assertEquals(0, new ProcessBuilder("mkfifo", done.toString()).start().waitFor());
    assertTimeoutPreemptively(Duration.ofMinutes(1), this::writeAll);
  }

  @Test
  void createdFile_replacesALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("array.npy.part"), victim);
    try (FileChannel channel = PlainFile.create(link)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2}));
    }
    assertEquals(2, Files.size(link));
    assertTrue(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS));
    assertEquals("precious", Files.readString(victim));
  }
}
