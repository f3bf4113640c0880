package org.starlingqcd.hadron.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

class InputCacheTest {
  private static void assertHolds(InputCache cache, int place, double... expected) {
    try (HostMemory target = HostMemory.allocate(8L * (expected.length + 1))) {
      assertTrue(cache.fetch(place, target, 8));
      double[] found = new double[expected.length];
      target.get(1, found, 0, found.length);
      assertArrayEquals(expected, found);
    }
  }

  private static boolean has(InputCache cache, int place) {
    try (HostMemory target = HostMemory.allocate(64)) {
      return cache.fetch(place, target, 0);
    }
  }

  @Test
  void keep_copiesUpToTheLimit() {
    HostMemoryBudget budget = new HostMemoryBudget(32, 0);
    try (HostMemory source = HostMemory.allocate(32);
        InputCache cache = new InputCache(budget)) {
      source.put(0, new double[] {1, 2, 3, 4}, 0, 4);
      assertFalse(has(cache, 0));
      cache.keep(0, source, 8, 16);
      cache.keep(1, source, 0, 16);
      cache.keep(2, source, 0, 16);
      source.clear();
      assertHolds(cache, 0, 2, 3);
      assertHolds(cache, 1, 1, 2);
      assertFalse(has(cache, 2));
      cache.drop(0);
      cache.drop(0);
      assertFalse(has(cache, 0));
      cache.keep(2, source, 0, 16);
      assertHolds(cache, 2, 0, 0);
      // Memory of another size does not serve, and there is no more of it.
      cache.drop(2);
      cache.keep(3, source, 0, 8);
      assertFalse(has(cache, 3));
      // Others get it.
      assertFalse(budget.tryReserve(16));
      assertTrue(budget.reclaim(16));
      budget.release(16);
      cache.clear();
      assertFalse(has(cache, 1));
      assertTrue(budget.tryReserve(32));
      budget.release(32);
    }
  }
}
