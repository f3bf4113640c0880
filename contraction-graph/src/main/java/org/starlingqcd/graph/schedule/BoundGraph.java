package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PlanNumbering;

/**
 * A plan bound to times but not yet in an order: elements, how each is made, and the traces to
 * compute. The factors of a step have lower numbers than its destination.
 *
 * @param elements what each element is
 * @param steps how each element is made: nothing for an input, one {@link ExecutionQueue.Build} for
 *     a node, one or more {@link ExecutionQueue.Multiply} for an intermediate, the first of which
 *     overwrites
 * @param traces the traces, one result each, by trace number
 * @param events the order of the work: trace numbers t, and {@code ~e} for elements to make before
 *     the next trace
 * @param planTraces for each trace, the first trace of the plan that was bound to it
 * @param planElements for each element, the first element of the plan that was bound to it, or
 *     {@link ContractionPlan#NONE}
 * @param results the results in terms of traces
 */
record BoundGraph(
    List<ExecutionQueue.Element> elements,
    List<List<ExecutionQueue.Step>> steps,
    List<ExecutionQueue.Traces> traces,
    List<Integer> events,
    List<Integer> planTraces,
    List<Integer> planElements,
    List<BoundOutput> results) {

  /**
   * One number of the result. A queue's result takes tens of bytes for each factor of each product
   * of traces, and the queues that are only compared with each other need none.
   *
   * @param output what the plan says about it
   * @param index {@link ExecutionQueue.Result#index}
   * @param traces trace numbers of the factors of all its monomials, one after the other
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record BoundOutput(ContractionPlan.Output output, int index, int[] traces) {}

  /**
   * The steps in the order of the events. Before each trace and element come the elements that it
   * needs and that have not been made yet, left factor first.
   */
  List<ExecutionQueue.Step> orderedSteps() {
    List<ExecutionQueue.Step> order = new ArrayList<>();
    BitSet made = new BitSet();
    for (int event : events) {
      if (event < 0) {
        make(~event, made, order);
      } else {
        traces.get(event).forEachInput(element -> make(element, made, order));
        order.add(traces.get(event));
      }
    }
    return order;
  }

  private void make(int element, BitSet made, List<ExecutionQueue.Step> order) {
    if (!made.get(element)) {
      made.set(element);
      for (ExecutionQueue.Step step : steps.get(element)) {
        step.forEachInput(input -> make(input, made, order));
        order.add(step);
      }
    }
  }

  /**
   * The results of a queue.
   *
   * @param numbers for each trace its number in the queue
   */
  List<ExecutionQueue.Result> results(int[] numbers) {
    Results made = new Results(numbers);
    return Concurrently.each(
        results.size(),
        k -> {
          BoundOutput r = results.get(k);
          return made.of(r, r.index(), r.traces());
        });
  }

  /** Makes results of a queue. */
  static final class Results {
    private final int[] numbers;
    private final ContractionPlan.Factor[] factors;

    /**
     * Prepares.
     *
     * @param numbers for each trace its number in the queue
     */
    Results(int[] numbers) {
      this.numbers = numbers;
      factors = PlanNumbering.factors(numbers.length);
    }

    /** A result, perhaps with another index and other traces. */
    ExecutionQueue.Result of(BoundOutput result, int index, int[] traces) {
      ContractionPlan.Output output = result.output();
      List<ContractionPlan.Monomial> monomials = new ArrayList<>(output.monomials().size());
      int at = 0;
      for (ContractionPlan.Monomial monomial : output.monomials()) {
        ContractionPlan.Factor[] product = new ContractionPlan.Factor[monomial.factors().size()];
        for (int k = 0; k < product.length; k++) {
          int conjugate = monomial.factors().get(k).conjugate() ? 1 : 0;
          product[k] = factors[2 * numbers[traces[at++]] + conjugate];
        }
        monomials.add(new ContractionPlan.Monomial(monomial.coefficient(), List.of(product)));
      }
      return new ExecutionQueue.Result(
          output.matrix(), output.row(), output.column(), index, monomials);
    }
  }
}
