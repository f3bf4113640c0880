/** How the quark lines between baryons are attached, and which sums over spins they ask for. */
package org.starlingqcd.graph.baryon;
