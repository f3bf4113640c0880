package org.starlingqcd.graph;

import java.util.Arrays;

/**
 * A hash table from non-negative longs to ints, without boxing. A look-up of an absent key returns
 * -1.
 */
public final class LongIntTable {
  private long[] keys = new long[1024];
  private int[] values = new int[1024];
  private int size;

  public LongIntTable() {
    Arrays.fill(keys, -1);
  }

  /** A hash of a number: splitmix64's finalizer. */
  public static long mixed(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** How many keys it has. */
  public int size() {
    return size;
  }

  public int get(long key) {
    int slot = slot(keys, key);
    return keys[slot] == key ? values[slot] : -1;
  }

  /** The number of a key of a table that numbers keys: a new one gets the next, from 0 on. */
  public int intern(long key) {
    int known = get(key);
    if (known < 0) {
      known = size;
      put(key, known);
    }
    return known;
  }

  public void put(long key, int value) {
    int slot = slot(keys, key);
    if (keys[slot] != key) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
    if (2 * size > keys.length) {
      grow();
    }
  }

  private void grow() {
    long[] larger = new long[2 * keys.length];
    int[] largerValues = new int[larger.length];
    Arrays.fill(larger, -1);
    for (int k = 0; k < keys.length; k++) {
      if (keys[k] >= 0) {
        int slot = slot(larger, keys[k]);
        larger[slot] = keys[k];
        largerValues[slot] = values[k];
      }
    }
    keys = larger;
    values = largerValues;
  }

  private static int slot(long[] keys, long key) {
    long h = key * 0x9E3779B97F4A7C15L;
    int slot = (int) (h >>> 32) & (keys.length - 1);
    while (keys[slot] >= 0 && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }
}
