package org.starlingqcd.correlators.definition;

import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;

/** Total isospin I and its component I3. */
public record Isospin(HalfInteger total, HalfInteger third) {
  /** Checks that I3 is a component of I. */
  public Isospin {
    if (!ClebschGordan.component(total.twice(), third.twice())) {
      throw new IllegalArgumentException(
          "impossible isospin: I3 = " + third + " is no component of I = " + total);
    }
  }
}
