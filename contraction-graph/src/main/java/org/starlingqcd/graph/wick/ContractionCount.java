package org.starlingqcd.graph.wick;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * The number of full contractions of correlation matrices, known before any of them is made: the
 * ways of joining all quark fields with antiquark fields of their flavours. It bounds the number of
 * diagrams from above; equal contractions, and those that differ only by u ↔ d, are one diagram.
 */
public final class ContractionCount {
  /** How often each flavour occurs in a term, as quark and as antiquark. */
  private record Content(Map<String, Integer> quarks, Map<String, Integer> antiquarks) {
    static final Content EMPTY = new Content(Map.of(), Map.of());

    static Content of(Term term) {
      Map<String, Integer> quarks = new HashMap<>();
      Map<String, Integer> antiquarks = new HashMap<>();
      for (Factor factor : term.factors()) {
        for (int k = 0; k < factor.flavours().size(); k++) {
          (k < factor.antiquarks() ? antiquarks : quarks)
              .merge(factor.flavours().get(k), 1, Integer::sum);
        }
      }
      return new Content(quarks, antiquarks);
    }

    /** The content together with that of a current. */
    Content with(CorrelationMatrix.Flavours current) {
      Map<String, Integer> moreQuarks = new HashMap<>(quarks);
      Map<String, Integer> moreAntiquarks = new HashMap<>(antiquarks);
      moreQuarks.merge(current.quark(), 1, Integer::sum);
      moreAntiquarks.merge(current.bar(), 1, Integer::sum);
      return new Content(moreQuarks, moreAntiquarks);
    }

    /** The number of contractions of a term with the adjoint of another. */
    double contractionsWith(Content source) {
      Map<String, Integer> all = new HashMap<>(quarks);
      source.antiquarks.forEach((flavour, count) -> all.merge(flavour, count, Integer::sum));
      Map<String, Integer> partners = new HashMap<>(antiquarks);
      source.quarks.forEach((flavour, count) -> partners.merge(flavour, count, Integer::sum));
      if (!all.equals(partners)) {
        return 0;
      }
      double ways = 1;
      for (int count : all.values()) {
        for (int k = 2; k <= count; k++) {
          ways *= k;
        }
      }
      return ways;
    }
  }

  private ContractionCount() {}

  private static Map<Content, Integer> contents(List<Operator> operators) {
    Map<Content, Integer> all = new HashMap<>();
    for (Operator operator : operators) {
      operator.terms().forEach(term -> all.merge(Content.of(term), 1, Integer::sum));
    }
    return all;
  }

  /** The number, over all matrix elements and one-point functions; exact up to 2⁵³. */
  public static double of(List<CorrelationMatrix> matrices) {
    double sum = 0;
    for (CorrelationMatrix matrix : matrices) {
      Map<Content, Integer> sinks = contents(matrix.operators());
      Map<Content, Integer> sources = contents(matrix.sources());
      CorrelationMatrix.Flavours current = matrix.current();
      // Each term of each operator meets each term of each operator.
      for (Map.Entry<Content, Integer> sink : sinks.entrySet()) {
        Content with = current == null ? sink.getKey() : sink.getKey().with(current);
        for (Map.Entry<Content, Integer> source : sources.entrySet()) {
          sum +=
              (double) sink.getValue() * source.getValue() * with.contractionsWith(source.getKey());
        }
        if (matrix.onePoint()) {
          sum += sink.getValue() * sink.getKey().contractionsWith(Content.EMPTY);
        }
      }
    }
    return sum;
  }
}
