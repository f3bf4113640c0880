/** The contraction plan, with times still symbolic, and its file. */
package org.starlingqcd.graph.plan;
