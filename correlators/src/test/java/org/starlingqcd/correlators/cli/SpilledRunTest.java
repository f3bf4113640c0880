package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that needs its spill file, which fails it. */
final class SpilledRunTest {
  @TempDir Path folder;
  private Path spill = Path.of("");

  @BeforeEach
  void makeFolder() throws IOException {
    spill = Files.createDirectory(folder.resolve("spill"));
  }

  private String[] arguments(String... more) {
    Path data = Path.of("../examples/data/quenched_4x8_cfg0001.h5").toAbsolutePath();
    return Cli.and(
        Cli.words(
            "run rho_pipi --data %s --backend=cpu --recompute=0 --device-memory=60KiB "
                + "--spill-directory %s --out %s",
            data, spill, folder.resolve("out")),
        more);
  }

  @Test
  void spillFileThatMayNotGrow_isSaid() {
    for (String limit : new String[] {"16KiB", "64KiB", "200KiB"}) {
      Cli.run(arguments("--spill-limit", limit))
          .failed("starling: " + spill + ": the spill file would grow to ");
      assertEquals(0, files(), "the file is gone");
    }
  }

  private int files() {
    String[] names = spill.toFile().list();
    return names == null ? 0 : names.length;
  }

  @Test
  @Tag("slow")
  void spillFileThatCannotGrow_isSaid() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    ProcessBuilder run = TestInstallation.process(folder, launcher.toString(), arguments());
    List<String> limited =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 100; exec \"$@\"", "bash"));
    limited.addAll(run.command());
    Cli failed =
        TestInstallation.finish(run.command(limited).start(), folder)
            .failed(": cannot be written: File too large;");
    assertTrue(failed.err().lines().noneMatch(line -> line.contains("internal")), failed.err());
    assertEquals(0, files());
  }

  @Test
  @Tag("slow")
  void spillFileThatAnotherOverwrites_failsTheRun() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    Process run =
        TestInstallation.process(folder, launcher.toString(), arguments("--sources=all")).start();
    boolean overwritten = false;
    while (run.isAlive()) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(spill)) {
        for (Path file : files) {
          overwritten |= overwrite(file);
        }
      } catch (IOException gone) {
        // The run has ended meanwhile.
      }
    }
    assertTrue(overwritten, "the run has not spilled");
    TestInstallation.finish(run, folder).failed("are not what was written there");
  }

  private static boolean overwrite(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] nonsense = new byte[(int) open.length()];
      open.write(nonsense);
      return nonsense.length > 0;
    }
  }
}
