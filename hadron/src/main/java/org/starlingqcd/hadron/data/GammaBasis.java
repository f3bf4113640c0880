package org.starlingqcd.hadron.data;

import java.util.List;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.plan.SpinLegs;

/**
 * The gamma matrices of a data file and the unitary change of spin basis to DeGrand-Rossi: {@code
 * g_data = S · g_DR · S†}.
 *
 * <p>All kernels work in the DeGrand-Rossi basis, where every product of gammas is a permutation
 * times a phase. Perambulators in another basis are rotated once, when they are loaded: {@code τ_DR
 * = S† τ_data S}. Traces do not change.
 *
 * <p>S exists and is unique up to a phase, because the algebra of four anticommuting matrices has
 * one irreducible representation. It is the average {@code Σ_A Γ^A_data X (Γ^A_DR)†} over the 16
 * products of gammas, which intertwines the two representations whatever X is (Schur's lemma); X
 * runs over the elementary matrices until the average is not small.
 */
public final class GammaBasis {
  /** Largest deviation of g1 … g4 from their relations, entry by entry. */
  public static final double TOLERANCE = 1e-12;

  /** The basis of the kernels. */
  public static final GammaBasis DEGRAND_ROSSI =
      new GammaBasis(
          List.of(
              SpinMatrix.deGrandRossi(1),
              SpinMatrix.deGrandRossi(2),
              SpinMatrix.deGrandRossi(3),
              SpinMatrix.deGrandRossi(4)),
          SpinMatrix.ONE);

  /** Charge conjugation: {@code C = g2 g4} in the basis of the data. */
  public static final Gamma C = Gamma.g(2).times(Gamma.G4);

  /** From the Dirac basis, in which plans of baryons count spins, to DeGrand-Rossi. */
  public static final SpinMatrix DIRAC = toDirac();

  private final List<SpinMatrix> gammas;
  private final SpinMatrix rotation;

  private GammaBasis(List<SpinMatrix> gammas, SpinMatrix rotation) {
    this.gammas = gammas;
    this.rotation = rotation;
  }

  /**
   * The basis with these g1 … g4.
   *
   * @throws IllegalArgumentException when one is not Hermitian, or two do not anticommute to 2δ,
   *     within {@link #TOLERANCE}; the message says which and by how much
   */
  public static GammaBasis of(List<SpinMatrix> gammas) {
    if (gammas.size() != SpinMatrix.SPINS) {
      throw new IllegalArgumentException("must be 4: gammas=" + gammas.size());
    }
    for (int mu = 0; mu < gammas.size(); mu++) {
      SpinMatrix g = gammas.get(mu);
      require(g.minus(g.adjoint()).largest(), "g" + (mu + 1) + " is not Hermitian");
      for (int nu = 0; nu <= mu; nu++) {
        SpinMatrix anticommutator = g.times(gammas.get(nu)).plus(gammas.get(nu).times(g));
        require(
            anticommutator.minus(SpinMatrix.ONE.times(mu == nu ? 2 : 0)).largest(),
            mu == nu
                ? "the square of g" + (mu + 1) + " is not 1"
                : "g" + (nu + 1) + " and g" + (mu + 1) + " do not anticommute");
      }
    }
    return new GammaBasis(List.copyOf(gammas), intertwiner(gammas));
  }

  private static void require(double deviation, String failure) {
    // Negated so that NaN is refused.
    if (!(deviation <= TOLERANCE)) {
      throw new IllegalArgumentException(
          failure + ": deviation " + deviation + " exceeds " + TOLERANCE);
    }
  }

  private static SpinMatrix intertwiner(List<SpinMatrix> gammas) {
    SpinMatrix best = SpinMatrix.ONE;
    double largest = 0;
    for (int entry = 0; entry < SpinMatrix.SPINS * SpinMatrix.SPINS; entry++) {
      double[] elementary = new double[2 * SpinMatrix.SPINS * SpinMatrix.SPINS];
      elementary[2 * entry] = 1;
      SpinMatrix x = SpinMatrix.of(elementary);
      SpinMatrix sum = SpinMatrix.ONE.times(0);
      for (int mask = 0; mask < 16; mask++) {
        SpinMatrix reference = SpinMatrix.deGrandRossi(new Gamma(mask, 1));
        sum = sum.plus(product(gammas, mask).times(x).times(reference.adjoint()));
      }
      // A later candidate must be larger by 10 %, so that rounding does not decide.
      if (sum.norm() > 1.1 * largest) {
        largest = sum.norm();
        best = sum;
      }
    }
    // A unitary 4 × 4 matrix has norm 2.
    return best.times(2 / largest);
  }

  private static SpinMatrix product(List<SpinMatrix> gammas, int mask) {
    SpinMatrix product = SpinMatrix.ONE;
    for (int mu = 0; mu < gammas.size(); mu++) {
      if ((mask >> mu & 1) != 0) {
        product = product.times(gammas.get(mu));
      }
    }
    return product;
  }

  /** A product of gammas in this basis, sign included. */
  public SpinMatrix matrix(Gamma gamma) {
    return product(gammas, gamma.mask()).times(gamma.sign());
  }

  /** S of {@code g_data = S · g_DR · S†}. */
  public SpinMatrix rotation() {
    return rotation;
  }

  /** Whether perambulators need no rotation. */
  public boolean isDeGrandRossi() {
    return this == DEGRAND_ROSSI;
  }

  private static SpinMatrix toDirac() {
    double[] values = new double[2 * SpinMatrix.SPINS * SpinMatrix.SPINS];
    for (int k = 0; k < SpinMatrix.SPINS * SpinMatrix.SPINS; k++) {
      values[2 * k] = SpinLegs.toDirac(k / SpinMatrix.SPINS, k % SpinMatrix.SPINS);
    }
    return SpinMatrix.of(values);
  }

  /**
   * Whether baryons of one component need plans for both: in this basis w(parity, component) has
   * more than one entry once it is rotated to the Dirac basis.
   */
  public boolean mixesComponents() {
    SpinMatrix dirac = rotation.times(DIRAC);
    for (int parity = -1; parity <= 1; parity += 2) {
      SpinMatrix w = SpinMatrix.ONE.plus(matrix(Gamma.G4).times(parity)).times(0.5).times(dirac);
      for (int component = 0; component < SpinMatrix.SPINS; component++) {
        int other = (parity > 0 ? 0 : 2) + 1 - component % 2;
        if (Math.hypot(w.re(component, other), w.im(component, other)) > TOLERANCE) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Checks {@code C g_μ C⁻¹ = -g_μᵀ}, which {@link #C} must fulfil for baryons.
   *
   * @return a description of what fails, or an empty text
   */
  String baryonFlaw() {
    SpinMatrix c = matrix(C);
    for (int mu = 1; mu <= SpinMatrix.SPINS; mu++) {
      SpinMatrix g = matrix(Gamma.g(mu));
      double deviation = c.times(g).plus(g.transposed().times(c)).largest();
      // Negated so that NaN is refused.
      if (!(deviation <= TOLERANCE)) {
        return "C g%s C⁻¹ differs from the negative transpose of g%s by %s"
            .formatted(mu, mu, deviation);
      }
    }
    return "";
  }

  /** Whether another basis has the same matrices within {@link #TOLERANCE}. */
  public boolean agreesWith(GammaBasis other) {
    for (int mu = 0; mu < gammas.size(); mu++) {
      if (gammas.get(mu).minus(other.gammas.get(mu)).largest() > TOLERANCE) {
        return false;
      }
    }
    return true;
  }
}
