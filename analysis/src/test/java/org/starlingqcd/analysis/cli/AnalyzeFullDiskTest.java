package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;

/** {@code starling analyze --out} where the disk is full. */
@Tag("slow")
final class AnalyzeFullDiskTest {
  private static final int DISK_KILOBYTES = 400;

  @TempDir Path folder;
  private boolean mounted;

  private Path disk() {
    return folder.resolve("disk");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      system("umount", disk().toString());
    }
  }

  private static int system(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private Cli analyze() {
    return Cli.run(
        words("analyze %s --out %s", ResultFixture.reference("pion.h5"), disk().resolve("out")));
  }

  private Map<String, Long> sizes() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(disk().resolve("out"))) {
      for (Path file : files.toList()) {
        sizes.put(file.getFileName().toString(), Files.size(file));
      }
    }
    return sizes;
  }

  @Test
  void fullDisk_isOneMessage_andLeavesWholeFilesAlone() throws Exception {
    Files.createDirectory(disk());
    mounted =
        system("mount", "-t", "tmpfs", "-o", "size=" + DISK_KILOBYTES + "k", "tmpfs", "" + disk())
            == 0;
    assumeTrue(mounted, "only root may mount a small disk");
    Path filling = disk().resolve("filling");
    for (int left : new int[] {0, 8, 24, 48, 80}) {
      Files.write(filling, new byte[(DISK_KILOBYTES - left) << 10]);
      Cli result = analyze();
      assertEquals(1, result.status(), result.err());
      List<String> said = result.err().lines().toList();
      assertEquals(1, said.size(), result.err());
      assertTrue(said.get(0).contains("No space left"), said.get(0));
      if (Files.exists(disk().resolve("out"))) {
        assertEquals(Map.of(), sizes());
      }
      Files.delete(filling);
    }
    assertEquals(0, analyze().status());
    Map<String, Long> whole = sizes();
    assertEquals(6, whole.size(), whole.toString());
    Files.write(
        filling, new byte[(int) Math.max(0, disk().toFile().getUsableSpace() - (20 << 10))]);
    Cli result = analyze();
    assertEquals(1, result.status(), result.err());
    assertEquals(whole, sizes());
  }
}
