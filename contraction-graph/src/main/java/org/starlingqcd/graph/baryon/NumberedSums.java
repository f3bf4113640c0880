package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;

/** The sums over spin components that a choice asks for, with the numbers of a {@link Table}. */
final class NumberedSums {
  /** Spin components of a line. */
  static final int LINE_SPINS = SpinLegs.SPINS * SpinLegs.SPINS;

  /** The first component at both ends, as a set of one ({@link #components}). */
  static final int FIRST_COMPONENTS = 1;

  final List<PairSum> sums;

  /** Within one table, sums are equal exactly if their numbers are equal. */
  final int[] numbers;

  /** By place the products for attaching the second line. */
  final int[] products;

  /** By place the components of the first line that occur, as bits. */
  final int[] firsts;

  /** All components of the first line that occur. */
  final int[] allFirsts;

  private NumberedSums(List<PairSum> sums, Interner<PairSum> table) {
    this.sums = sums;
    numbers = sums.stream().mapToInt(table::of).toArray();
    products = sums.stream().mapToInt(PairSum::products).toArray();
    firsts = sums.stream().mapToInt(NumberedSums::firsts).toArray();
    allFirsts =
        sums.stream()
            .flatMap(sum -> sum.entries().stream())
            .mapToInt(PairSum.Entry::first)
            .distinct()
            .toArray();
  }

  private static int firsts(PairSum sum) {
    return sum.entries().stream().mapToInt(entry -> 1 << entry.first()).reduce(0, (a, b) -> a | b);
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
    private final Interner<PairSum> numbers = new Interner<>();
    private final Map<Long, NumberedSums> known = new HashMap<>();

    /**
     * An empty table.
     *
     * @param mixedComponents whether every component of w is asked for, whatever occurs
     */
    Table(boolean mixedComponents) {
      this.mixedComponents = mixedComponents;
    }

    /**
     * The sums that a choice asks for.
     *
     * @param graph any of its graphs
     * @param components which components of w occur, a sum of {@link NumberedSums#components}
     */
    NumberedSums of(PairChoice choice, BaryonGraph graph, int components) {
      long key = mixedComponents ? 0 : components;
      key = key << 10 | end(graph.sinks().get(choice.sinkPlace()), choice.sinkLegs());
      key = key << 10 | end(graph.sources().get(choice.sourcePlace()), choice.sourceLegs());
      key = key << 1 | (choice.isSymmetric() ? 1 : 0);
      return known.computeIfAbsent(
          key, k -> new NumberedSums(asked(choice, graph, components), numbers));
    }

    /** What the sums depend on at one end, in 10 bits. */
    private static int end(BaryonVertex vertex, BaryonPart.Legs legs) {
      return (vertex.diquarkMask() << 1 | (vertex.parity() > 0 ? 1 : 0)) << 4 | legs.number();
    }

    private List<PairSum> asked(PairChoice choice, BaryonGraph graph, int components) {
      BaryonPart.SpinTerm term = choice.spin(graph);
      List<PairSum> asked = new ArrayList<>(choice.spins(term, false));
      if (!mixedComponents) {
        Set<PairSum> occur = new HashSet<>();
        for (int left = components; left != 0; left &= left - 1) {
          int bit = Integer.numberOfTrailingZeros(left);
          occur.addAll(choice.spins(SpinLegs.withComponents(term, bit >> 1, bit & 1), true));
        }
        asked.retainAll(occur);
      }
      return asked;
    }
  }
}
