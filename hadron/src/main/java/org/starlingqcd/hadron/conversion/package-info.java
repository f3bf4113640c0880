/** Copies data of any format into Starling's own format, and into NumPy arrays. */
package org.starlingqcd.hadron.conversion;
