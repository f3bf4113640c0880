package org.starlingqcd.graph;

import java.util.List;

/** One hadron of a product. */
public sealed interface Factor permits Bilinear, BaryonFactor, TetraquarkFactor, Gluonic {
  /** Total momentum of the factor. */
  Momentum momentum();

  /** The flavours of its fields in their order, antiquarks before quarks. */
  default List<String> flavours() {
    return List.of();
  }

  /** How many of its fields are antiquarks. */
  default int antiquarks() {
    return 0;
  }

  /** The factor with other flavours, in the order of the fields. */
  default Factor withFlavours(List<String> flavours) {
    return this;
  }

  /** The gamma structures of a meson, or of the diquarks of a baryon or tetraquark. */
  default List<Gamma> gammas() {
    return List.of();
  }
}
