package org.starlingqcd.hadron.convention;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Φ(0) = 1, because eigenvectors are orthonormal, and Φ(-n) = Φ(n)†, where both are in the files.
 */
final class ElementalIdentities implements Measurement {
  static final String UNIT = "unit-elemental";
  static final String OPPOSITE = "opposite-momenta";

  /** Eigenvectors in single precision are orthonormal to 1e-6. */
  private static final double TOLERANCE = 1e-5;

  /** Pairs of momenta that are compared. */
  private static final int MOST_PAIRS = 16;

  private static final String BELOW = String.format(Locale.ROOT, "deviation below %.0e", TOLERANCE);

  private double unit = Double.NaN;
  private double opposite = Double.NaN;

  @Override
  public void add(Blocks blocks) {
    int pairs = 0;
    for (ElementalName name : blocks.data().mesonElementals()) {
      if (!name.displacement().equals(ElementalRef.NO_DISPLACEMENT)) {
        continue;
      }
      if (name.momentum().equals(Momentum.ZERO)) {
        for (int t : blocks.times()) {
          ComplexMatrix phi = blocks.wholeElemental(Momentum.ZERO, t);
          unit = phi == null ? unit : larger(unit, deviationFromUnit(phi));
        }
        continue;
      }
      Momentum negative = name.momentum().negate();
      if (pairs < MOST_PAIRS && name.momentum().compareTo(negative) > 0) {
        int t = blocks.times().get(pairs % blocks.times().size());
        ComplexMatrix here = blocks.wholeElemental(name.momentum(), t);
        ComplexMatrix there = blocks.wholeElemental(negative, t);
        if (here != null && there != null) {
          opposite = larger(opposite, here.minus(there.adjoint()).largest());
          pairs++;
        }
      }
    }
  }

  private static double larger(double before, double value) {
    return Double.isNaN(before) ? value : Math.max(before, value);
  }

  private static double deviationFromUnit(ComplexMatrix phi) {
    double worst = 0;
    for (int i = 0; i < phi.size(); i++) {
      for (int j = 0; j < phi.size(); j++) {
        worst = Math.max(worst, Math.hypot(phi.re(i, j) - (i == j ? 1 : 0), phi.im(i, j)));
      }
    }
    return worst;
  }

  @Override
  public List<Finding> findings() {
    return List.of(
        Double.isNaN(unit)
            ? Finding.notMeasured(UNIT, "", BELOW, "meson elementals without displacement at rest")
            : finding(
                UNIT,
                unit,
                "The elemental at rest is not the unit matrix: a factor is missing, the number of"
                    + " eigenvectors is wrong, the file holds something else, or its numbers are"
                    + " read at the wrong place."),
        Double.isNaN(opposite)
            ? Finding.notMeasured(
                OPPOSITE, "", BELOW, "meson elementals without displacement at n and at -n")
            : finding(
                OPPOSITE,
                opposite,
                "Elementals at opposite momenta are not adjoint to each other: momenta are mixed up,"
                    + " or the file was made by a broken program."));
  }

  private static Finding finding(String test, double deviation, String meaning) {
    boolean passed = deviation < TOLERANCE;
    return new Finding(
        test,
        "",
        Map.of("deviation", deviation),
        BELOW,
        passed ? Verdict.PASSED : Verdict.FAILED,
        passed ? "" : meaning);
  }
}
