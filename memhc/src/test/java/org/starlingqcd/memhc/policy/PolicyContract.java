package org.starlingqcd.memhc.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What MemHC relies on in every policy; one subclass for each. */
abstract class PolicyContract {
  private static final int ELEMENTS = 40;
  private static final int CALLS = 4000;

  /** A new policy. */
  abstract EvictionPolicy create();

  @Test
  final void name_isHowItIsFound() {
    EvictionPolicy policy = create();
    assertEquals(policy.getClass(), EvictionPolicies.create(policy.name()).getClass());
    assertTrue(policy.name().matches("[a-z]+(-[a-z]+)*"), policy.name());
  }

  @Test
  final void victim_nothingResident_none() {
    EvictionPolicy policy = create();
    policy.open(new FakeResidency(ELEMENTS), 1);
    assertEquals(-1, policy.victim());
  }

  @Test
  final void victim_allPinned_none() {
    EvictionPolicy policy = create();
    FakeResidency residency = new FakeResidency(ELEMENTS);
    policy.open(residency, 1);
    for (int element = 0; element < 5; element++) {
      residency.resident[element] = true;
      residency.pinned[element] = true;
      policy.inserted(element);
    }
    assertEquals(-1, policy.victim());
    residency.pinned[3] = false;
    assertEquals(3, policy.victim());
  }

  @Test
  final void randomCalls_victimIsAlwaysEvictable() {
    for (int seed = 1; seed <= 20; seed++) {
      List<Integer> first = randomCalls(seed);
      assertTrue(first.size() > CALLS / 10, "evictions happen");
      assertEquals(first, randomCalls(seed), "same calls, same choices");
    }
  }

  /** Random legal calls; the victims in order. */
  private List<Integer> randomCalls(int seed) {
    Random random = new Random(seed);
    EvictionPolicy policy = create();
    FakeResidency residency = new FakeResidency(ELEMENTS);
    policy.open(residency, seed);
    List<Integer> victims = new ArrayList<>();
    int capacity = 3 + random.nextInt(8);
    int[] vector = new int[4];
    for (int call = 0; call < CALLS; call++) {
      residency.clock++;
      int element = random.nextInt(1 + random.nextInt(ELEMENTS));
      residency.nextUse[element] = residency.clock + random.nextInt(100);
      residency.stays[element] = random.nextBoolean();
      if (random.nextInt(8) == 0) {
        for (int k = 0; k < vector.length; k++) {
          vector[k] = random.nextInt(ELEMENTS);
        }
        policy.beginVector(vector, random.nextInt(vector.length + 1));
      }
      if (random.nextInt(200) == 0) {
        policy.rescheduled();
      }
      if (residency.resident[element] && random.nextInt(10) == 0) {
        residency.resident[element] = false;
        policy.removed(element, false);
      } else if (residency.resident[element]) {
        policy.accessed(element);
      } else {
        if (residency.residents() == capacity) {
          int pinned = random.nextInt(ELEMENTS);
          residency.pinned[pinned] = true;
          int victim = policy.victim();
          assertTrue(victim >= 0, "something can leave");
          assertTrue(residency.evictable(victim), "victim=" + victim);
          residency.resident[victim] = false;
          policy.removed(victim, true);
          residency.pinned[pinned] = false;
          victims.add(victim);
        }
        residency.resident[element] = true;
        policy.inserted(element);
      }
    }
    return victims;
  }
}
