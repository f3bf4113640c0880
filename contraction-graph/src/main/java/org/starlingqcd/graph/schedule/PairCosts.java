package org.starlingqcd.graph.schedule;

import java.util.HashSet;
import java.util.Set;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Flops of those traces of a queue in which all lines pass from one tetraquark to another, in each
 * of three ways.
 *
 * @param pairs the lines as matrices from pair to pair of vectors
 * @param legs one vector index of a tetraquark after the other, {@code 256 P N³} for each
 *     tetraquark and each two lines
 * @param sites with n sampled positions at either end in the place of elementals, divided by n²:
 *     {@code 1152 N} for each line, {@code 128} for each two pairs of colours that meet in a matrix
 *     of two lines, and {@code 72} for each trace of three pairs with three
 */
public record PairCosts(double pairs, double legs, double sites) {
  /** The costs of a queue for N eigenvectors, planned for elementals; zero without such traces. */
  public static PairCosts of(ExecutionQueue queue, int extent) {
    double pairs = 0;
    double sites = 0;
    double legs = 0;
    Set<Integer> lines = new HashSet<>();
    Set<ExecutionQueue.FormPairs> matrices = new HashSet<>();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.FormPairs form) {
          matrices.add(form);
        } else if (step instanceof ExecutionQueue.PairProduct product) {
          pairs += ElementSizes.byPairs(product.rows(), product.columns(), extent);
          legs += ElementSizes.byLegs(product.rows(), extent);
        } else if (step instanceof ExecutionQueue.LegProduct product) {
          ExecutionQueue.FormPairs form = product.lines();
          matrices.add(form.to(ContractionPlan.NONE));
          pairs += ElementSizes.byPairs(form.rows(), form.columns(), extent);
          legs += ElementSizes.byLegs(form.rows(), extent);
        } else if (step instanceof ExecutionQueue.Traces block
            && queue.elements().get(block.lefts().get(0))
                instanceof ExecutionQueue.PairMatrix matrix) {
          double count = (double) block.lefts().size() * block.rights().size();
          sites += 72 * count * matrix.rows().groups() * matrix.columns().groups();
          pairs += ElementSizes.flops(queue.elements(), step, extent);
          legs += ElementSizes.flops(queue.elements(), step, extent);
        }
      }
    }
    for (ExecutionQueue.FormPairs form : matrices) {
      lines.add(form.first());
      lines.add(form.second());
      pairs += ElementSizes.flops(queue.elements(), form, extent);
      sites += 128.0 * form.rows().colourPairs() * form.columns().colourPairs();
    }
    return new PairCosts(pairs, legs, 1152.0 * extent * lines.size() + sites);
  }
}
