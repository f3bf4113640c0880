package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.SequenceTable;

/**
 * Sets of lists of spin sums. Thousands of attached lines are asked for sums, but their choices
 * name few different lists, so few different sets are in use at a line. Each set has a number, and
 * what one more list costs beside a set is found once.
 */
final class ListsInUse {
  /** The number of the set without lists. */
  static final int NONE = 0;

  private final NumberedSums.Table table;
  private final SequenceTable sets = new SequenceTable();
  private final List<NumberedSums> lists = new ArrayList<>();
  // Of each set: the sums that it has, and the components of the first line that these need.
  private final List<BitSet> sums = new ArrayList<>();
  private int[] firsts = new int[16];
  private final LongIntTable changes = new LongIntTable();
  private final LongIntTable additions = new LongIntTable();
  private int additionCount;
  private int[] addedProducts = new int[16];
  private int[] addedFirsts = new int[16];

  /** Sets of the lists of a table. */
  ListsInUse(NumberedSums.Table table) {
    this.table = table;
    set(new int[0]);
  }

  /** The set with one list more. */
  int with(int set, NumberedSums list) {
    return changed(set, list, true);
  }

  /** The set with one list less. */
  int without(int set, NumberedSums list) {
    return changed(set, list, false);
  }

  private int changed(int set, NumberedSums list, boolean added) {
    long key = key(set, list) << 1 | (added ? 1 : 0);
    int known = changes.get(key);
    if (known < 0) {
      while (lists.size() <= list.number()) {
        lists.add(list);
      }
      lists.set(list.number(), list);
      int n = sets.length(set);
      int[] members = new int[n + 1];
      sets.copy(set, members, 0);
      if (added) {
        members[n++] = list.number();
      } else {
        n--;
        int place = 0;
        while (members[place] != list.number()) {
          place++;
        }
        members[place] = members[n];
      }
      Arrays.sort(members, 0, n);
      known = set(Arrays.copyOf(members, n));
      changes.put(key, known);
    }
    return known;
  }

  private static long key(int set, NumberedSums list) {
    return ((long) set << (Integer.SIZE - 1)) | list.number();
  }

  private int set(int[] members) {
    int number = sets.intern(members, 0, members.length);
    if (number == sums.size()) {
      BitSet all = new BitSet();
      int bits = 0;
      for (int member : members) {
        for (int sum : lists.get(member).sums()) {
          all.set(sum);
          bits |= table.firsts(sum);
        }
      }
      sums.add(all);
      if (number == firsts.length) {
        firsts = Arrays.copyOf(firsts, 2 * number);
      }
      firsts[number] = bits;
    }
    return number;
  }

  /** The components of the first line that the sums of a set need, as bits. */
  int firsts(int set) {
    return firsts[set];
  }

  /** The products for attaching the second line for the sums of an {@link #addition}. */
  int addedProducts(int addition) {
    return addedProducts[addition];
  }

  /** The components of the first line that the sums of an {@link #addition} need, as bits. */
  int addedFirsts(int addition) {
    return addedFirsts[addition];
  }

  /** The number of what a list would add to a set: its sums that the set lacks. */
  int addition(int set, NumberedSums list) {
    int known = additions.get(key(set, list));
    if (known < 0) {
      known = additionCount++;
      if (known == addedProducts.length) {
        addedProducts = Arrays.copyOf(addedProducts, 2 * known);
        addedFirsts = Arrays.copyOf(addedFirsts, 2 * known);
      }
      BitSet present = sums.get(set);
      for (int sum : list.sums()) {
        if (!present.get(sum)) {
          addedProducts[known] += table.products(sum);
          addedFirsts[known] |= table.firsts(sum);
        }
      }
      additions.put(key(set, list), known);
    }
    return known;
  }
}
