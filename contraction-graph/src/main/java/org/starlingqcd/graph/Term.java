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
      for (int k = 0; k < factor.flavours().size(); k++) {
        net.merge(factor.flavours().get(k), k < factor.antiquarks() ? -1 : 1, Integer::sum);
      }
    }
    net.values().removeIf(count -> count == 0);
    return net;
  }
}
