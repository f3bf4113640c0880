package org.starlingqcd.graph.plan;

import java.util.List;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.TimeSlot;

/**
 * A plan under construction. Elements are nodes, then intermediates; an intermediate and a trace
 * are sums of {@link BilinearTerm}s, and an intermediate's factors need not precede it.
 *
 * @param nodes all nodes that may occur
 * @param intermediates the terms of each intermediate; none for one that is no longer used
 * @param traces the terms of each trace; none for one that is no longer used
 * @param outputs the results in terms of traces
 * @param made how the other intermediates are made, which have no terms
 * @param baryons elementals of rank 3
 * @param unshared N⁴ work with every diagram on its own
 */
public record PlanDraft(
    List<NodeRef> nodes,
    List<List<BilinearTerm>> intermediates,
    List<List<BilinearTerm>> traces,
    List<Output> outputs,
    List<ContractionPlan.Made> made,
    List<BaryonPart.BaryonElementalRef> baryons,
    BaryonPart.Unshared unshared) {

  /**
   * One number of the result.
   *
   * @param monomials its value in terms of traces
   * @param negligible coefficients up to this modulus are zero
   */
  public record Output(int matrix, int row, int column, Monomials monomials, double negligible) {}

  boolean isIntermediate(int element) {
    return element >= nodes.size();
  }

  /** Whether an element is a sum of products, not a node or part of a hadron. */
  public boolean isSum(int element) {
    return isIntermediate(element) && !terms(element).isEmpty();
  }

  List<BilinearTerm> terms(int element) {
    return intermediates.get(element - nodes.size());
  }

  /** Times that each element depends on: bit 0 for the source, bit 1 for the sink. */
  public int[] timeDependence() {
    int[] bits = new int[nodes.size() + intermediates.size()];
    for (int n = 0; n < nodes.size(); n++) {
      NodeRef node = nodes.get(n);
      bits[n] = bit(node.time()) | bit(node.next());
    }
    for (int e = nodes.size(); e < bits.length; e++) {
      if (terms(e).isEmpty()) {
        bits[e] = bit(TimeSlot.SOURCE) | bit(TimeSlot.SINK);
      }
    }
    for (int e = nodes.size(); e < bits.length; e++) {
      dependence(e, bits);
    }
    return bits;
  }

  private int dependence(int element, int[] bits) {
    if (bits[element] == 0) {
      for (BilinearTerm term : terms(element)) {
        bits[element] |= dependence(term.left(), bits) | dependence(term.right(), bits);
      }
    }
    return bits[element];
  }

  public static int bit(TimeSlot slot) {
    return slot == TimeSlot.SOURCE ? 1 : 2;
  }
}
