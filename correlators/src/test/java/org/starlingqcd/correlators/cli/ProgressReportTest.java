package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProgressReportTest {
  /** A unit has 1000 steps. */
  @Test
  void remaining_isKnownAfterTheFirstUnitOrAfterAWhile() {
    Duration second = Duration.ofSeconds(1);
    assertEquals(Optional.empty(), ProgressReport.remaining(0, 16_000, second));
    assertEquals(Optional.empty(), ProgressReport.remaining(4, 15_996, second));
    assertEquals(
        Optional.of(Duration.ofSeconds(15)), ProgressReport.remaining(1000, 15_000, second));
    assertEquals(
        Optional.of(Duration.ofSeconds(60)),
        ProgressReport.remaining(250, 750, Duration.ofSeconds(20)));
    assertEquals(Optional.empty(), ProgressReport.remaining(0, 1000, Duration.ofMinutes(1)));
  }

  /** A clock that a test moves. */
  private static final class Hand extends Clock {
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }

    void move(Duration time) {
      now = now.plus(time);
    }
  }

  @Test
  void withoutTerminal_linesSayWhatIsDoneAndLeftAndWhenTheRunEnds() {
    StringWriter text = new StringWriter();
    Hand clock = new Hand();
    try (ProgressReport report =
        new ProgressReport(new PrintWriter(text)::println, clock, clock::getZone)) {
      report.started(10, 2);
      report.progress(1, 4);
      clock.move(Duration.ofSeconds(59));
      report.progress(2, 4);
      assertEquals("starling: 2 of 10 units are finished already\n", text.toString());
      text.getBuffer().setLength(0);
      clock.move(Duration.ofSeconds(1));
      report.progress(3, 4);
      report.progress(3, 4);
      assertEquals(
          "starling: 2.7 of 10 units are done, 7.3 are left; the run ends in about 9.7 min, at"
              + " 2026-03-01 10:10\n",
          text.toString());
      text.getBuffer().setLength(0);
      clock.move(Duration.ofDays(1));
      report.unitFinished(3, 0, 60);
      assertTrue(
          text.toString()
              .endsWith(
                  "starling: 3.0 of 10 units are done, 7.0 are left; the run ends in about 168 h,"
                      + " at 2026-03-09 10:08\n"),
          text.toString());
      text.getBuffer().setLength(0);
      clock.move(Duration.ofMinutes(30));
      report.progress(1, 2);
      assertEquals("", text.toString());
    }
  }
}
