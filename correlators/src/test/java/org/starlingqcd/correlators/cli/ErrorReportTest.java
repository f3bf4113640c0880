package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.correlators.InputException;

final class ErrorReportTest {
  @Test
  void wrongInput_isItsMessageAloneAndStatus2() {
    assertReport(new InputException("a.yaml:3: no"), 2, "starling: a.yaml:3: no\n");
    assertReport(
        new BackendSettingException("X=1: expected 2", new IllegalArgumentException("1")),
        2,
        "starling: X=1: expected 2\n");
  }

  @Test
  void failedComputation_isStatus1() {
    assertReport(new BackendException("zgemm failed"), 1, "starling: zgemm failed\n");
  }

  @Test
  void fileErrors_sayWhatIsWrongWithTheFile() {
    assertReport(new NoSuchFileException("/a/b"), 1, "starling: no such file: /a/b\n");
    assertReport(new AccessDeniedException("/a"), 1, "starling: no permission: /a\n");
    assertReport(
        new UncheckedIOException(new IOException("No space left on device")),
        1,
        "starling: No space left on device\n");
  }

  @Test
  void defect_isCalledOne() {
    assertReport(
        new IllegalStateException("x"),
        1,
        "starling: internal error: java.lang.IllegalStateException: x (--debug shows where)\n");
  }

  @Test
  void debug_addsTheStackTrace() {
    StringWriter err = new StringWriter();
    ErrorReport.print(new InputException("no"), true, new PrintWriter(err));
    assertTrue(err.toString().startsWith("starling: no\n"), err.toString());
    assertTrue(err.toString().contains("at " + getClass().getName()), err.toString());
  }

  private static void assertReport(Throwable failure, int status, String text) {
    StringWriter err = new StringWriter();
    assertEquals(status, ErrorReport.print(failure, false, new PrintWriter(err)));
    assertEquals(text, err.toString());
  }
}
