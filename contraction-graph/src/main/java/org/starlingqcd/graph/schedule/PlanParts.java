package org.starlingqcd.graph.schedule;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.TetraquarkPart;

/**
 * How the elements of a plan are made, by element, with numbers for those parts that do not depend
 * on times. Parts that are equal have equal numbers, so that a plan is bound to many times without
 * comparing them again. Immutable.
 */
final class PlanParts {
  private final ContractionPlan plan;
  private final QueueOptions options;
  private final int[] firstTerm;
  private final ContractionPlan.@Nullable Made[] made;
  private final int[] tracesOfMatrices;
  private final Map<Complex, Integer> coefficients = new HashMap<>();
  // Each list is looked up by value once; its number is found by identity from then on.
  private final IdentityHashMap<List<?>, Integer> lists = new IdentityHashMap<>();

  PlanParts(ContractionPlan plan, QueueOptions options) {
    this.plan = plan;
    this.options = options;
    int n = plan.intermediates();
    firstTerm = new int[n];
    Arrays.fill(firstTerm, -1);
    List<ContractionPlan.Product> products = plan.products();
    for (int p = products.size() - 1; p >= 0; p--) {
      firstTerm[products.get(p).destination() - plan.nodes().size()] = p;
      coefficients.putIfAbsent(products.get(p).coefficient(), coefficients.size());
    }
    made = new ContractionPlan.Made[n];
    Map<List<?>, Integer> numbers = new HashMap<>();
    for (ContractionPlan.Made m : plan.made()) {
      made[m.destination() - plan.nodes().size()] = m;
      if (m instanceof BaryonPart.PlannedPairs pairs) {
        pairs.branches().forEach(branch -> enter(branch.spins(), numbers));
      } else if (m instanceof BaryonPart.SpinSum sum) {
        enter(sum.terms(), numbers);
      }
    }
    tracesOfMatrices = tracesOfMatrices(plan);
  }

  /** Sampled sites of tetraquarks, or 0 for elementals. */
  int sites() {
    return options.sites();
  }

  /** Whether a tetraquark is multiplied with two lines one after the other: it is cheaper so. */
  boolean isLegByLeg(TetraquarkPart.Step step) {
    return step.kind() == TetraquarkPart.Kind.PRODUCT
        && sites() == 0
        && ElementSizes.byLegs(step.rows(), options.extent())
            < ElementSizes.byPairs(step.rows(), step.columns(), options.extent());
  }

  private static int[] tracesOfMatrices(ContractionPlan plan) {
    int[] found = new int[plan.traces().size()];
    int count = 0;
    BitSet seen = new BitSet(found.length);
    for (ContractionPlan.Output output : plan.outputs()) {
      if (output.column() != ContractionPlan.NONE) {
        for (ContractionPlan.Monomial monomial : output.monomials()) {
          for (ContractionPlan.Factor factor : monomial.factors()) {
            if (!seen.get(factor.trace())) {
              seen.set(factor.trace());
              found[count++] = factor.trace();
            }
          }
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  private void enter(List<?> list, Map<List<?>, Integer> numbers) {
    if (!lists.containsKey(list)) {
      Integer number = numbers.get(list);
      if (number == null) {
        number = numbers.size();
        numbers.put(list, number);
      }
      lists.put(list, number);
    }
  }

  ContractionPlan plan() {
    return plan;
  }

  /**
   * The traces of all elements of matrices, in the order in which the outputs name them; not to be
   * changed.
   */
  int[] tracesOfMatrices() {
    return tracesOfMatrices;
  }

  /** How an intermediate is made, or null for a sum of products. */
  ContractionPlan.@Nullable Made made(int element) {
    return made[element - plan.nodes().size()];
  }

  /** The products that are added up to an intermediate. */
  List<ContractionPlan.Product> terms(int element) {
    int from = firstTerm[element - plan.nodes().size()];
    int to = from;
    List<ContractionPlan.Product> products = plan.products();
    while (to < products.size() && products.get(to).destination() == element) {
      to++;
    }
    return products.subList(from, to);
  }

  /** The number of a coefficient of a product. */
  int number(Complex coefficient) {
    return found(coefficients.get(coefficient), coefficient);
  }

  /** The number of the sums of a branch ({@link PairSum}), or of the terms of a spin sum. */
  int number(List<?> list) {
    return found(lists.get(list), list);
  }

  private static int found(@Nullable Integer number, Object part) {
    if (number == null) {
      throw new IllegalArgumentException("no part of this plan: " + part);
    }
    return number;
  }
}
