package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrentlyTest {
  @Test
  void each_anyNumberOfParts_returnsResultsInOrder() {
    for (int count : List.of(0, 1, 2, 3, 1001)) {
      assertEquals(
          IntStream.range(0, count).map(k -> k * k).boxed().toList(),
          Concurrently.each(count, k -> k * k));
    }
  }

  @Test
  void each_partThatFails_throwsWhatItThrew() {
    assertThrows(
        IllegalStateException.class,
        () ->
            Concurrently.each(
                100,
                k -> {
                  if (k == 42) {
                    throw new IllegalStateException();
                  }
                  return k;
                }));
  }
}
