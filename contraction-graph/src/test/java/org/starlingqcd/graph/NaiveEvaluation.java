package org.starlingqcd.graph;

import java.util.HashMap;
import java.util.Map;

/** Evaluates a diagram set cycle by cycle, with nothing shared. */
final class NaiveEvaluation {
  private final DiagramSet set;
  private final RandomLattice lattice;
  private final int sink;
  private final int source;
  private final Map<Integer, Complex> cycles = new HashMap<>();

  NaiveEvaluation(DiagramSet set, RandomLattice lattice, int sink, int source) {
    this.set = set;
    this.lattice = lattice;
    this.sink = sink;
    this.source = source;
  }

  private int time(TimeSlot slot) {
    return slot == TimeSlot.SINK ? sink : source;
  }

  private Complex cycle(int number) {
    return cycles.computeIfAbsent(
        number,
        key -> {
          SpinMatrix product = lattice.gamma(0);
          for (int letter : set.cycleAt(number)) {
            NodeRef node = set.nodeAt(letter >> 4);
            product =
                product
                    .times(lattice.gamma(letter & 15))
                    .times(
                        lattice.node(
                            node.elemental(), time(node.time()), node.label(), time(node.next())));
          }
          return product.trace();
        });
  }

  /** The value of one output. */
  Complex value(DiagramSet.Combination combination) {
    Complex sum = Complex.ZERO;
    for (Map.Entry<Integer, Complex> term : combination.terms().entrySet()) {
      Complex product = term.getValue();
      for (int cycle : set.diagramAt(term.getKey())) {
        product = product.times(cycle(cycle));
      }
      sum = sum.plus(product);
    }
    return sum;
  }

  /** The sum of the moduli of the terms, the scale of rounding errors. */
  double scale(DiagramSet.Combination combination) {
    double sum = 0;
    for (Map.Entry<Integer, Complex> term : combination.terms().entrySet()) {
      double product = term.getValue().abs();
      for (int cycle : set.diagramAt(term.getKey())) {
        product *= Math.max(1, cycle(cycle).abs());
      }
      sum += product;
    }
    return sum;
  }
}
