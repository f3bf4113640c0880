package org.starlingqcd.graph.wick;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
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
        if (factor instanceof Bilinear b) {
          quarks.merge(b.quark(), 1, Integer::sum);
          antiquarks.merge(b.bar(), 1, Integer::sum);
        } else if (factor instanceof BaryonFactor b) {
          for (String quark : List.of(b.quark1(), b.quark2(), b.quark3())) {
            quarks.merge(quark, 1, Integer::sum);
          }
        }
      }
      return new Content(quarks, antiquarks);
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

  /** The number, over all matrix elements and one-point functions; exact up to 2⁵³. */
  public static double of(List<CorrelationMatrix> matrices) {
    double sum = 0;
    for (CorrelationMatrix matrix : matrices) {
      Map<Content, Integer> all = new HashMap<>();
      for (Operator operator : matrix.operators()) {
        operator.terms().forEach(term -> all.merge(Content.of(term), 1, Integer::sum));
      }
      // Each term of each operator meets each term of each operator.
      for (Map.Entry<Content, Integer> sink : all.entrySet()) {
        for (Map.Entry<Content, Integer> source : all.entrySet()) {
          sum +=
              (double) sink.getValue()
                  * source.getValue()
                  * sink.getKey().contractionsWith(source.getKey());
        }
        if (matrix.onePoint()) {
          sum += sink.getValue() * sink.getKey().contractionsWith(Content.EMPTY);
        }
      }
    }
    return sum;
  }
}
