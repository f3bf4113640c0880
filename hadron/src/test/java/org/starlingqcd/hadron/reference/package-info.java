/**
 * Correlators computed from the definition of the Wick contraction with dense tensors: the one
 * reference for everything that is optimized, here and in the modules above. Uses the operators and
 * the HDF5 layer, and nothing of the engine.
 */
package org.starlingqcd.hadron.reference;
