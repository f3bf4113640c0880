package org.starlingqcd.graph.schedule;

import java.util.HashSet;
import java.util.Set;

/**
 * Flops of those traces of a queue in which all lines pass from one tetraquark to another, in each
 * of three ways.
 *
 * @param pairs the lines as matrices from pair to pair of vectors, as the queue does it
 * @param legs one vector index of a tetraquark after the other, {@code 256 N⁵} for each trace
 * @param sites with n sampled positions at either end in the place of elementals, divided by n²:
 *     {@code 1152 N} for each line and {@code 10⁴} for each trace
 */
public record PairCosts(double pairs, double legs, double sites) {
  /** The costs of a queue for N eigenvectors; zero without such traces. */
  public static PairCosts of(ExecutionQueue queue, int extent) {
    double pairs = 0;
    double traces = 0;
    Set<Integer> lines = new HashSet<>();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.FormPairs form) {
          lines.add(form.first());
          lines.add(form.second());
          pairs += ElementSizes.flops(step, extent);
        } else if (step instanceof ExecutionQueue.PairProduct) {
          pairs += ElementSizes.flops(step, extent);
        } else if (step instanceof ExecutionQueue.Traces block
            && queue.elements().get(block.lefts().get(0))
                instanceof ExecutionQueue.PairMatrix matrix) {
          double count = (double) block.lefts().size() * block.rights().size();
          traces += count;
          pairs += 8 * count * matrix.rows().pairs(extent) * matrix.columns().pairs(extent);
        }
      }
    }
    return new PairCosts(
        pairs, 256 * Math.pow(extent, 5) * traces, 1152.0 * extent * lines.size() + 1e4 * traces);
  }
}
