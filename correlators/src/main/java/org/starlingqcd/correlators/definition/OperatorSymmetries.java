package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.data.Displacement;

/**
 * What symmetries make of operators written out: charge conjugation, G parity, complex conjugation
 * with parity, rotations. See {@code docs/physics.md}.
 *
 * <p>C takes {@code q̄ Γ D q'} to {@code q̄' CΓᵀC⁻¹ D_c q} at the same momentum, where {@code D_c}
 * has the derivatives in reverse order with a sign each. G then takes u to d and d to -u, so that
 * an isospin multiplet has {@code (-1)^I C} of its neutral member. A rotation R takes g_i to Σ_j
 * R_ji g_j in a bilinear, and D_i likewise. A diquark CΓ transforms as the bilinear Γ times det R,
 * the third quark of a baryon as a spinor. An antidiquark transforms as the diquark that names it;
 * C exchanges it with the diquark, with a sign for each g4 in the two.
 *
 * <p>Components of baryons count as those of the DeGrand-Rossi basis. In any other basis in which
 * definitions with baryons are allowed, real orthogonal combinations of components 1 and 2 take
 * their place, with the same signs under complex conjugation.
 */
final class OperatorSymmetries {
  /** One summand of the image of a factor. */
  private record Image(Complex coefficient, Factor factor) {}

  private OperatorSymmetries() {}

  /**
   * A displacement or a gluonic factor of which it is not known what C or complex conjugation makes
   * of it.
   *
   * @param c whether it is C, which relates {@code nabla_k} to nothing in flight
   */
  static Optional<String> unknownFactor(List<Term> terms, boolean c) {
    for (Term term : terms) {
      for (Factor factor : term.factors()) {
        if (factor instanceof Bilinear b) {
          Displacement.Kind kind = Displacement.of(b.displacement()).kind();
          boolean inFlight = !b.momentum().equals(Momentum.ZERO);
          if (kind == Displacement.Kind.OTHER) {
            return Optional.of("displacement " + b.displacement());
          }
          if (c && kind == Displacement.Kind.NABLA && inFlight) {
            return Optional.of("displacement " + b.displacement() + " at momentum " + b.momentum());
          }
        } else if (factor instanceof Gluonic g) {
          return Optional.of("gluonic factor " + g.name());
        }
      }
    }
    return Optional.empty();
  }

  /** The terms with a sign and an image in the place of every factor. */
  private static List<Term> mapped(
      List<Term> terms, Function<Complex, Complex> coefficient, Function<Factor, Image> image) {
    List<Term> mapped = new ArrayList<>();
    for (Term term : terms) {
      Complex c = coefficient.apply(term.coefficient());
      List<Factor> factors = new ArrayList<>();
      int sign = 1;
      for (Factor factor : term.factors()) {
        Image one = image.apply(factor);
        sign *= one.coefficient().re() < 0 ? -1 : 1;
        factors.add(one.factor());
      }
      mapped.add(new Term(c.times(sign), factors));
    }
    return mapped;
  }

  private static Image signed(int sign, Factor factor) {
    return new Image(new Complex(sign, 0), factor);
  }

  /**
   * C or G of mesons and tetraquarks.
   *
   * @param g whether isospin is rotated too
   */
  static TermSum chargeConjugated(List<Term> terms, boolean g) {
    return TermSum.of(
        mapped(
            terms,
            c -> c,
            factor -> {
              if (factor instanceof TetraquarkFactor t) {
                return chargeConjugated(t, g);
              }
              Bilinear b = (Bilinear) factor;
              int gammas = Integer.bitCount(b.gamma().mask());
              List<Integer> axes = new ArrayList<>(Displacement.of(b.displacement()).axes());
              Collections.reverse(axes);
              boolean turned = g && b.bar().equals("d") != b.quark().equals("d");
              return signed(
                  ((gammas + axes.size()) % 2 == 0) == turned ? -1 : 1,
                  new Bilinear(
                      g ? otherLight(b.quark()) : b.quark(),
                      b.gamma().adjoint(),
                      g ? otherLight(b.bar()) : b.bar(),
                      b.momentum(),
                      Profiles.of(
                          Displacement.derivative(axes), Profiles.reversed(b.displacement()))));
            }));
  }

  private static Image chargeConjugated(TetraquarkFactor t, boolean g) {
    List<String> f =
        g ? t.flavours().stream().map(OperatorSymmetries::otherLight).toList() : t.flavours();
    long signs = ((t.antidiquark().mask() ^ t.diquark().mask()) & Gamma.G4.mask()) == 0 ? 0 : 1;
    signs += g ? t.flavours().stream().filter("d"::equals).count() : 0;
    return signed(
        signs % 2 == 0 ? 1 : -1,
        t.withSpin(t.diquark(), t.antidiquark(), t.momentum())
            .withFlavours(f)
            .permuted(2, 3, 0, 1));
  }

  private static String otherLight(String flavour) {
    return switch (flavour) {
      case "u" -> "d";
      case "d" -> "u";
      default -> flavour;
    };
  }

  /**
   * The terms with {@code D_k} for {@code nabla_k} at rest, where they are the same, and all
   * components of baryons in one basis and among 1 and 2, so that equal terms look equal.
   */
  static List<Term> canonical(List<Term> terms) {
    return mapped(
        terms,
        c -> c,
        factor -> {
          if (factor instanceof Bilinear b) {
            Displacement d = Displacement.of(b.displacement());
            boolean same =
                d.kind() == Displacement.Kind.NABLA && b.momentum().equals(Momentum.ZERO);
            String displacement =
                same
                    ? Profiles.of(Displacement.derivative(d.axes()), Profiles.in(b.displacement()))
                    : b.displacement();
            return signed(
                1, new Bilinear(b.bar(), b.gamma(), b.quark(), b.momentum(), displacement));
          }
          if (!(factor instanceof BaryonFactor b)) {
            return signed(1, factor);
          }
          return signed(
              b.component() > 2 ? b.parity() : 1,
              b.withSpin(b.diquark(), (b.component() - 1) % 2 + 1, b.momentum()));
        });
  }

  /**
   * Complex conjugation with parity of canonical terms. Each spatial gamma and each derivative of a
   * bilinear gives -1. A diquark or antidiquark with n spatial gammas gives {@code -(-1)^n};
   * component 1 of parity η goes to η times component 2, and that to -η times component 1.
   */
  static List<Term> conjugated(List<Term> terms) {
    return mapped(
        terms,
        Complex::conjugate,
        factor -> {
          if (factor instanceof Bilinear b) {
            int derivatives = Displacement.of(b.displacement()).axes().size();
            return signed((spatial(b.gamma()) + derivatives) % 2 == 0 ? 1 : -1, b);
          }
          if (factor instanceof TetraquarkFactor t) {
            int vectors = spatial(t.antidiquark()) + spatial(t.diquark());
            return signed(vectors % 2 == 0 ? 1 : -1, t);
          }
          BaryonFactor b = (BaryonFactor) factor;
          int sign = b.component() == 1 ? b.parity() : -b.parity();
          return signed(
              spatial(b.diquark()) % 2 == 0 ? -sign : sign,
              b.withSpin(b.diquark(), 3 - b.component(), b.momentum()));
        });
  }

  private static int spatial(Gamma gamma) {
    return Integer.bitCount(gamma.mask() & ~Gamma.G4.mask());
  }

  /** Adds a number times R applied to terms. */
  static void addRotated(CubicRotation rotation, List<Term> terms, Complex weight, TermSum sum) {
    for (Term term : terms) {
      addImages(rotation, term.factors(), List.of(), weight.times(term.coefficient()), sum);
    }
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
    Factor factor = left.get(0);
    List<Image> images =
        factor instanceof Bilinear meson
            ? List.of(rotated(rotation, meson))
            : factor instanceof TetraquarkFactor t
                ? List.of(rotated(rotation, t))
                : rotated(rotation, (BaryonFactor) factor);
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

  private static Image rotated(CubicRotation rotation, Bilinear meson) {
    Displacement displacement = Displacement.of(meson.displacement());
    int sign = 1;
    List<Integer> axes = new ArrayList<>();
    for (int axis : displacement.axes()) {
      axes.add(image(rotation, axis));
      sign *= rotation.element(image(rotation, axis), axis);
    }
    return new Image(
        new Complex(sign, 0),
        new Bilinear(
            meson.bar(),
            image(rotation, meson.gamma()),
            meson.quark(),
            rotation.apply(meson.momentum()),
            Profiles.of(displacement.withAxes(axes), Profiles.in(meson.displacement()))));
  }

  /** The determinants of diquark and antidiquark cancel. */
  private static Image rotated(CubicRotation rotation, TetraquarkFactor t) {
    return signed(
        1,
        t.withSpin(
            image(rotation, t.antidiquark()),
            image(rotation, t.diquark()),
            rotation.apply(t.momentum())));
  }

  private static List<Image> rotated(CubicRotation rotation, BaryonFactor baryon) {
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
                baryon.withSpin(
                    image(rotation, baryon.diquark()), c + 1, rotation.apply(baryon.momentum()))));
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
