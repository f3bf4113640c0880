package org.starlingqcd.hadron.convention;

import java.util.List;
import java.util.Locale;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Φ(0) = 1, because eigenvectors are orthonormal, and Φ(-n) = Φ(n)†, where both are in the files.
 */
final class ElementalIdentities extends Measurement {
  static final String UNIT = "unit-elemental";
  static final String OPPOSITE = "opposite-momenta";

  /** Eigenvectors in single precision are orthonormal to 1e-6. */
  private static final double TOLERANCE = 1e-5;

  /** Pairs of momenta that are compared. */
  private static final int MOST_PAIRS = 16;

  private static final String DEVIATION = "deviation";

  private final boolean atRest;
  private final String meaning;

  private ElementalIdentities(String test, boolean atRest, String needs, String meaning) {
    super(
        test,
        String.format(Locale.ROOT, "deviation below %.0e", TOLERANCE),
        "meson elementals without displacement at " + needs,
        List.of(DEVIATION));
    this.atRest = atRest;
    this.meaning = meaning;
    of("");
  }

  /** Φ(0) = 1. */
  static Measurement unit() {
    return new ElementalIdentities(
        UNIT,
        true,
        "rest",
        "The elemental at rest is not the unit matrix: a factor is missing, the number of"
            + " eigenvectors is wrong, the file holds something else, or its numbers are read at the"
            + " wrong place.");
  }

  /** Φ(-n) = Φ(n)†. */
  static Measurement opposite() {
    return new ElementalIdentities(
        OPPOSITE,
        false,
        "n and at -n",
        "Elementals at opposite momenta are not adjoint to each other: momenta are mixed up, or the"
            + " file was made by a broken program.");
  }

  @Override
  void add(Blocks blocks) {
    Sample deviations = of("").get(DEVIATION);
    int pairs = 0;
    for (ElementalName name : blocks.data().mesonElementals()) {
      Momentum n = name.momentum();
      if (!name.displacement().equals(ElementalRef.NO_DISPLACEMENT)
          || n.equals(Momentum.ZERO) != atRest) {
        continue;
      }
      if (atRest) {
        for (int t : blocks.times()) {
          ComplexMatrix phi = blocks.wholeElemental(n, t);
          if (phi != null) {
            deviations.raise(phi.minus(ComplexMatrix.unit(phi.size())).largest());
          }
        }
      } else if (pairs < MOST_PAIRS && n.compareTo(n.negate()) > 0) {
        int t = blocks.times().get(pairs % blocks.times().size());
        ComplexMatrix here = blocks.wholeElemental(n, t);
        ComplexMatrix there = blocks.wholeElemental(n.negate(), t);
        if (here != null && there != null) {
          deviations.raise(here.minus(there.adjoint()).largest());
          pairs++;
        }
      }
    }
  }

  @Override
  List<Row> table(Values values) {
    return List.of(passed(values.get(DEVIATION).mean() < TOLERANCE), failed(true, meaning));
  }
}
