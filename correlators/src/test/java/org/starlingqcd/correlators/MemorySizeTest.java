package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MemorySizeTest {
  @ParameterizedTest
  @CsvSource({
    "4GiB,4294967296",
    "4gib,4294967296",
    "4G,4294967296",
    "800MB,800000000",
    "1.5 KiB,1536",
    "1e9,1000000000",
    "123,123",
    "80%,800"
  })
  void parse_readsUnits(String text, long bytes) {
    assertEquals(bytes, MemorySize.parse(text).of(1000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GiB", "-1", "0", "4 GiBs", "0%", "101%", "nan", "1e30"})
  void parse_refusesWithTheText(String text) {
    InputException refusal = assertThrows(InputException.class, () -> MemorySize.parse(text));
    assertTrue(String.valueOf(refusal.getMessage()).contains(text), refusal.getMessage());
  }

  @Test
  void text_takesTheLargestUnit() {
    assertEquals("1023 bytes", MemorySize.text(1023));
    assertEquals("1.00 KiB", MemorySize.text(1024));
    assertEquals("1.50 GiB", MemorySize.text(3L << 29));
    assertEquals("2048.00 TiB", MemorySize.text(1L << 51));
  }
}
