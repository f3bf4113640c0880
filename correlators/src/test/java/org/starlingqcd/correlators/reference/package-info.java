/**
 * Correlators computed the plainest way, from the Wick contraction as it is defined and dense
 * tensors: what everything that is optimized is compared with. Uses definitions and the HDF5 layer,
 * and none of the engine.
 */
package org.starlingqcd.correlators.reference;
