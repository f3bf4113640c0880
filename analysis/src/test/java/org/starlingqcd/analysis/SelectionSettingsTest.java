package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;

/** Operators by name, quoted, by place and by pattern. */
final class SelectionSettingsTest {
  private static final List<String> NAMES =
      List.of("rho", "pi(0,0,1) pi(0,0,-1)", "pi(0,1,1) pi(0,-1,-1)", "it's", "7");

  private static int[] indices(String... operators) {
    return selection(operators).indices("file", NAMES);
  }

  private static SelectionSettings selection(String... operators) {
    return SelectionSettings.ALL.with(NumberSelection.ALL, NumberSelection.ALL, List.of(operators));
  }

  @Test
  void namesWithCommas_areTakenWhole_alsoInLists() {
    assertArrayEquals(new int[] {1}, indices("pi(0,0,1) pi(0,0,-1)"));
    assertArrayEquals(
        new int[] {2, 0, 1}, indices("pi(0,1,1) pi(0,-1,-1),rho, pi(0,0,1) pi(0,0,-1)"));
    assertArrayEquals(new int[] {2, 0}, indices("'pi(0,1,1) pi(0,-1,-1)',\"rho\""));
    assertArrayEquals(new int[] {3, 0}, indices("it's,rho"));
    assertArrayEquals(new int[] {0, 3}, indices("rho", "it's"));
  }

  @Test
  void places_andPatterns_select() {
    assertArrayEquals(new int[] {2, 0}, indices("2,0"));
    // A name that looks like a place is a name.
    assertArrayEquals(new int[] {4}, indices("7"));
    assertArrayEquals(new int[] {1, 2}, indices("pi*"));
    assertArrayEquals(new int[] {1}, indices("pi(0,0,?)*"));
    // A pattern adds what is not chosen yet.
    assertArrayEquals(new int[] {2, 0, 1, 3, 4}, indices("2,*"));
    assertArrayEquals(new int[] {0, 1, 2, 3, 4}, indices());
  }

  @Test
  void patternsWithManyStars_areComparedInNoTime() {
    SelectionSettings stars = selection("*a".repeat(20) + "*b");
    List<String> names = List.of("a".repeat(200), "a".repeat(200) + "b");
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertArrayEquals(new int[] {1}, stars.indices("file", names)));
    assertArrayEquals(new int[] {1, 2}, indices("*(*,?,*)*(*,-1)"));
  }

  @Test
  void whatIsNotThere_isRefused() {
    for (String wrong : new String[] {"pi(0,0,2)", "5", "a*", "'2'", "", "rho,"}) {
      String message = assertThrows(InputException.class, () -> indices(wrong)).getMessage();
      assertEquals("file: has no operator '", message.substring(0, 23), wrong);
      assertEquals(
          true,
          message.endsWith("only [rho, 'pi(0,0,1) pi(0,0,-1)', 'pi(0,1,1) pi(0,-1,-1)', it's, 7]"),
          message);
    }
    assertEquals(
        "operator 'rho' is given twice",
        assertThrows(InputException.class, () -> indices("rho,rho")).getMessage());
  }
}
