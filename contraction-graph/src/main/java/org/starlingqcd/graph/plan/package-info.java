/**
 * The contraction plan, with times still symbolic, the options that decide it, and its file. How a
 * plan is found does not belong here.
 */
package org.starlingqcd.graph.plan;
