package org.starlingqcd.graph;

/** One hadron of a product: a quark bilinear, a baryon or a gluonic factor. */
public sealed interface Factor permits Bilinear, BaryonFactor, Gluonic {
  /** Total momentum of the factor. */
  Momentum momentum();
}
