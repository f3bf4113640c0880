package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;

/**
 * A baryon in a spin state.
 *
 * <p>Spin 1/2 is {@code (q Cg5 q) q_c}. Spin 3/2 is {@code Σ ⟨1 μ; ½ s | 3/2 m⟩ (q V_μ q) q_s} with
 * {@code V_±1 = ∓(Cg1 ± i Cg2)/√2}, {@code V_0 = Cg3}.
 *
 * @param component 1, 2 = m +1/2, -1/2, and their copies 3, 4; 1 … 4 = m 3/2 … -3/2 for spin 3/2
 * @param parity +1 or -1
 * @param deGrandRossi whether components are those of the DeGrand-Rossi basis, not of the data's;
 *     spin 3/2 and rotations need it
 * @param profiles those of the three quarks, as {@link Profiles} has them; may be empty
 */
public record BaryonHadron(
    Baryon baryon,
    Momentum momentum,
    int component,
    int parity,
    boolean deGrandRossi,
    List<String> profiles)
    implements HadronFactor {
  private static final double ROOT_HALF = Math.sqrt(0.5);

  /** A baryon without profiles. */
  public BaryonHadron(
      Baryon baryon, Momentum momentum, int component, int parity, boolean deGrandRossi) {
    this(baryon, momentum, component, parity, deGrandRossi, List.of());
  }

  @Override
  public String name() {
    return baryon.name();
  }

  @Override
  public HalfInteger isospin() {
    return baryon.isospin();
  }

  @Override
  public boolean isBaryon() {
    return true;
  }

  @Override
  public String spin() {
    return Integer.toString(component);
  }

  @Override
  public List<HadronFactor> spinStates() {
    return IntStream.rangeClosed(1, baryon.twiceSpin() + 1)
        .<HadronFactor>mapToObj(c -> at(momentum, c))
        .toList();
  }

  private BaryonHadron at(Momentum n, int otherComponent) {
    return new BaryonHadron(baryon, n, otherComponent, parity, deGrandRossi, profiles);
  }

  /** {@code R · N_c(n) = η^[R improper] Σ_c' D_c'c(U) N_c'(Rn)}. */
  @Override
  public List<Image> images(CubicRotation rotation) {
    int states = baryon.twiceSpin() + 1;
    if (!deGrandRossi || component > states) {
      throw new IllegalStateException("component " + component + " of " + name() + " is no m");
    }
    Complex[][] d = rotation.spinor().wigner(baryon.twiceSpin());
    int sign = rotation.determinant() < 0 ? parity : 1;
    Momentum image = rotation.apply(momentum);
    List<Image> images = new ArrayList<>();
    for (int c = 1; c <= states; c++) {
      Complex element = d[c - 1][component - 1];
      if (element.abs() > 0) {
        images.add(new Image(element.times(sign), at(image, c)));
      }
    }
    return images;
  }

  @Override
  public List<Part> parts(int twiceThird) {
    List<Part> parts = new ArrayList<>();
    for (Baryon.Flavours flavours : baryon.component(twiceThird)) {
      if (baryon.twiceSpin() == 1) {
        parts.add(part(Complex.ONE, flavours, Gamma.G5, component));
      } else {
        addSpinThreeHalves(flavours, parts);
      }
    }
    return parts;
  }

  private void addSpinThreeHalves(Baryon.Flavours flavours, List<Part> parts) {
    int m = 5 - 2 * component;
    for (int s = 1; s >= -1; s -= 2) {
      double c = ClebschGordan.coefficient(2, m - s, 1, s, 3, m).doubleValue();
      int quark = s > 0 ? 1 : 2;
      switch (m - s) {
        case 0 -> parts.add(part(new Complex(c, 0), flavours, Gamma.g(3), quark));
        case 2 -> {
          parts.add(part(new Complex(-c * ROOT_HALF, 0), flavours, Gamma.g(1), quark));
          parts.add(part(new Complex(0, -c * ROOT_HALF), flavours, Gamma.g(2), quark));
        }
        case -2 -> {
          parts.add(part(new Complex(c * ROOT_HALF, 0), flavours, Gamma.g(1), quark));
          parts.add(part(new Complex(0, -c * ROOT_HALF), flavours, Gamma.g(2), quark));
        }
        default -> {} // no component of the diquark
      }
    }
  }

  private Part part(Complex spin, Baryon.Flavours flavours, Gamma diquark, int quark) {
    List<String> quarks = flavours.quarks();
    return new Part(
        spin,
        flavours.coefficient(),
        new BaryonFactor(
            quarks.get(0),
            quarks.get(1),
            quarks.get(2),
            diquark,
            parity,
            quark,
            momentum,
            Profiles.of(ElementalRef.NO_DISPLACEMENT, profiles),
            deGrandRossi));
  }
}
