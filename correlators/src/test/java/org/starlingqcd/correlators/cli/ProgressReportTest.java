package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
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
}
