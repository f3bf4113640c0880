package org.starlingqcd.correlators.plan;

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
 */
final class CurrentResults {
  private final CurrentDefinition definition;
  private final int separations;
  private final List<Integer> insertionSeparations;
  private final int elements;
  private final List<double[]> matrices;
  private final double[] numbers;
  private int filled;

  /**
   * The numbers of a definition at one source.
   *
   * @param matrices for each matrix of {@link CurrentDefinition#matrices} its numbers: {@code
   *     [separation][sink][source]}, and with a current {@code [separation][vertex][insertion
   *     separation][sink][source]}
   */
  CurrentResults(
      CurrentDefinition definition,
      int separations,
      List<Integer> insertionSeparations,
      List<double[]> matrices) {
    this.definition = definition;
    this.separations = separations;
    this.insertionSeparations = insertionSeparations;
    this.matrices = matrices;
    CorrelationMatrix twoPoint = definition.matrices().get(0);
    elements = twoPoint.operators().size() * twoPoint.sources().size();
    int parts = definition.insertions().size() * (definition.disconnected() ? 2 : 1);
    numbers = new double[2 * separations * elements * (1 + parts * insertionSeparations.size())];
  }

  /**
   * The numbers of a unit, in the order of its result: two-point functions, then for each insertion
   * the connected part and, if asked for, the disconnected one.
   *
   * @param source source time t_i
   * @param temporalExtent T
   * @param loops by insertion, J₁(t) at all times; asked for with {@code disconnected} only
   */
  double[] numbers(int source, int temporalExtent, List<Complex[]> loops) {
    add(matrices.get(0));
    for (int k = 0; k < definition.insertions().size(); k++) {
      add(connected(definition.insertions().get(k)));
      if (definition.disconnected()) {
        add(disconnected(loops.get(k), source, temporalExtent));
      }
    }
    return numbers;
  }

  private void add(double[] part) {
    System.arraycopy(part, 0, numbers, filled, part.length);
    filled += part.length;
  }

  private double[] connected(Insertion insertion) {
    int times = insertionSeparations.size();
    int block = 2 * times * elements;
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
    int times = insertionSeparations.size();
    double[] product = new double[2 * separations * times * elements];
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
