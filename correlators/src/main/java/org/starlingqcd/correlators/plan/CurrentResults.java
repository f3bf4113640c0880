package org.starlingqcd.correlators.plan;

import com.google.common.primitives.Doubles;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Insertion;

/**
 * The numbers of a unit of three-point functions: insertions as sums over the flavours and vertices
 * that a queue computed, and their products with loops.
 *
 * @param separations their number
 * @param matrices for each matrix of {@link CurrentDefinition#matrices} its numbers: {@code
 *     [separation][sink][source]}, and with a current {@code [separation][vertex][insertion
 *     separation][sink][source]}
 */
record CurrentResults(
    CurrentDefinition definition,
    int separations,
    List<Integer> insertionSeparations,
    List<double[]> matrices) {
  /**
   * The numbers of a unit, in the order of its result: two-point functions, then for each insertion
   * the connected part and, if asked for, the disconnected one.
   *
   * @param source source time t_i
   * @param temporalExtent T
   * @param loops by insertion, J₁(t) at all times; asked for with {@code disconnected} only
   */
  double[] numbers(int source, int temporalExtent, List<Complex[]> loops) {
    List<double[]> parts = new ArrayList<>();
    parts.add(matrices.get(0));
    for (int k = 0; k < definition.insertions().size(); k++) {
      parts.add(connected(definition.insertions().get(k)));
      if (definition.disconnected()) {
        parts.add(disconnected(loops.get(k), source, temporalExtent));
      }
    }
    return Doubles.concat(parts.toArray(double[][]::new));
  }

  private double[] connected(Insertion insertion) {
    int block = matrices.get(0).length / separations * insertionSeparations.size();
    double[] sum = new double[separations * block];
    for (CurrentTerm term : insertion.terms()) {
      CorrelationMatrix.Flavours flavours =
          new CorrelationMatrix.Flavours(term.bar(), term.quark());
      List<CurrentVertex> vertices = definition.vertices(flavours);
      double[] all = matrices.get(1 + definition.flavours().indexOf(flavours));
      int vertex = vertices.indexOf(term.vertex());
      for (int d = 0; d < separations; d++) {
        int from = (d * vertices.size() + vertex) * block;
        for (int k = 0; k < block; k += 2) {
          Complex value = new Complex(all[from + k], all[from + k + 1]).times(term.coefficient());
          sum[d * block + k] += value.re();
          sum[d * block + k + 1] += value.im();
        }
      }
    }
    return sum;
  }

  private double[] disconnected(Complex[] loop, int source, int extent) {
    double[] twoPoint = matrices.get(0);
    int elements = twoPoint.length / 2 / separations;
    double[] product = new double[twoPoint.length * insertionSeparations.size()];
    int at = 0;
    for (int d = 0; d < separations; d++) {
      for (int t : insertionSeparations) {
        Complex current = loop[(source + t) % extent];
        for (int e = 0; e < elements; e++) {
          int from = 2 * (d * elements + e);
          Complex value = current.times(new Complex(twoPoint[from], twoPoint[from + 1]));
          product[at++] = value.re();
          product[at++] = value.im();
        }
      }
    }
    return product;
  }
}
