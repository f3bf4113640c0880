package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private static TextTable table() {
    TextTable table =
        new TextTable(TextTable.FirstColumn.RIGHT, " ", List.of("dt", "first", "second", "third"));
    table.row(List.of("0", "1.00(1)", "2", "3"));
    table.row(List.of("10", "1", "22.5(3)", "3"));
    return table;
  }

  @Test
  void toString_withoutATerminal_isOneBlock() {
    assertEquals(
        """
         dt    first   second  third
          0  1.00(1)        2      3
         10        1  22.5(3)      3
        """,
        table().toString());
  }

  @Test
  void text_narrow_isCutIntoBlocksWithTheFirstColumn() {
    assertEquals(
        """
         dt    first   second
          0  1.00(1)        2
         10        1  22.5(3)

         dt  third
          0      3
         10      3
        """,
        table().text(23));
  }

  @Test
  void text_narrowerThanAColumn_stillPrintsEachOnce() {
    String text = table().text(1);
    assertEquals(3, text.lines().filter(line -> line.startsWith(" dt")).count(), text);
  }

  @Test
  void row_ofAnotherLength_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> table().row(List.of("1")));
  }
}
