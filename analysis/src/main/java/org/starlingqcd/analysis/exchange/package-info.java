/**
 * Correlators in the formats of other programs: pyerrors, gvar and corrfitter, sigmond, CSV. Writes
 * results in them and reads the first two for the analysis. Computes nothing but averages over
 * sources.
 */
package org.starlingqcd.analysis.exchange;
