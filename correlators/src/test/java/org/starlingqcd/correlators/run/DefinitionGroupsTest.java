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
        new DefinitionGroups(3, List.of(ALL, List.of(1, 2), List.of(2), List.of(2), ALL));
    assertEquals(ALL, groups.plannedFor(List.of(2)));
    assertEquals(ALL, groups.plannedFor(List.of(1, 2)));
    assertEquals(ALL, groups.plannedFor(ALL));
  }

  @Test
  void definitionsAddedToAnEarlierResult_areComputedAlone() {
    DefinitionGroups groups = new DefinitionGroups(3, Collections.nCopies(40, List.of(2)));
    assertEquals(List.of(2), groups.plannedFor(List.of(2)));
    assertEquals(ALL, groups.plannedFor(List.of(1)));
    assertEquals(ALL, groups.plannedFor(ALL));
  }
}
