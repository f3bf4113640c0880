package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.starlingqcd.correlators.StderrLoggers.StderrLogger;

/** What is logged, as the program prints it. */
final class StderrLoggersTest {
  private static String printed(Runnable logging) {
    PrintStream standard = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      logging.run();
    } finally {
      System.setErr(standard);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void warningsAndErrors_areOneLineWithoutAStackTrace() {
    Logger logger = LoggerFactory.getLogger("org.starlingqcd.anything");
    assertInstanceOf(StderrLogger.class, logger);
    String end = System.lineSeparator();
    assertEquals(
        "starling: WARN  2 of 3 units" + end, printed(() -> logger.warn("{} of {} units", 2, 3)));
    assertEquals(
        "starling: ERROR lost: why" + end,
        printed(() -> logger.error("lost: {}", "why", new IllegalStateException("hidden"))));
    assertEquals("", printed(() -> logger.info("not of interest")));
  }

  @Test
  void notices_arePlainLines() {
    Logger notices = LoggerFactory.getLogger(StderrLoggers.NOTICES);
    assertEquals(
        "starling: as always" + System.lineSeparator(), printed(() -> notices.info("as always")));
  }

  @Test
  void controlSequences_reachNoTerminal() {
    assertEquals(
        "starling: WARN  a?[31mb?c\td\ne",
        StderrLogger.line(Level.WARN, "a\033[31mb\u009bc\td\ne"));
  }

  @Test
  void javaCpp_mayOnlyReportErrors() {
    StderrLoggers loggers = new StderrLoggers();
    assertFalse(loggers.getLogger("org.bytedeco.javacpp.Loader").isWarnEnabled());
    assertTrue(loggers.getLogger("org.bytedeco.javacpp.Loader").isErrorEnabled());
  }

  @Test
  void level_isTakenByName() {
    assertEquals(Level.DEBUG, StderrLoggers.level("debug"));
    assertEquals(Level.WARN, StderrLoggers.level(""));
    assertEquals(Level.WARN, StderrLoggers.level("chatty"));
  }
}
