package org.starlingqcd.correlators.definition.symmetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HalfIntegerTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 2",
    "-2, -4",
    "+1, 2",
    "1/2, 1",
    "-3/2, -3",
    "4/2, 4",
    "3/1, 6",
    "0.5, 1",
    "-1.5, -3",
    "1.0, 2",
    "2.50, 5",
    "1., 2",
    "-0.5, -1"
  })
  void parse_integersAndHalves(String text, int twice) {
    assertEquals(Optional.of(new HalfInteger(twice)), HalfInteger.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1/3", "0.25", "1/0", "--1", "0.51", "1e0", "1/2/2", "12345678"})
  void parse_anythingElse_isNone(String text) {
    assertEquals(Optional.empty(), HalfInteger.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-4, -2", "3, 3/2", "-1, -1/2"})
  void toString_isParsedBack(int twice, String text) {
    assertEquals(text, new HalfInteger(twice).toString());
  }
}
