package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;

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
   * The results of a queue.
   *
   * @param numbers for each trace its number in the queue
   */
  List<ExecutionQueue.Result> results(int[] numbers) {
    // A trace and its conjugate are factors of many products.
    ContractionPlan.Factor[] factors = new ContractionPlan.Factor[2 * numbers.length];
    List<ExecutionQueue.Result> queueResults = new ArrayList<>(results.size());
    for (BoundOutput result : results) {
      ContractionPlan.Output output = result.output();
      List<ContractionPlan.Monomial> monomials = new ArrayList<>(output.monomials().size());
      int at = 0;
      for (ContractionPlan.Monomial monomial : output.monomials()) {
        ContractionPlan.Factor[] product = new ContractionPlan.Factor[monomial.factors().size()];
        for (int k = 0; k < product.length; k++) {
          boolean conjugate = monomial.factors().get(k).conjugate();
          int number = numbers[result.traces()[at++]];
          int code = 2 * number + (conjugate ? 1 : 0);
          if (factors[code] == null) {
            factors[code] = new ContractionPlan.Factor(number, conjugate);
          }
          product[k] = factors[code];
        }
        monomials.add(new ContractionPlan.Monomial(monomial.coefficient(), List.of(product)));
      }
      queueResults.add(
          new ExecutionQueue.Result(
              output.matrix(), output.row(), output.column(), result.index(), monomials));
    }
    return queueResults;
  }
}
