package org.starlingqcd.memhc.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeModelTest {
  private static final CacheStatistics CACHE =
      new CacheStatistics(
          Map.of(Outcome.HIT, 3_000_000L, Outcome.FREE, 1_000_000L), 1_000_000, 500_000, 6_000_000);

  @Test
  void seconds_sumOrMaximum() {
    TimeModel sum = TimeModel.parse("bus=1MB/s,kernel=2GFLOP/s,fast=4e6B/s");
    assertEquals(1.5 + 1 + 0.5, sum.seconds(CACHE, 1e9), 1e-12);
    assertEquals(2.5, sum.seconds(5e9, 2e6, 2e6, 0), 1e-12, "no rate, no time");
    TimeModel overlap = TimeModel.parse("bus=1MB/s,kernel=2GFLOP/s,overlap");
    assertEquals(1.5, overlap.seconds(CACHE, 1e9), 1e-12);
  }

  @Test
  void binaryUnits() {
    assertEquals(2, TimeModel.parse("bus=1GiB/s").seconds(0, 0, 2L << 30, 0), 1e-12);
  }

  @Test
  void byteHitRatio_countsBothDirections() {
    assertEquals(0.75, CACHE.byteHitRatio(), 1e-15);
    assertEquals(0.75, CACHE.shares().get("hit"), 1e-15);
    assertEquals(0, CACHE.bytes(Outcome.FULL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bus",
        "bus=",
        "bus=5",
        "bus=5GFLOP/s",
        "kernel=1GB/s",
        "bus=0GB/s",
        "net=1GB/s",
        "bus=1GB/s,bus=2GB/s",
        "bus=1GB/s,",
        "overlap=1"
      })
  void nonsense_isRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> TimeModel.parse(text));
  }
}
