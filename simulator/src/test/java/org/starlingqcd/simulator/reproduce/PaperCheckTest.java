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

  /** Measures the number that it is given. */
  private static String verdict(String line) {
    try (PaperCheck check =
        new PaperCheck() {
          @Override
          Object measure(String what, String[] arguments) {
            return what.equals("no") ? PaperRow.Statement.of(false) : (Object) Double.valueOf(what);
          }
        }) {
      PaperRow row = check.row(line);
      return row.verdict().label() + (row.reason().isEmpty() ? "" : ": " + row.reason());
    }
  }

  @Test
  void verdicts_followTheAllowedDifferenceAndTheReason() {
    assertEquals("pass", verdict("a | paper | 2 | 0.5 | 2.5"));
    assertEquals("fail", verdict("a | paper | 2 | 0.5 | 2.6"));
    assertEquals("differs: why", verdict("a | paper | 2 | 0.5 | 2.6 | why"));
    assertEquals("pass", verdict("a | paper | 2 | 0.5 | 2.4 | why"));
    assertEquals("fail", verdict("a | model | few | at most 2 | 3"));
    assertEquals("fail", verdict("a | model | many | at least 2 | 1"));
    assertEquals("pass", verdict("a | paper | 1 to 2 | from 1 to 2 | 2"));
    assertEquals("fail", verdict("a | paper | 1 to 2 | from 1 to 2 | 2.1"));
    assertEquals("pass", verdict("a | inferred | = 3 | = 1 | 2"));
    assertEquals("fail", verdict("a | paper | yes | | no"));
    assertEquals("measured", verdict("a | paper | 2 | time | 70"));
    assertEquals("not possible: a GPU", verdict("a | paper | 2 | a GPU"));
  }
}
