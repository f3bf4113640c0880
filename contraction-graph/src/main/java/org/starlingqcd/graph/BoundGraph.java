package org.starlingqcd.graph;

import java.util.List;

/**
 * A plan bound to times, before it is put into an order: elements, how each is made, and the traces
 * wanted. The factors of a step have lower numbers than its destination.
 *
 * @param elements what each element is
 * @param steps how each element is made: nothing for an input, one {@link ExecutionQueue.Build} for
 *     a node, one or more {@link ExecutionQueue.Multiply} for an intermediate, the first of which
 *     overwrites
 * @param traces the traces, one result each, by trace number
 * @param results what is read off the traces
 */
record BoundGraph(
    List<ExecutionQueue.Element> elements,
    List<List<ExecutionQueue.Step>> steps,
    List<ExecutionQueue.Traces> traces,
    List<ExecutionQueue.Result> results) {}
