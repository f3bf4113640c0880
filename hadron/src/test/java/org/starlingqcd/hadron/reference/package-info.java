/** Naive loops for everything that is optimized, written from the conventions alone. */
package org.starlingqcd.hadron.reference;
