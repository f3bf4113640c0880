/**
 * From diagrams to a contraction plan: how cycles are bracketed so that all diagrams share their
 * products, and which sums are accumulated. Times and device memory are unknown here.
 */
package org.starlingqcd.graph.reduce;
