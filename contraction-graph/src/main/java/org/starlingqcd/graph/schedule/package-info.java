/**
 * Binding of a plan to times, the order of its contractions, and the execution queue of vectors.
 */
package org.starlingqcd.graph.schedule;
