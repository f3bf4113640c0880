package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;

/** The sums over spin components that a choice asks for, as numbers of a {@link Table}. */
final class NumberedSums {
  /** Spin components of a line. */
  static final int LINE_SPINS = SpinLegs.SPINS * SpinLegs.SPINS;

  /** The first component at both ends, as a set of one ({@link #components}). */
  static final int FIRST_COMPONENTS = 1;

  private final int number;
  private final int[] sums;

  private NumberedSums(int number, int[] sums) {
    this.number = number;
    this.sums = sums;
  }

  /** Within one table, lists of sums are equal exactly if their numbers are equal. */
  int number() {
    return number;
  }

  /** Numbers of the sums; not to be changed. */
  int[] sums() {
    return sums;
  }

  /**
   * Which of two components of the Dirac basis the spin structures of a pair of baryons have, as a
   * set of one: bit {@code 2 · sink + source}.
   */
  static int components(PairChoice choice, BaryonGraph graph) {
    BaryonPart.SpinTerm term = choice.spin(graph);
    return 1 << (2 * SpinLegs.component(term.sink()) + SpinLegs.component(term.source()));
  }

  /** All sums of a plan, each with a number. */
  static final class Table {
    private final boolean mixedComponents;
    private final Map<PairSum, Integer> numbers = new HashMap<>();
    private final List<PairSum> sums = new ArrayList<>();
    private final LongIntTable known = new LongIntTable();
    private final List<NumberedSums> lists = new ArrayList<>();
    private int[] products = {};
    private int[] firsts = {};

    /**
     * An empty table.
     *
     * @param mixedComponents whether every component of w is asked for, whatever occurs
     */
    Table(boolean mixedComponents) {
      this.mixedComponents = mixedComponents;
    }

    /** Number of products for attaching the second line. */
    int products(int sum) {
      return products[sum];
    }

    /** The components of the first line that occur, as bits. */
    int firsts(int sum) {
      return firsts[sum];
    }

    /** Sums by their numbers. */
    List<PairSum> sums(NumberedSums spins) {
      return Arrays.stream(spins.sums).mapToObj(sums::get).toList();
    }

    /**
     * The sums that a choice asks for.
     *
     * @param graph any of its graphs
     * @param components which components of w occur, a sum of {@link NumberedSums#components}
     */
    NumberedSums of(PairChoice choice, BaryonGraph graph, int components) {
      boolean symmetric = choice.isSymmetric();
      long key = mixedComponents ? 0 : components;
      key = key << 10 | end(graph.sinks().get(choice.sinkPlace()), choice.sinkLegs());
      key = key << 10 | end(graph.sources().get(choice.sourcePlace()), choice.sourceLegs());
      key = key << 1 | (symmetric ? 1 : 0);
      int place = known.get(key);
      if (place < 0) {
        BaryonPart.SpinTerm term = choice.spin(graph);
        List<PairSum> asked = choice.spins(term, false);
        if (!mixedComponents) {
          asked.retainAll(ofComponents(choice, term, components));
        }
        place = lists.size();
        lists.add(new NumberedSums(place, asked.stream().mapToInt(this::number).toArray()));
        known.put(key, place);
      }
      return lists.get(place);
    }

    /** What the sums depend on at one end, in 10 bits. */
    private static int end(BaryonVertex vertex, BaryonPart.Legs legs) {
      return (vertex.diquarkMask() << 1 | (vertex.parity() > 0 ? 1 : 0)) << 4 | legs.number();
    }

    private static Set<PairSum> ofComponents(
        PairChoice choice, BaryonPart.SpinTerm term, int components) {
      Set<PairSum> sums = new HashSet<>();
      for (int left = components; left != 0; left &= left - 1) {
        int bit = Integer.numberOfTrailingZeros(left);
        sums.addAll(choice.spins(SpinLegs.withComponents(term, bit >> 1, bit & 1), true));
      }
      return sums;
    }

    private int number(PairSum sum) {
      Integer number = numbers.get(sum);
      if (number == null) {
        number = sums.size();
        numbers.put(sum, number);
        sums.add(sum);
        products = Arrays.copyOf(products, sums.size());
        products[number] = sum.products();
        firsts = Arrays.copyOf(firsts, sums.size());
        for (PairSum.Entry entry : sum.entries()) {
          firsts[number] |= 1 << entry.first();
        }
      }
      return number;
    }
  }
}
