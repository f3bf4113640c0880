package org.starlingqcd.graph.reduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * The cycles that a plan has to evaluate: a class is a cycle, together with its complex conjugate
 * where γ5-hermiticity may be used, and has one or two words that give its value.
 *
 * <p>With {@code τ(a,b)† = γ5 τ(b,a) γ5} the conjugate of {@code Tr[Γ_1 Φ_1 τ(t_1,t_2) … Γ_n Φ_n
 * τ(t_n,t_1)]} is {@code Tr[Γ_1' Φ_1† τ(t_1,t_n) Γ_n' Φ_n† τ(t_n,t_{n-1}) … Γ_2' Φ_2† τ(t_2,t_1)]}
 * with {@code Γ' = γ5 Γ† γ5}: the cycle reversed, every quark line keeping its label. Γ' equals Γ
 * up to a sign, and the signs are collected.
 */
final class CycleClasses {
  private final Interner<NodeRef> nodes = new Interner<>();
  private final List<Words> classes = new ArrayList<>();
  private final @Nullable Member[] memberOf;
  private final boolean hasCurrents;

  /** The words of a class; one array twice where it has one. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Words(int[] word, int[] reversed, int reverseSign) {}

  /**
   * What a cycle is.
   *
   * @param number number of its class
   * @param conjugate whether its value is that of the conjugate of the class times the sign;
   *     otherwise it is the class itself
   */
  record Member(int number, boolean conjugate, int sign) {}

  /** The cycles of a set that any number of the result needs. */
  static BitSet used(DiagramSet set, List<OutputSum> sums) {
    BitSet used = new BitSet();
    BitSet seen = new BitSet();
    for (OutputSum sum : sums) {
      for (int diagram : sum.terms().keySet()) {
        if (!seen.get(diagram)) {
          seen.set(diagram);
          for (int cycle : set.diagramAt(diagram)) {
            if (cycle >= 0) {
              used.set(cycle);
            }
          }
        }
      }
    }
    return used;
  }

  /** Classes of some cycles of a set. */
  CycleClasses(DiagramSet set, BitSet used, ReducerOptions options) {
    for (int n = 0; n < set.nodeCount(); n++) {
      node(set.nodeAt(n));
    }
    hasCurrents = nodes.all().stream().anyMatch(NodeRef::isCurrent);
    memberOf = new Member[set.cycleCount()];
    SequenceTable seen = new SequenceTable();
    // Place k of this list belongs to sequence k of the table.
    List<Member> members = new ArrayList<>();
    for (int cycle = used.nextSetBit(0); cycle >= 0; cycle = used.nextSetBit(cycle + 1)) {
      int[] word = set.cycleAt(cycle);
      int known = seen.intern(word, 0, word.length);
      if (known == members.size()) {
        int number = classes.size();
        members.add(new Member(number, false, 1));
        int[] reverse = word;
        int sign = 1;
        if (mayReverse(word, options)) {
          sign = reversalSign(word);
          int[] other = DiagramSet.leastRotation(reverse(word));
          if (!Arrays.equals(other, word)) {
            reverse = other;
            if (seen.intern(reverse, 0, reverse.length) == members.size()) {
              members.add(new Member(number, true, sign));
            }
          }
        }
        classes.add(new Words(word, reverse, sign));
      }
      memberOf[cycle] = members.get(known);
    }
  }

  /** The place of a node in {@link #nodes}; every node of the set has one. */
  int node(NodeRef node) {
    return nodes.of(node);
  }

  private boolean mayReverse(int[] word, ReducerOptions options) {
    for (int letter : word) {
      NodeRef node = nodes.at(letter >> 4);
      if (node.isCurrent() || !options.gamma5For(node.label())) {
        return false;
      }
    }
    return true;
  }

  private int[] reverse(int[] word) {
    int n = word.length;
    int[] result = new int[n];
    for (int k = 0; k < n; k++) {
      // Letter k of the reversed cycle has the line between letter k and its predecessor, in the
      // other direction.
      NodeRef here = nodes.at(word[k] >> 4);
      NodeRef before = nodes.at(word[(k + n - 1) % n] >> 4);
      int node =
          node(new NodeRef(here.elemental().dagger(), here.time(), before.label(), before.time()));
      result[(n - k) % n] = 16 * node + (word[k] & 15);
    }
    return result;
  }

  private static int reversalSign(int[] word) {
    int sign = 1;
    for (int letter : word) {
      Gamma gamma = new Gamma(letter & 15, 1);
      sign *= Gamma.G5.times(gamma.adjoint()).times(Gamma.G5).sign();
    }
    return sign;
  }

  /** Number of classes. */
  int size() {
    return classes.size();
  }

  /** Whether any node is a line with a current on it. */
  boolean hasCurrents() {
    return hasCurrents;
  }

  /** Whether any class needs a product. */
  boolean hasProducts() {
    return classes.stream().anyMatch(words -> words.word.length > 2);
  }

  /** Nodes that occur in either word of a class; the set's own come first. */
  List<NodeRef> nodes() {
    return nodes.all();
  }

  /** What a cycle of the set is, which is used. */
  Member member(int cycle) {
    return Objects.requireNonNull(memberOf[cycle]);
  }

  /** The cycle whose value is the value of the class. */
  int[] word(int number) {
    return classes.get(number).word;
  }

  /** Whether the class has a second word. */
  boolean hasReverse(int number) {
    return classes.get(number).reversed != classes.get(number).word;
  }

  /** The word whose conjugate times {@link #reverseSign} is the value of the class. */
  int[] reverseWord(int number) {
    return classes.get(number).reversed;
  }

  /** +1 or -1. */
  int reverseSign(int number) {
    return classes.get(number).reverseSign;
  }
}
