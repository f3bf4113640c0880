/**
 * Wick contraction, contraction graphs, their reduction to products and traces, and the order in
 * which these run. No numbers live here but coefficients, and no data, files or devices.
 */
package org.starlingqcd.graph;
