package org.starlingqcd.memhc;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.starlingqcd.memhc.cache.Organization;

/**
 * The lines of a cache with a given {@link Organization}: which element sits on which. Elements are
 * found by number, so a look-up does not depend on the organization; only the choice of a place
 * does. An element that finds all lines of its set locked takes an unlocked line drawn from all
 * (SoftCache, section IV-C). If no line at all is unlocked it gets a temporary place.
 */
final class Lines {
  private static final int ABSENT = -1;
  private static final int TEMPORARY = -2;
  private static final int EMPTY = -1;

  private final Organization organization;
  private final int sets;
  private final int perSet;
  private final IntToLongFunction keyOf;
  private final SplittableRandom random;

  /** The element on each line; line l belongs to set {@code l / perSet}. */
  private final int[] holder;

  /** The empty lines of each set, linked. */
  private final int[] firstEmpty;

  private final int[] nextEmpty;
  private final int[] empty;
  private int[] lineOf = new int[0];

  /**
   * Empty lines.
   *
   * @param lines about how many, see {@link Organization#sets}
   * @param keyOf the key of an element
   */
  Lines(Organization organization, int lines, IntToLongFunction keyOf, long seed) {
    this.organization = organization;
    this.keyOf = keyOf;
    sets = organization.sets(lines);
    perSet = organization.linesPerSet(lines);
    random = new SplittableRandom(seed);
    holder = new int[Math.multiplyExact(sets, perSet)];
    Arrays.fill(holder, EMPTY);
    nextEmpty = new int[holder.length];
    firstEmpty = new int[sets];
    empty = new int[sets];
    Arrays.fill(empty, perSet);
    for (int line = 0; line < holder.length; line++) {
      nextEmpty[line] = (line + 1) % perSet == 0 ? EMPTY : line + 1;
    }
    for (int set = 0; set < sets; set++) {
      firstEmpty[set] = set * perSet;
    }
  }

  int set(int element) {
    return organization.set(keyOf.applyAsLong(element), sets);
  }

  /** Number of empty lines in a set. */
  int empty(int set) {
    return empty[set];
  }

  /** Whether an element sits on a line of a set. */
  boolean isIn(int element, int set) {
    int line = line(element);
    return line >= 0 && line / perSet == set;
  }

  /** Whether an element has a temporary place. */
  boolean isTemporary(int element) {
    return line(element) == TEMPORARY;
  }

  /** Gives an element an empty line of its set. */
  void take(int element) {
    take(element, firstEmpty[set(element)]);
  }

  /** Gives an element a certain empty line. */
  void take(int element, int line) {
    int set = line / perSet;
    if (firstEmpty[set] == line) {
      firstEmpty[set] = nextEmpty[line];
    } else {
      int before = firstEmpty[set];
      while (nextEmpty[before] != line) {
        before = nextEmpty[before];
      }
      nextEmpty[before] = nextEmpty[line];
    }
    empty[set]--;
    holder[line] = element;
    place(element, line);
  }

  /** Gives an element a place that it has to leave after its use. */
  void takeTemporary(int element) {
    place(element, TEMPORARY);
  }

  /** Takes an element off its line, if it has one. */
  void leave(int element) {
    int line = line(element);
    if (line >= 0) {
      int set = line / perSet;
      holder[line] = EMPTY;
      nextEmpty[line] = firstEmpty[set];
      firstEmpty[set] = line;
      empty[set]++;
    }
    if (line != ABSENT) {
      lineOf[element] = ABSENT;
    }
  }

  /** The element on a line; negative if it is empty. */
  int holder(int line) {
    return holder[line];
  }

  /**
   * Draws a line that is empty or whose element may leave; -1 when there is none.
   *
   * @param mayLeave whether an element on a line may be evicted
   */
  int drawUnlocked(IntPredicate mayLeave) {
    int found = -1;
    int seen = 0;
    for (int line = 0; line < holder.length; line++) {
      if (holder[line] == EMPTY || mayLeave.test(holder[line])) {
        seen++;
        found = random.nextInt(seen) == 0 ? line : found;
      }
    }
    return found;
  }

  /** Checks that lines and elements agree, for the audit; O(lines). */
  void audit() {
    for (int line = 0; line < holder.length; line++) {
      if (holder[line] != EMPTY && line(holder[line]) != line) {
        throw new IllegalStateException(
            "audit: an element sits on two lines or none: element=" + holder[line]);
      }
    }
  }

  /** Whether an element has a line or a temporary place. */
  boolean has(int element) {
    return line(element) != ABSENT;
  }

  private int line(int element) {
    return element < lineOf.length ? lineOf[element] : ABSENT;
  }

  private void place(int element, int line) {
    if (element >= lineOf.length) {
      int from = lineOf.length;
      lineOf = Arrays.copyOf(lineOf, Math.max(element + 1, Math.max(16, 2 * from)));
      Arrays.fill(lineOf, from, lineOf.length, ABSENT);
    }
    lineOf[element] = line;
  }
}
