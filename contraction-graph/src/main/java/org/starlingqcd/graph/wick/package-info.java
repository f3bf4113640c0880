/** Wick contraction: from operators to diagrams. How diagrams are evaluated is unknown here. */
package org.starlingqcd.graph.wick;
