/** Naive host versions of what devices compute, loop by loop from the definitions. */
package org.starlingqcd.backend.reference;
