package org.starlingqcd.graph;

import java.util.Arrays;

/**
 * Sequences of letters, each kept once and numbered by first appearance. A sequence stands for the
 * product {@code node Γ node Γ node …}. The gamma of the first letter is dropped before a sequence
 * is stored, unless it is to distinguish products.
 *
 * <p>Storage is flat, with open addressing. A sequence of n letters takes 4(n + 3) bytes and its
 * hash slots.
 */
public final class SequenceTable {
  private static final int USUAL = 512;

  private int[] letters;
  private int[] offsets;
  // A hash in the upper half and the number of a sequence in the lower one: most sequences that are
  // not the one looked for are told by their hash.
  private long[] slots;
  private int size;

  /** An empty table. */
  public SequenceTable() {
    this(USUAL);
  }

  /**
   * An empty table.
   *
   * @param capacity number of sequences for which it has room before it grows, a power of two
   */
  public SequenceTable(int capacity) {
    letters = new int[2 * capacity];
    offsets = new int[capacity + 1];
    slots = new long[2 * capacity];
    Arrays.fill(slots, -1);
  }

  public int size() {
    return size;
  }

  public int length(int sequence) {
    return offsets[sequence + 1] - offsets[sequence];
  }

  public int letter(int sequence, int position) {
    return letters[offsets[sequence] + position];
  }

  /** Copies the letters of a sequence to {@code target[at …]}; returns the position after them. */
  public int copy(int sequence, int[] target, int at) {
    int length = length(sequence);
    System.arraycopy(letters, offsets[sequence], target, at, length);
    return at + length;
  }

  /** Orders sequences by their lengths, then by their letters. */
  public int compare(int a, int b) {
    int c = Integer.compare(length(a), length(b));
    int end = offsets[a + 1];
    for (int j = offsets[a], k = offsets[b]; c == 0 && j < end; j++, k++) {
      c = Integer.compare(letters[j], letters[k]);
    }
    return c;
  }

  /**
   * Returns the number of {@code source[from … from + length - 1]}; a new sequence gets the next
   * number.
   */
  public int intern(int[] source, int from, int length) {
    int hash = hash(source, from, length);
    int slot = hash & (slots.length - 1);
    while (slots[slot] >= 0) {
      if ((int) (slots[slot] >> Integer.SIZE) == hash) {
        int candidate = (int) slots[slot];
        if (length(candidate) == length && isEqual(offsets[candidate], source, from, length)) {
          return candidate;
        }
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    int end = offsets[size];
    if (end + length > letters.length) {
      letters = Arrays.copyOf(letters, Math.max(end + length, grown(letters.length)));
    }
    System.arraycopy(source, from, letters, end, length);
    slots[slot] = (long) hash << Integer.SIZE | size++;
    if (size + 1 > offsets.length - 1) {
      offsets = Arrays.copyOf(offsets, grown(offsets.length));
    }
    offsets[size] = end + length;
    if (2 * size > slots.length) {
      rehash();
    }
    return size - 1;
  }

  /**
   * By number from 0 to {@code count - 1} the lists that have it, once for each time, ascending.
   */
  public static int[][] inverted(int[][] lists, int count) {
    int[] lengths = new int[count];
    for (int[] list : lists) {
      for (int number : list) {
        lengths[number]++;
      }
    }
    int[][] inverted = new int[count][];
    Arrays.setAll(inverted, number -> new int[lengths[number]]);
    for (int k = lists.length - 1; k >= 0; k--) {
      for (int number : lists[k]) {
        inverted[number][--lengths[number]] = k;
      }
    }
    return inverted;
  }

  /** A plain loop, which is faster than a library call for the few letters of a sequence. */
  private boolean isEqual(int start, int[] source, int from, int length) {
    for (int k = 0; k < length; k++) {
      if (letters[start + k] != source[from + k]) {
        return false;
      }
    }
    return true;
  }

  private static int grown(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, 2L * length);
  }

  private void rehash() {
    long[] larger = new long[2 * slots.length];
    Arrays.fill(larger, -1);
    for (long entry : slots) {
      if (entry >= 0) {
        int slot = (int) (entry >> Integer.SIZE) & (larger.length - 1);
        while (larger[slot] >= 0) {
          slot = (slot + 1) & (larger.length - 1);
        }
        larger[slot] = entry;
      }
    }
    slots = larger;
  }

  private static int hash(int[] source, int from, int length) {
    long h = length;
    for (int k = from; k < from + length; k++) {
      h = (h ^ source[k]) * 0x9E3779B97F4A7C15L;
      h ^= h >>> 32;
    }
    return (int) (h ^ h >>> 17) & 0x7fffffff;
  }
}
