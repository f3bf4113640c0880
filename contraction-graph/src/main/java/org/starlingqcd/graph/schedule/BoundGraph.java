package org.starlingqcd.graph.schedule;

import java.util.List;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * A plan bound to times, before it is put into an order: elements, how each is made, and the traces
 * wanted. The factors of a step have lower numbers than its destination.
 *
 * @param elements what each element is
 * @param steps how each element is made: nothing for an input, one {@link ExecutionQueue.Build} for
 *     a node, one or more {@link ExecutionQueue.Multiply} for an intermediate, the first of which
 *     overwrites
 * @param traces the traces, one result each, by trace number
 * @param events in which order to work: trace numbers t, and {@code ~e} for elements that are to be
 *     made before the next trace
 * @param planTraces the trace of the plan that each trace was bound from first
 * @param planElements the element of the plan that each element was bound from first, or {@link
 *     ContractionPlan#NONE}
 * @param results what is read off the traces
 */
record BoundGraph(
    List<ExecutionQueue.Element> elements,
    List<List<ExecutionQueue.Step>> steps,
    List<ExecutionQueue.Traces> traces,
    List<Integer> events,
    List<Integer> planTraces,
    List<Integer> planElements,
    List<ExecutionQueue.Result> results) {}
