package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DefinitionGroupsTest {
  private static final List<Integer> ALL = List.of(0, 1, 2);

  @Test
  void fewUnitsInParts_areComputedWhole() {
    DefinitionGroups groups =
        DefinitionGroups.unnamed(ALL, List.of(ALL, List.of(1, 2), List.of(2), List.of(2), ALL));
    assertEquals(ALL, groups.plannedFor(List.of(2)));
    assertEquals(ALL, groups.plannedFor(List.of(1, 2)));
    assertEquals(ALL, groups.plannedFor(ALL));
  }

  @Test
  void definitionsAddedToAnEarlierResult_areComputedAlone() {
    DefinitionGroups groups = DefinitionGroups.unnamed(ALL, Collections.nCopies(40, List.of(2)));
    assertEquals(List.of(2), groups.plannedFor(List.of(2)));
    assertEquals(ALL, groups.plannedFor(List.of(1)));
    assertEquals(ALL, groups.plannedFor(ALL));
  }

  @Test
  void newResult_isPlannedWithAllNewOnes() {
    assertEquals(
        List.of(List.of("a", "b"), List.of("a", "b")),
        DefinitionGroups.plannedWith(List.of("a", "b"), List.of(List.of(), List.of())));
  }

  @Test
  void resultOfAnEarlierRun_isPlannedAsThere() {
    assertEquals(
        List.of(List.of("x", "a"), List.of("b", "c"), List.of("b", "c")),
        DefinitionGroups.plannedWith(
            List.of("a", "b", "c"), List.of(List.of("x", "a"), List.of(), List.of())));
  }

  @Test
  void newResultThatAnotherNames_isPlannedWithThat() {
    assertEquals(
        List.of(List.of("a", "b"), List.of("a", "b"), List.of("c")),
        DefinitionGroups.plannedWith(
            List.of("a", "b", "c"), List.of(List.of("a", "b"), List.of(), List.of())));
  }
}
