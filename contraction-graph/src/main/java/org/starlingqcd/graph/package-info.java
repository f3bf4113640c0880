/**
 * The nouns of contraction graphs: gammas, momenta, operators, nodes, diagrams and sets of them. No
 * numbers live here but coefficients, and no data, files or devices.
 *
 * <p>The packages below build on each other in this order: {@code plan} (the contraction plan and
 * its file), {@code wick} (operators to diagrams), {@code baryon} (how lines between baryons are
 * attached), {@code reduce} (diagrams to a plan). {@code schedule} makes execution queues of plans
 * and knows no package but {@code plan} and this one.
 */
package org.starlingqcd.graph;
