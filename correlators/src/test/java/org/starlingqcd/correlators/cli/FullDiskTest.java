package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code starling run} where the disk is full, or files may not grow. */
@Tag("slow")
final class FullDiskTest {
  private static final int DISK_KILOBYTES = 128;

  @TempDir Path folder;
  private Path launcher = Path.of("");
  private Path disk = Path.of("");
  private boolean mounted;

  @BeforeEach
  void install() throws IOException {
    launcher = TestInstallation.make(folder.resolve("program")).launcher();
    disk = Files.createDirectory(folder.resolve("disk"));
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      system("umount", disk.toString());
    }
  }

  private static int system(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private String[] run() {
    Path data = Path.of("../examples/data").toAbsolutePath();
    return Cli.words(
        "run rho_pipi --data %s --sources=all --backend=cpu --out %s", data, disk.resolve("out"));
  }

  private Cli run(String shell) throws Exception {
    ProcessBuilder run = TestInstallation.process(folder, launcher.toString(), run());
    List<String> command = new ArrayList<>(List.of("bash", "-c", shell + "exec \"$@\"", "bash"));
    command.addAll(run.command());
    return TestInstallation.finish(run.command(command).start(), folder);
  }

  private static void assertFailed(Cli result, String reason) {
    assertEquals(1, result.status(), result.err());
    List<String> said =
        result.err().lines().filter(line -> line.contains("cannot be written")).toList();
    assertEquals(1, said.size(), result.err());
    assertTrue(said.get(0).contains(reason), result.err());
    assertTrue(said.get(0).endsWith("the same command continues the run"), result.err());
  }

  @Test
  void fullDisk_isOneMessage_andTheRunContinuesWhenThereIsRoom() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/mounts")), "no Linux");
    mounted =
        system("mount", "-t", "tmpfs", "-o", "size=" + DISK_KILOBYTES + "k", "tmpfs", "" + disk)
            == 0;
    assumeTrue(mounted, "only root may mount a small disk");
    // The new file does not fit beside the journal: after some, one, or none of its datasets, and
    // at last not even the journal does.
    for (int left : new int[] {60, 48, 36, 28, 18}) {
      Path filling = disk.resolve("filling");
      Files.write(filling, new byte[(DISK_KILOBYTES - left) << 10]);
      assertFailed(run(""), "No space left on device");
      assertTrue(Files.notExists(disk.resolve("out/.rho_pipi.h5.tmp")));
      Files.delete(filling);
      Cli.run(run()).ok();
      Files.delete(disk.resolve("out/rho_pipi.h5"));
    }
  }

  @Test
  void fileThatMayNotGrow_isOneMessage() throws Exception {
    for (int kilobytes : new int[] {8, 12, 24}) {
      assertFailed(run("ulimit -f " + kilobytes + "; "), "File too large");
      assertTrue(Files.notExists(disk.resolve("out/.rho_pipi.h5.tmp")));
    }
    Cli.run(run()).ok();
  }
}
