package org.starlingqcd.simulator.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

final class PaperCheckTest {
  @Test
  void everyPaper_hasATitle() {
    for (String name : PaperCheck.names()) {
      try (PaperCheck check = PaperCheck.of(name)) {
        assertFalse(check.title().contains("|"), name);
      }
    }
  }

  @Test
  void verdicts_followTheAllowedDifference() {
    assertEquals(PaperRow.Verdict.PASS, PaperRow.near("a", 2, 2.5, 0.5).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.near("a", 2, 2.6, 0.5).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.bounded("a", "few", 3, 2, true).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.bounded("a", "many", 1, 2, false).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.predicted("a", "3", 1, 2, 0.5).verdict());
    assertEquals("not possible", PaperRow.Verdict.NOT_POSSIBLE.label());
  }
}
