package org.starlingqcd.correlators.definition;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.yaml.Place;

/**
 * Momentum and flavour on both sides of a current. The momentum q of each term is {@code p_i -
 * p_f}. The net flavour of O_i plus that of the current's q̄ and q is that of O_j, or an element
 * vanishes identically. So does the connected part of a term q̄_f q_f without f among the
 * operators.
 */
final class CurrentBalance {
  private final Definition sink;
  private final Definition source;
  private final boolean disconnected;
  private final Map<Map<String, Integer>, Set<String>> ofSink;
  private final Map<Map<String, Integer>, Set<String>> ofSource;

  CurrentBalance(Definition sink, Definition source, boolean disconnected) {
    this.sink = sink;
    this.source = source;
    this.disconnected = disconnected;
    ofSink = flavours(sink);
    ofSource = flavours(source);
  }

  /** For every net flavour of an operator, all flavours that occur with it. */
  private static Map<Map<String, Integer>, Set<String>> flavours(Definition side) {
    Map<Map<String, Integer>, Set<String>> found = new LinkedHashMap<>();
    for (Operator operator : side.toCorrelationMatrix().operators()) {
      for (Term term : operator.terms()) {
        Set<String> flavours = found.computeIfAbsent(term.netFlavour(), net -> new TreeSet<>());
        for (Factor factor : term.factors()) {
          flavours.addAll(factor.flavours());
        }
      }
    }
    return found;
  }

  /**
   * The terms of an insertion that contribute to an element; all of them if none does and the
   * definition allows it.
   *
   * @throws DefinitionException if momenta do not balance, or flavours
   */
  List<CurrentTerm> contributing(Insertion insertion, Place place) {
    Momentum sinkMomentum = sink.header().total();
    Momentum sourceMomentum = source.header().total();
    Momentum wanted = sourceMomentum.plus(sinkMomentum.negate());
    for (CurrentTerm term : insertion.terms()) {
      Momentum q = term.vertex().momentum();
      if (!q.equals(wanted)) {
        throw place.error(
            "momenta do not balance: the sink has %s, the source %s and the current q = %s, but the"
                + " sink's is the source's less q; q = %s would do",
            sinkMomentum, sourceMomentum, q, wanted);
      }
    }
    List<CurrentTerm> kept = insertion.terms().stream().filter(this::contributes).toList();
    if (kept.isEmpty() && !source.header().allowZero()) {
      throw place.error(
          "every element vanishes identically: %s; take other flavours, or write allow_zero: true at"
              + " the top if this is meant",
          reason(insertion));
    }
    return kept.isEmpty() ? insertion.terms() : kept;
  }

  private boolean contributes(CurrentTerm term) {
    return ofSink.entrySet().stream()
        .anyMatch(
            end -> {
              Set<String> ofOther = ofSource.get(plus(end.getKey(), term));
              return ofOther != null
                  && (disconnected
                      || !term.bar().equals(term.quark())
                      || end.getValue().contains(term.bar())
                      || ofOther.contains(term.bar()));
            });
  }

  /** A net flavour plus that of a current's fields. */
  private static Map<String, Integer> plus(Map<String, Integer> net, CurrentTerm term) {
    Map<String, Integer> sum = new TreeMap<>(net);
    sum.merge(term.quark(), 1, Integer::sum);
    sum.merge(term.bar(), -1, Integer::sum);
    sum.values().removeIf(count -> count == 0);
    return sum;
  }

  private String reason(Insertion insertion) {
    boolean balanced =
        insertion.terms().stream()
            .anyMatch(
                term ->
                    ofSink.keySet().stream().anyMatch(n -> ofSource.containsKey(plus(n, term))));
    Set<Map<String, Integer>> ofCurrent = new LinkedHashSet<>();
    insertion.terms().forEach(term -> ofCurrent.add(plus(Map.of(), term)));
    return balanced
        ? "no flavour of the current occurs in operators of sink and source, and its loops need"
            + " disconnected: true"
        : ("flavours do not balance: operators of the sink have %s, those of the source %s, and the"
                + " current %s, but sink and current together have to make the source")
            .formatted(
                Mixing.text(ofSink.keySet()),
                Mixing.text(ofSource.keySet()),
                Mixing.text(ofCurrent));
  }
}
