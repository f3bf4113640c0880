package org.starlingqcd.graph;

/** One hadron of a product: a quark bilinear or a baryon. */
public sealed interface Factor permits Bilinear, BaryonFactor {
  /** Total momentum of the factor. */
  Momentum momentum();
}
