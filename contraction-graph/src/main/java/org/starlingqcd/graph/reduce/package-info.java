/** How cycles of meson diagrams are bracketed so that all diagrams share their products. */
package org.starlingqcd.graph.reduce;
