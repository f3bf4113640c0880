package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for things, by first appearance: equal things have equal numbers. What consists of
 * several things is then a few numbers, and nothing deep is compared or hashed again.
 */
public final class Interner<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final IdentityHashMap<T, Integer> shared = new IdentityHashMap<>();
  private final List<T> things = new ArrayList<>();

  /** The number of a thing; a new one gets the next. */
  public int of(T thing) {
    Integer known = numbers.get(thing);
    if (known == null) {
      known = ofNew(thing);
      numbers.put(thing, known);
    }
    return known;
  }

  /** The next number for a thing that is known to be new; it is not found again. */
  public int ofNew(T thing) {
    things.add(thing);
    return things.size() - 1;
  }

  /** As {@link #of} for one of few objects that many hold: each is compared by value once. */
  public int ofShared(T thing) {
    Integer known = shared.get(thing);
    if (known == null) {
      known = of(thing);
      shared.put(thing, known);
    }
    return known;
  }

  /** The thing with a number. */
  public T at(int number) {
    return things.get(number);
  }

  /** How many things have numbers. */
  public int size() {
    return things.size();
  }

  /** The things by their numbers. */
  public List<T> all() {
    return things;
  }
}
