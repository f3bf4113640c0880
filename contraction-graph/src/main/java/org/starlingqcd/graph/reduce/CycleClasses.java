package org.starlingqcd.graph.reduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
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
  private final List<int[]> words = new ArrayList<>();
  private final List<int[]> reversed = new ArrayList<>();
  private final int[] classOf;
  private final boolean[] conjugateOf;
  private final int[] signOf;
  private int[] classSign = new int[64];
  private final boolean hasCurrents;

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
    classOf = new int[set.cycleCount()];
    conjugateOf = new boolean[set.cycleCount()];
    signOf = new int[set.cycleCount()];
    Arrays.fill(classOf, -1);
    SequenceTable seen = new SequenceTable();
    // Place k of these lists belongs to sequence k of the table.
    List<int[]> members = new ArrayList<>();
    for (int cycle = 0; cycle < set.cycleCount(); cycle++) {
      if (!used.get(cycle)) {
        continue;
      }
      int[] word = set.cycleAt(cycle);
      int known = seen.intern(word, 0, word.length);
      if (known < members.size()) {
        int[] member = members.get(known);
        classOf[cycle] = member[0];
        conjugateOf[cycle] = member[1] != 0;
        signOf[cycle] = member[2];
        continue;
      }
      int number = words.size();
      members.add(new int[] {number, 0, 1});
      classOf[cycle] = number;
      signOf[cycle] = 1;
      words.add(word);
      int[] reverse = null;
      int sign = 1;
      if (mayReverse(word, options)) {
        sign = reversalSign(word);
        reverse = DiagramSet.leastRotation(reverse(word));
        if (Arrays.equals(reverse, word)) {
          reverse = null;
        } else if (seen.intern(reverse, 0, reverse.length) == members.size()) {
          members.add(new int[] {number, 1, sign});
        }
      }
      reversed.add(reverse == null ? word : reverse);
      if (number == classSign.length) {
        classSign = Arrays.copyOf(classSign, 2 * number);
      }
      classSign[number] = sign;
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
    return words.size();
  }

  /** Whether any node is a line with a current on it. */
  boolean hasCurrents() {
    return hasCurrents;
  }

  /** Whether any class needs a product. */
  boolean hasProducts() {
    return words.stream().anyMatch(word -> word.length > 2);
  }

  /** Nodes that occur in either word of a class; the set's own come first. */
  List<NodeRef> nodes() {
    return nodes.all();
  }

  /** The class of a cycle of the set, or -1 if it is not used. */
  int classOf(int cycle) {
    return classOf[cycle];
  }

  /**
   * Whether the value of a cycle is {@link #signOf} times the conjugate of its class; otherwise it
   * is the class itself.
   */
  boolean conjugateOf(int cycle) {
    return conjugateOf[cycle];
  }

  /** +1 or -1. */
  int signOf(int cycle) {
    return signOf[cycle];
  }

  /** The cycle whose value is the value of the class. */
  int[] word(int number) {
    return words.get(number);
  }

  /** Whether the class has a second word. */
  boolean hasReverse(int number) {
    return reversed.get(number) != words.get(number);
  }

  /** The word whose conjugate times {@link #reverseSign} is the value of the class. */
  int[] reverseWord(int number) {
    return reversed.get(number);
  }

  /** +1 or -1. */
  int reverseSign(int number) {
    return classSign[number];
  }
}
