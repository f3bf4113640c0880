/**
 * Fits of exponentials to correlators and autocorrelation times, on plain arrays: minimization and
 * special functions come from commons-math.
 */
package org.starlingqcd.analysis.fit;
