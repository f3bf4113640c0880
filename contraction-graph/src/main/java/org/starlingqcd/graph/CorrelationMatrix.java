package org.starlingqcd.graph;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A matrix of correlation functions to compute: {@code C_ij(t0 + dt, t0) = ⟨O_i(t0 + dt) O_j(t0)†⟩}
 * for all operators O_i of the sink and O_j of the source; or {@code ⟨O_i(t0 + dt) J(t) O_j(t0)†⟩}
 * with a current.
 *
 * @param name name of the definition
 * @param operators the operators of the sink, in the order of the result
 * @param sources the operators of the source, in the order of the result
 * @param quarkLabels flavour to perambulator label, for every flavour that occurs
 * @param onePoint whether {@code ⟨O_i(t)⟩} is computed too
 * @param current the flavours of J, or null without a current
 */
public record CorrelationMatrix(
    String name,
    List<Operator> operators,
    List<Operator> sources,
    Map<String, String> quarkLabels,
    boolean onePoint,
    @Nullable Flavours current) {

  /**
   * The flavours of a current's fields, {@code q̄_bar … q_quark}. Both are contracted with fields
   * of operators; everything else about the current is open ({@link NodeRef#current}).
   */
  public record Flavours(String bar, String quark) {}

  /** A matrix with the same operators at sink and source, without a current. */
  public CorrelationMatrix(
      String name, List<Operator> operators, Map<String, String> quarkLabels, boolean onePoint) {
    this(name, operators, operators, quarkLabels, onePoint, null);
  }

  /** Copies the collections. */
  public CorrelationMatrix {
    operators = List.copyOf(operators);
    sources = List.copyOf(sources);
    quarkLabels = Map.copyOf(quarkLabels);
  }

  /** Whether a factor of some kind occurs in the operators of the sink. */
  public boolean has(Class<? extends Factor> kind) {
    for (Operator operator : operators) {
      for (Term term : operator.terms()) {
        if (term.factors().stream().anyMatch(kind::isInstance)) {
          return true;
        }
      }
    }
    return false;
  }
}
