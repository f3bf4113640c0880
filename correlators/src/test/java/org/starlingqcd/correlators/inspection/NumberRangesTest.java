package org.starlingqcd.correlators.inspection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NumberRangesTest {
  @Test
  void text_joinsNeighbours() {
    assertEquals("none", NumberRanges.text(List.of()));
    assertEquals("3", NumberRanges.text(List.of(3)));
    assertEquals("3, 4", NumberRanges.text(List.of(4, 3)));
    assertEquals("0, 3-5, 7, 8, 10-12", NumberRanges.text(List.of(0, 3, 4, 5, 7, 8, 12, 11, 10)));
  }
}
