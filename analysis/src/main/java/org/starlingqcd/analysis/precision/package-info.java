/** What single precision changes in correlators, beside their statistical errors. */
package org.starlingqcd.analysis.precision;
