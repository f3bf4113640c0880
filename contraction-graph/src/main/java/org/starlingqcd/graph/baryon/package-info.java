/**
 * How the quark lines between baryons are attached, which sums over spins they need, and how baryon
 * graphs become pair blocks, spin sums, products and traces of a plan. Likewise tetraquark graphs.
 */
package org.starlingqcd.graph.baryon;
