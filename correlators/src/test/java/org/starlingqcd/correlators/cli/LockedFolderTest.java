package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.LockingProcess;

/** {@code starling run} into a folder of which another process has the lock. */
@Tag("slow")
final class LockedFolderTest {
  @TempDir Path folder;
  private @Nullable Process other;
  private @Nullable Process waiting;

  @BeforeEach
  void lock() throws Exception {
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    Path out = Files.createDirectory(folder.resolve("out"));
    Process locking = LockingProcess.start(out.resolve(".starling.lock"));
    other = locking;
    Path data = Path.of("../examples/data/quenched_4x8_cfg0001.h5").toAbsolutePath();
    Process started =
        TestInstallation.process(
                folder,
                launcher.toString(),
                Cli.words("run pion --data %s --separations=0 --backend=cpu --out %s", data, out))
            .start();
    waiting = started;
    Path err = folder.resolve("err.txt");
    String holder = "is locked by process " + locking.pid();
    while (!Files.readString(err).contains(holder)) {
      assertTrue(started.isAlive(), () -> "does not wait: " + read(err));
      Thread.sleep(20);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @AfterEach
  void end() {
    for (Process process : new Process[] {other, waiting}) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void signal_endsTheWaiting() throws Exception {
    Process running = Objects.requireNonNull(waiting);
    // SIGTERM.
    running.destroy();
    Cli ended = TestInstallation.finish(running, folder);
    assertEquals(143, ended.status(), ended.err());
    ended.notes("starling: stopped");
    assertTrue(Objects.requireNonNull(other).isAlive());
  }

  @Test
  void runGoesOn_whenTheOtherHasEnded() throws Exception {
    Objects.requireNonNull(other).destroyForcibly();
    TestInstallation.finish(Objects.requireNonNull(waiting), folder).ok();
    assertTrue(Files.exists(folder.resolve("out/pion.h5")));
    assertEquals("", Files.readString(folder.resolve("out/.starling.lock")));
  }
}
