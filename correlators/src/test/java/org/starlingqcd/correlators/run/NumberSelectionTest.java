package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.InputException;

final class NumberSelectionTest {
  @Test
  void below_sortsAndDropsRepetitions() {
    assertEquals(List.of(1, 3, 4, 5), NumberSelection.parse("5, 1,3-5,1").below("--x", 8, "T"));
    assertEquals(List.of(0, 1, 2), NumberSelection.ALL.below("--x", 3, "T"));
    assertEquals(List.of(0, 1, 2), NumberSelection.parse("all").below("--x", 3, "T"));
  }

  @Test
  void contains_knowsTheEndsOfARange() {
    NumberSelection selection = NumberSelection.parse("1,10-20");
    assertTrue(selection.contains(1));
    assertTrue(selection.contains(10));
    assertTrue(selection.contains(20));
    assertFalse(selection.contains(2));
    assertFalse(selection.contains(21));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,", "-1", "5-3", "1-2-3", "1.5", "a", "99999999999", "0-9999999"})
  void parse_refusesWithTheText(String text) {
    InputException refusal = assertThrows(InputException.class, () -> NumberSelection.parse(text));
    assertTrue(String.valueOf(refusal.getMessage()).startsWith("'"), refusal.getMessage());
  }
}
