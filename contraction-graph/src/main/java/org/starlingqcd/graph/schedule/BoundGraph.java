package org.starlingqcd.graph.schedule;

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
    List<ExecutionQueue.Result> results) {}
