package org.starlingqcd.graph.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownElementsTest {
  @Test
  void has_onlyBetweenKnownOperatorsAtKnownSeparations() {
    KnownElements known = new KnownElements(Set.of(0, 2), Set.of(1, 3));
    int found = 0;
    for (int row : List.of(0, 1, 2)) {
      for (int column : List.of(0, 1, 2)) {
        for (int separation = 0; separation < 5; separation++) {
          boolean expected = row != 1 && column != 1 && separation % 2 == 1;
          assertEquals(expected, known.has(row, column, separation));
          found += expected ? 1 : 0;
        }
      }
    }
    assertEquals(2 * 2 * 2, found);
  }

  @Test
  void noOperators_nothingIsKnown() {
    assertFalse(new KnownElements(Set.of(), Set.of(0)).has(0, 0, 0));
    assertFalse(new KnownElements(Set.of(0), Set.of()).has(0, 0, 0));
  }

  @Test
  void sets_areCopied() {
    Set<Integer> operators = new HashSet<>(Set.of(0));
    KnownElements known = new KnownElements(operators, Set.of(2));
    operators.clear();
    assertTrue(known.has(0, 0, 2));
    assertThrows(UnsupportedOperationException.class, () -> known.separations().add(1));
  }
}
