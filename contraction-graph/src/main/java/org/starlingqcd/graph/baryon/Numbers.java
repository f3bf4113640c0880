package org.starlingqcd.graph.baryon;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Numbers for things, by first appearance: equal things have equal numbers. What consists of
 * several things is then a few numbers, and nothing deep is compared or hashed again.
 */
final class Numbers<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final IdentityHashMap<T, Integer> shared = new IdentityHashMap<>();

  /** The number of a thing; a new one gets the next. */
  int of(T thing) {
    Integer known = numbers.get(thing);
    if (known == null) {
      known = numbers.size();
      numbers.put(thing, known);
    }
    return known;
  }

  /** As {@link #of} for one of few objects that many hold: each is compared by value once. */
  int ofShared(T thing) {
    Integer known = shared.get(thing);
    if (known == null) {
      known = of(thing);
      shared.put(thing, known);
    }
    return known;
  }
}
