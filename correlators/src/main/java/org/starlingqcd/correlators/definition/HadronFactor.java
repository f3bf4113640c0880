package org.starlingqcd.correlators.definition;

import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Momentum;

/** A hadron by name in a product of hadrons; its isospin component is chosen by the coupling. */
public sealed interface HadronFactor {
  /** Its momentum. */
  Momentum momentum();

  /** Its isospin. */
  HalfInteger isospin();

  /**
   * A meson.
   *
   * @param axis axis 0, 1, 2 of the polarization; 0 for spin 0
   */
  record OfMeson(Meson meson, Momentum momentum, int axis) implements HadronFactor {
    @Override
    public HalfInteger isospin() {
      return meson.multiplet().isospin();
    }
  }

  /**
   * The nucleon, the one baryon known by name.
   *
   * @param component spin component 1 … 4
   * @param parity +1 or -1
   */
  record OfNucleon(Momentum momentum, int component, int parity) implements HadronFactor {
    /** Its name in a definition. */
    public static final String NAME = "N";

    @Override
    public HalfInteger isospin() {
      return new HalfInteger(1);
    }
  }
}
