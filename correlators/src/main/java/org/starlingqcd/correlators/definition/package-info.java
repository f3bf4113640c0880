/**
 * Correlator definitions: the YAML format, the model it is read into, and its way to operators
 * written out in quark bilinears and baryon factors ({@link
 * org.starlingqcd.graph.CorrelationMatrix}). No data files, no numbers but coefficients.
 */
package org.starlingqcd.correlators.definition;
