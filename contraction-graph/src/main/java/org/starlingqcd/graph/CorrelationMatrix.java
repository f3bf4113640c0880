package org.starlingqcd.graph;

import java.util.List;
import java.util.Map;

/**
 * A matrix of correlation functions to compute: {@code C_ij(t0 + dt, t0) = ⟨O_i(t0 + dt) O_j(t0)†⟩}
 * for all pairs of operators.
 *
 * @param name name of the definition
 * @param operators the operators, in the order of the result
 * @param quarkLabels flavour to perambulator label, for every flavour that occurs
 * @param onePoint whether {@code ⟨O_i(t)⟩} is computed too
 */
public record CorrelationMatrix(
    String name, List<Operator> operators, Map<String, String> quarkLabels, boolean onePoint) {
  /** Copies the collections. */
  public CorrelationMatrix {
    operators = List.copyOf(operators);
    quarkLabels = Map.copyOf(quarkLabels);
  }
}
