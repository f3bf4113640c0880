/** Wick contraction: from operators to diagrams. */
package org.starlingqcd.graph.wick;
