package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Term;

/**
 * The rows of irreps that an operator written out has parts in, from how quark fields transform.
 *
 * <p>A rotation R takes g_i to Σ_j R_ji g_j in a bilinear, and D_i likewise. A diquark CΓ
 * transforms as the bilinear Γ times det R, the third quark of a baryon as a spinor. Identities
 * between different spin structures of a baryon are not used, so that a part may be reported that
 * vanishes, but no part is missed.
 */
final class RowContent {
  /** Beyond this number of terms nothing is decided: 48 images of each are made. */
  private static final int MOST_TERMS = 3000;

  /** Of the largest coefficient; images cancel to the rounding of 48 numbers. */
  private static final double ROUNDING = 1e-9;

  private static final Pattern DERIVATIVES = Pattern.compile("(?:(?:D|nabla)_[xyz])+");
  private static final Pattern DERIVATIVE = Pattern.compile("(D|nabla)_([xyz])");
  private static final String AXES = "xyz";

  /** One factor of an image. */
  private record Image(Complex coefficient, Factor factor) {}

  private RowContent() {}

  /** Whether it is known how every factor transforms. */
  static boolean isDecidable(List<Term> terms) {
    return terms.size() <= MOST_TERMS
        && terms.stream()
            .flatMap(term -> term.factors().stream())
            .allMatch(
                factor ->
                    factor instanceof Bilinear b
                        ? b.displacement().equals(ElementalRef.NO_DISPLACEMENT)
                            || DERIVATIVES.matcher(b.displacement()).matches()
                        : ((BaryonFactor) factor).deGrandRossi());
  }

  /** Whether the terms have a part in a row of an irrep of their total momentum. */
  static boolean isIn(List<Term> terms, Irrep irrep, int row) {
    TermSum sum = new TermSum();
    List<CubicRotation> elements = irrep.group().elements();
    for (CubicRotation rotation : elements) {
      Complex d = irrep.matrix(rotation)[row][row].conjugate();
      if (d.abs() > 0) {
        for (Term term : terms) {
          addImages(rotation, term.factors(), List.of(), d.times(term.coefficient()), sum);
        }
      }
    }
    double largest = terms.stream().mapToDouble(term -> term.coefficient().abs()).max().orElse(0);
    return sum.terms().stream()
        .anyMatch(term -> term.coefficient().abs() > ROUNDING * elements.size() * largest);
  }

  /** The rows that the terms have parts in, for messages: {@code T1- (row x), A1+}. */
  static String text(List<Term> terms, Irrep like) {
    List<String> found = new ArrayList<>();
    for (Irrep irrep : Irrep.all(like.group().momentum(), like.isDoubleValued())) {
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < irrep.dimension(); row++) {
        if (isIn(terms, irrep, row)) {
          rows.add(irrep.rows().get(row));
        }
      }
      if (!rows.isEmpty()) {
        found.add(irrep.name() + (irrep.dimension() == 1 ? "" : named(rows)));
      }
    }
    return found.stream().collect(Collectors.joining(", "));
  }

  /** A row of an irrep, for messages. */
  static String text(Irrep irrep, int row) {
    return irrep.name() + (irrep.dimension() == 1 ? "" : named(List.of(irrep.rows().get(row))));
  }

  private static String named(List<String> rows) {
    return (rows.size() == 1 ? " (row " : " (rows ") + String.join(" ", rows) + ")";
  }

  /** Multiplies out the images of the factors that are left. */
  private static void addImages(
      CubicRotation rotation,
      List<Factor> left,
      List<Factor> done,
      Complex coefficient,
      TermSum sum) {
    if (left.isEmpty()) {
      sum.add(coefficient, done);
      return;
    }
    List<Image> images =
        left.get(0) instanceof Bilinear meson
            ? List.of(image(rotation, meson))
            : images(rotation, (BaryonFactor) left.get(0));
    for (Image image : images) {
      List<Factor> longer = new ArrayList<>(done);
      longer.add(image.factor());
      addImages(
          rotation,
          left.subList(1, left.size()),
          longer,
          coefficient.times(image.coefficient()),
          sum);
    }
  }

  private static Image image(CubicRotation rotation, Bilinear meson) {
    int sign = 1;
    StringBuilder displacement = new StringBuilder();
    Matcher derivative = DERIVATIVE.matcher(meson.displacement());
    while (derivative.find()) {
      int to = image(rotation, AXES.indexOf(derivative.group(2)));
      sign *= rotation.element(to, AXES.indexOf(derivative.group(2)));
      displacement.append(derivative.group(1)).append('_').append(AXES.charAt(to));
    }
    return new Image(
        new Complex(sign, 0),
        new Bilinear(
            meson.bar(),
            image(rotation, meson.gamma()),
            meson.quark(),
            rotation.apply(meson.momentum()),
            displacement.isEmpty() ? meson.displacement() : displacement.toString()));
  }

  private static List<Image> images(CubicRotation rotation, BaryonFactor baryon) {
    int twin = baryon.component() > 2 ? baryon.parity() : 1;
    int sign = rotation.determinant() < 0 ? -baryon.parity() : 1;
    int component = (baryon.component() - 1) % 2;
    Complex[][] u = rotation.spinor().matrix();
    List<Image> images = new ArrayList<>();
    for (int c = 0; c < 2; c++) {
      if (u[c][component].abs() > 0) {
        images.add(
            new Image(
                u[c][component].times(twin * sign),
                new BaryonFactor(
                    baryon.quark1(),
                    baryon.quark2(),
                    baryon.quark3(),
                    image(rotation, baryon.diquark()),
                    baryon.parity(),
                    c + 1,
                    rotation.apply(baryon.momentum()),
                    baryon.displacement(),
                    true)));
      }
    }
    return images;
  }

  private static Gamma image(CubicRotation rotation, Gamma gamma) {
    Gamma image = new Gamma(0, gamma.sign());
    for (int axis = 0; axis < 3; axis++) {
      if ((gamma.mask() >> axis & 1) != 0) {
        int to = image(rotation, axis);
        image = image.times(new Gamma(1 << to, rotation.element(to, axis)));
      }
    }
    return (gamma.mask() & Gamma.G4.mask()) == 0 ? image : image.times(Gamma.G4);
  }

  /** The axis that an axis is taken to. */
  private static int image(CubicRotation rotation, int axis) {
    int to = 0;
    while (rotation.element(to, axis) == 0) {
      to++;
    }
    return to;
  }
}
