package org.starlingqcd.graph;

/** One hadron of a product. */
public sealed interface Factor permits Bilinear, BaryonFactor, TetraquarkFactor, Gluonic {
  /** Total momentum of the factor. */
  Momentum momentum();
}
