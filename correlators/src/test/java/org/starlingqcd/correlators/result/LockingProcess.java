package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Path;

/** A process that has the lock of a folder until it is killed. Argument: the folder's lock. */
public final class LockingProcess {
  private LockingProcess() {}

  /** Takes the lock, says so, and keeps it. */
  public static void main(String[] args) throws IOException {
    FolderLock.pass(
        Path.of(args[0]),
        gate -> {
          System.out.println("locked");
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** Starts such a process, which has the lock when the call returns. */
  public static Process start(Path lock) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockingProcess.class.getName(),
                lock.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (!"locked".equals(process.inputReader().readLine())) {
      throw new IOException("the lock cannot be had: " + lock);
    }
    return process;
  }
}
