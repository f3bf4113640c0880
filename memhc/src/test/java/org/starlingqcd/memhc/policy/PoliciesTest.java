package org.starlingqcd.memhc.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starlingqcd.memhc.access.AccessQueue;

/** What makes each policy what it is; {@link PolicyContractTest} holds for all. */
final class PoliciesTest {
  /** A cache of unit elements that asks a policy. */
  private static final class Cache {
    final FakeResidency residency;
    final EvictionPolicy policy;
    final int capacity;
    int misses;

    Cache(EvictionPolicy policy, int elements, int capacity) {
      residency = new FakeResidency(elements);
      this.policy = policy;
      this.capacity = capacity;
      policy.open(residency, 1);
    }

    /** Looks an element up; answers with the element evicted for it, or -1. */
    int use(int element) {
      residency.clock++;
      if (residency.resident[element]) {
        policy.accessed(element);
        return -1;
      }
      misses++;
      int victim = -1;
      if (residency.residents() == capacity) {
        victim = policy.victim();
        residency.resident[victim] = false;
        policy.removed(victim, true);
      }
      residency.resident[element] = true;
      policy.inserted(element);
      return victim;
    }
  }

  private static Cache cache(EvictionPolicy policy, int capacity, int... uses) {
    Cache cache = new Cache(policy, 64, capacity);
    for (int element : uses) {
      cache.use(element);
    }
    return cache;
  }

  @Test
  void randomEviction_victims_areSpread() {
    Cache cache = cache(new RandomEviction(), 8, 0, 1, 2, 3, 4, 5, 6, 7);
    int[] count = new int[8];
    for (int k = 0; k < 8000; k++) {
      count[cache.policy.victim()]++;
    }
    for (int times : count) {
      // 1000 expected, deviation 30.
      assertEquals(1000, times, 150);
    }
  }

  @Test
  void firstUnused_firstPlace_leavesFirst_andIsTakenNext() {
    Cache cache = cache(new FirstUnused(), 3, 0, 1, 2, 0, 0);
    assertEquals(0, cache.use(3));
    assertEquals(3, cache.use(4));
  }

  @Test
  void firstUnused_equalSize_leavesFirst() {
    Cache cache = cache(new FirstUnused(), 3, 0, 1, 2);
    cache.residency.bytes[2] = 7;
    cache.residency.bytes[3] = 7;
    cache.residency.bytes[4] = 9;
    assertEquals(2, cache.policy.victimFor(3));
    assertEquals(0, cache.policy.victimFor(4));
  }

  @Test
  void carAndClockPro_scan_leavesTheHotElements() {
    assertFewerMissesThanLru(new Car());
    assertFewerMissesThanLru(new ClockPro());
  }

  /** Figure 6 of the paper, example (b): A B C D, then E F A B; C and D leave. */
  @Test
  void preProtectedLru_figure6_repeatedAreProtected() {
    Cache cache = cache(new PreProtectedLru(), 4, 0, 1, 2, 3);
    cache.policy.beginVector(new int[] {4, 5, 0, 1}, 4);
    assertEquals(2, cache.use(4));
    assertEquals(3, cache.use(5));
    assertEquals(-1, cache.use(0));
    assertEquals(-1, cache.use(1));
  }

  /** Example (c): A B C D, then E F C D; A and B leave, as with LRU. */
  @Test
  void preProtectedLru_figure6_otherPositions() {
    Cache cache = cache(new PreProtectedLru(), 4, 0, 1, 2, 3);
    cache.policy.beginVector(new int[] {4, 5, 2, 3}, 4);
    assertEquals(0, cache.use(4));
    assertEquals(1, cache.use(5));
    assertEquals(-1, cache.use(2));
    assertEquals(-1, cache.use(3));
  }

  @Test
  void preProtectedLru_everythingProtected_oldestLeaves() {
    Cache cache = cache(new PreProtectedLru(), 3, 0, 1, 2);
    cache.policy.beginVector(new int[] {0, 1, 2, 3}, 4);
    assertEquals(0, cache.use(3));
  }

  @Test
  void preProtectedLru_flags_doNotOutliveTheirVector() {
    Cache cache = cache(new PreProtectedLru(), 3, 0, 1, 2);
    cache.policy.beginVector(new int[] {0, 1}, 2);
    assertEquals(2, cache.use(3));
    cache.policy.beginVector(new int[] {1}, 1);
    assertEquals(0, cache.use(4));
  }

  @Test
  void furthestNextUse_deadFirst_thenFurthest() {
    Cache cache = new Cache(new FurthestNextUse(), 64, 3);
    cache.residency.nextUse[0] = 50;
    cache.residency.nextUse[1] = 70;
    cache.residency.nextUse[2] = AccessQueue.NEVER;
    cache.residency.nextUse[3] = 10;
    List.of(0, 1, 2).forEach(cache::use);
    assertEquals(2, cache.use(3));
    assertEquals(1, cache.use(4));
  }

  @Test
  void furthestNextUse_rescheduled_takesNewUses() {
    Cache cache = new Cache(new FurthestNextUse(), 64, 2);
    cache.residency.nextUse[0] = 5;
    cache.residency.nextUse[1] = 9;
    List.of(0, 1).forEach(cache::use);
    cache.residency.nextUse[0] = 99;
    cache.policy.rescheduled();
    assertEquals(0, cache.policy.victim());
  }

  @Test
  void costAware_dirty_leavesOnlyWhenUsedTwiceAsFar() {
    Cache cache = new Cache(new CostAware(), 64, 2);
    cache.residency.nextUse[0] = 100;
    cache.residency.dirty[0] = true;
    cache.residency.nextUse[1] = 60;
    List.of(0, 1).forEach(cache::use);
    assertEquals(1, cache.policy.victim());
    cache.residency.nextUse[1] = 40;
    cache.policy.accessed(1);
    assertEquals(0, cache.policy.victim());
  }

  @Test
  void costAware_plannedToStay_leavesLast() {
    Cache cache = new Cache(new CostAware(), 64, 2);
    cache.residency.nextUse[0] = 100;
    cache.residency.stays[0] = true;
    cache.residency.nextUse[1] = 2;
    List.of(0, 1).forEach(cache::use);
    assertEquals(1, cache.policy.victim());
    cache.residency.pinned[1] = true;
    assertEquals(0, cache.policy.victim());
  }

  @Test
  void costAware_dead_leavesFirst() {
    Cache cache = new Cache(new CostAware(), 64, 2);
    cache.residency.nextUse[0] = 1000;
    List.of(0, 1).forEach(cache::use);
    assertEquals(1, cache.policy.victim());
  }

  /** A few elements used again and again between long scans of others. */
  private static void assertFewerMissesThanLru(EvictionPolicy policy) {
    Cache tried = new Cache(policy, 1000, 20);
    Cache lru = new Cache(new Lru(), 1000, 20);
    Random random = new Random(5);
    int next = 10;
    for (int round = 0; round < 200; round++) {
      for (int k = 0; k < 30; k++) {
        int hot = random.nextInt(10);
        tried.use(hot);
        lru.use(hot);
      }
      for (int k = 0; k < 25; k++) {
        tried.use(next);
        lru.use(next);
        next = next == 999 ? 10 : next + 1;
      }
    }
    assertTrue(tried.misses < 0.9 * lru.misses, tried.misses + " against " + lru.misses);
  }
}
