package org.starlingqcd.graph;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A coefficient times an ordered product of factors, baryons before tetraquarks before mesons. */
public record Term(Complex coefficient, List<Factor> factors) {
  /** Copies the list. */
  public Term {
    factors = List.copyOf(factors);
  }

  /** Quarks less antiquarks of each flavour; flavours in balance are left out. */
  public Map<String, Integer> netFlavour() {
    Map<String, Integer> net = new TreeMap<>();
    for (Factor factor : factors) {
      if (factor instanceof Bilinear b) {
        net.merge(b.quark(), 1, Integer::sum);
        net.merge(b.bar(), -1, Integer::sum);
      } else if (factor instanceof BaryonFactor b) {
        net.merge(b.quark1(), 1, Integer::sum);
        net.merge(b.quark2(), 1, Integer::sum);
        net.merge(b.quark3(), 1, Integer::sum);
      } else if (factor instanceof TetraquarkFactor t) {
        net.merge(t.bar1(), -1, Integer::sum);
        net.merge(t.bar2(), -1, Integer::sum);
        net.merge(t.quark3(), 1, Integer::sum);
        net.merge(t.quark4(), 1, Integer::sum);
      }
    }
    net.values().removeIf(count -> count == 0);
    return net;
  }
}
