package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.Console.PrintableWriter;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.execute.ContractionException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.transfer.SpillException;

/** Turns a failure into one message on standard error and an exit status. */
public final class ErrorReport {
  /** Exit status of success. */
  public static final int SUCCESS = 0;

  /** Exit status when the computation failed. */
  public static final int FAILED = 1;

  /** Exit status of wrong usage or wrong input. */
  static final int WRONG_INPUT = 2;

  private ErrorReport() {}

  /** Prints the failure and returns the exit status. */
  static int print(Throwable failure, boolean debug, PrintWriter err) {
    PrintWriter safe = PrintableWriter.to(err);
    safe.println("starling: " + message(failure));
    if (debug) {
      failure.printStackTrace(safe);
    }
    safe.flush();
    return isInput(failure) ? WRONG_INPUT : FAILED;
  }

  private static boolean isInput(Throwable failure) {
    return failure instanceof InputException
        || failure instanceof DistillationException
        || failure instanceof BackendSettingException;
  }

  /** Whether the failure's own message is all that a user needs. */
  private static boolean isPlain(Throwable failure) {
    return failure instanceof ComputationException
        || failure instanceof ContractionException
        || failure instanceof CancellationException
        || failure instanceof Hdf5Exception
        || failure instanceof MemoryBudgetException
        || failure instanceof SpillException
        || failure instanceof BackendException;
  }

  /** The whole message of a failure, for a reader who does not know the code. */
  public static String message(Throwable failure) {
    @Nullable String text = failure.getMessage();
    if ((isInput(failure) || isPlain(failure)) && text != null) {
      return text;
    }
    if (failure instanceof UncheckedIOException && failure.getCause() != null) {
      return message(failure.getCause());
    }
    if (failure instanceof NoSuchFileException missing) {
      return "no such file: " + missing.getFile();
    }
    if (failure instanceof AccessDeniedException denied) {
      return "no permission: " + denied.getFile();
    }
    if (failure instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    if (failure instanceof IOException && text != null) {
      return text;
    }
    if (failure instanceof OutOfMemoryError && text != null && text.contains("native thread")) {
      return "the system allows no more threads; --threads N takes fewer, and `ulimit -u` shows the"
          + " bound";
    }
    if (failure instanceof OutOfMemoryError) {
      return "out of memory: %s; STARLING_JAVA_OPTS=-Xmx8g gives the program 8 GiB of Java heap"
          .formatted(text);
    }
    return "internal error: " + failure + " (--debug shows where)";
  }
}
