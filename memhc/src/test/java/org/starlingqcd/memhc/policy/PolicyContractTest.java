package org.starlingqcd.memhc.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What MemHC relies on in every policy that is listed, and the order in which some evict. */
final class PolicyContractTest {
  private static final String POLICIES = "org.starlingqcd.memhc.policy.EvictionPolicies#names";
  private static final int ELEMENTS = 40;
  private static final int CALLS = 4000;

  /** When the elements were inserted and looked up. */
  private static final class History {
    final FakeResidency residency = new FakeResidency(ELEMENTS);
    final int[] inserted = new int[ELEMENTS];
    final int[] used = new int[ELEMENTS];
    final int[] uses = new int[ELEMENTS];

    double worth(int element) {
      double distance = residency.nextUse[element] - residency.clock + 1.0;
      return distance * residency.bytes(element) / residency.evictionCost(element);
    }
  }

  /** The order in which evictable elements leave, for the policies that have one. */
  private static final Map<String, Function<History, Comparator<Integer>>> ORDERS =
      Map.of(
          "fifo",
          history -> Comparator.comparing(element -> history.inserted[element]),
          "lru",
          history -> Comparator.comparing(element -> history.used[element]),
          "mru",
          history -> Comparator.comparing(element -> -history.used[element]),
          "lfu",
          history ->
              Comparator.comparing((Integer element) -> history.uses[element])
                  .thenComparing(element -> history.used[element]),
          "furthest-next-use",
          history -> Comparator.comparing(element -> -history.residency.nextUse[element]),
          "cost-aware",
          history ->
              Comparator.comparing((Integer element) -> history.residency.stays[element])
                  .thenComparing(element -> -history.worth(element)));

  @ParameterizedTest
  @MethodSource(POLICIES)
  void name_canBeTyped(String name) {
    assertEquals(name, EvictionPolicies.create(name).name());
    assertTrue(name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"), name);
  }

  @ParameterizedTest
  @MethodSource(POLICIES)
  void victim_nothingResident_none(String name) {
    EvictionPolicy policy = EvictionPolicies.create(name);
    policy.open(new FakeResidency(ELEMENTS), 1);
    assertEquals(-1, policy.victim());
  }

  @ParameterizedTest
  @MethodSource(POLICIES)
  void victim_allPinned_none(String name) {
    EvictionPolicy policy = EvictionPolicies.create(name);
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

  @ParameterizedTest
  @MethodSource(POLICIES)
  void randomCalls_victimIsAlwaysEvictable_andTheFirstInItsOrder(String name) {
    for (int seed = 1; seed <= 20; seed++) {
      List<Integer> first = randomCalls(name, seed);
      assertTrue(first.size() > CALLS / 10, "evictions happen");
      assertEquals(first, randomCalls(name, seed), "same calls, same choices");
    }
  }

  /** Random legal calls; the victims in order. */
  private static List<Integer> randomCalls(String name, int seed) {
    Random random = new Random(seed);
    EvictionPolicy policy = EvictionPolicies.create(name);
    History history = new History();
    FakeResidency residency = history.residency;
    policy.open(residency, seed);
    List<Integer> victims = new ArrayList<>();
    int capacity = 3 + random.nextInt(8);
    int[] vector = new int[4];
    for (int call = 0; call < CALLS; call++) {
      residency.clock++;
      int element = random.nextInt(1 + random.nextInt(ELEMENTS));
      residency.nextUse[element] = residency.clock + random.nextInt(100);
      residency.stays[element] = random.nextBoolean();
      residency.dirty[element] = random.nextBoolean();
      if (random.nextInt(8) == 0) {
        for (int k = 0; k < vector.length; k++) {
          vector[k] = random.nextInt(ELEMENTS);
        }
        policy.beginVector(vector, random.nextInt(vector.length + 1));
      }
      if (residency.resident[element] && random.nextInt(10) == 0) {
        residency.resident[element] = false;
        policy.removed(element, false);
      } else if (residency.resident[element]) {
        history.used[element] = call;
        history.uses[element]++;
        policy.accessed(element);
      } else {
        if (residency.residents() == capacity) {
          int pinned = random.nextInt(ELEMENTS);
          residency.pinned[pinned] = true;
          int victim = policy.victim();
          assertMayLeave(name, history, victim);
          residency.resident[victim] = false;
          policy.removed(victim, true);
          residency.pinned[pinned] = false;
          victims.add(victim);
        }
        residency.resident[element] = true;
        history.inserted[element] = call;
        history.used[element] = call;
        history.uses[element] = 0;
        policy.inserted(element);
      }
      if (random.nextInt(200) == 0) {
        policy.rescheduled();
      }
    }
    return victims;
  }

  private static void assertMayLeave(String name, History history, int victim) {
    assertTrue(victim >= 0, "something can leave");
    assertTrue(history.residency.evictable(victim), "victim=" + victim);
    Function<History, Comparator<Integer>> known = ORDERS.get(name);
    if (known != null) {
      Comparator<Integer> order = known.apply(history);
      IntStream.range(0, ELEMENTS)
          .filter(history.residency::evictable)
          .forEach(
              other ->
                  assertTrue(
                      order.compare(victim, other) <= 0,
                      () -> name + ": " + other + " leaves before " + victim));
    }
  }
}
