package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Path;
import org.starlingqcd.correlators.cli.TestInstallation;

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
    ProcessBuilder builder = new ProcessBuilder(TestInstallation.java(LockingProcess.class));
    builder.command().add(lock.toString());
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    if (!"locked".equals(process.inputReader().readLine())) {
      throw new IOException("the lock cannot be had: " + lock);
    }
    return process;
  }
}
