package org.starlingqcd.hadron;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.BaryonPart.Legs;
import org.starlingqcd.graph.BaryonPart.SpinStructure;
import org.starlingqcd.graph.BaryonPart.SpinTerm;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;

/**
 * Spin structures of baryons, {@code S[α,β,γ] = (CΓ)[α,β] · ½(1 ± g4)[c,γ]} with {@code C = g2 g4}
 * in the data's basis, expressed in the DeGrand-Rossi basis of the kernels, and the spin sums made
 * of them.
 *
 * <p>With {@code q_data = S q_DR} every index of S takes up a factor S, every index of S̄ its
 * conjugate.
 */
final class BaryonSpin {
  private static final int SPINS = SpinMatrix.SPINS;
  private static final int ENTRIES = SPINS * SPINS * SPINS;
  private static final Gamma C = Gamma.g(2).times(Gamma.G4);

  /** Entries of a mapping below this fraction of the largest are what rounding left of zeros. */
  private static final double ROUNDING = 1e-14;

  private BaryonSpin() {}

  /**
   * Checks {@code C g_μ C⁻¹ = -g_μᵀ}, on which the meaning of C rests.
   *
   * @return what fails, or an empty text
   */
  static String flaw(GammaBasis basis) {
    SpinMatrix c = basis.matrix(C);
    for (int mu = 1; mu <= SPINS; mu++) {
      SpinMatrix g = basis.matrix(Gamma.g(mu));
      double deviation = c.times(g).plus(transposed(g).times(c)).largest();
      // Negated so that NaN is refused.
      if (!(deviation <= GammaBasis.TOLERANCE)) {
        return "C g"
            + mu
            + " C⁻¹ differs from the negative transpose of g"
            + mu
            + " by "
            + deviation;
      }
    }
    return "";
  }

  private static SpinMatrix transposed(SpinMatrix m) {
    double[] values = new double[2 * SPINS * SPINS];
    for (int row = 0; row < SPINS; row++) {
      for (int column = 0; column < SPINS; column++) {
        values[2 * (SPINS * column + row)] = m.re(row, column);
        values[2 * (SPINS * column + row) + 1] = m.im(row, column);
      }
    }
    return SpinMatrix.of(values);
  }

  /**
   * The mapping of a spin sum.
   *
   * @param symmetric whether the block holds components with first {@code <=} second only
   */
  static SpinSumMapping mapping(List<SpinTerm> terms, boolean symmetric, GammaBasis basis) {
    Map<Integer, Complex> sum = new TreeMap<>();
    for (SpinTerm term : terms) {
      Complex[] sink = structure(term.sink(), basis, false);
      Complex[] source = structure(term.source(), basis, true);
      for (int a = 0; a < ENTRIES; a++) {
        for (int b = 0; b < ENTRIES; b++) {
          Complex factor = sink[a].times(source[b]).times(term.coefficient());
          if (factor.abs() > 0) {
            sum.merge(
                entry(a, term.sinkLegs(), b, term.sourceLegs(), symmetric), factor, Complex::plus);
          }
        }
      }
    }
    double largest = sum.values().stream().mapToDouble(Complex::abs).max().orElse(0);
    List<Integer> kept = new ArrayList<>();
    sum.forEach(
        (entry, factor) -> {
          if (factor.abs() > ROUNDING * largest) {
            kept.add(entry);
          }
        });
    int[] from = new int[kept.size()];
    int[] to = new int[kept.size()];
    double[] factors = new double[2 * kept.size()];
    for (int k = 0; k < from.length; k++) {
      Complex factor = sum.getOrDefault(kept.get(k), Complex.ZERO);
      from[k] = kept.get(k) / DiquarkContraction.LINE_SPINS;
      to[k] = kept.get(k) % DiquarkContraction.LINE_SPINS;
      factors[2 * k] = factor.re();
      factors[2 * k + 1] = factor.im();
    }
    return new SpinSumMapping(from, to, factors);
  }

  /** Component of the block and of the node as one number, {@code 16 · block + node}. */
  private static int entry(int a, Legs sinkLegs, int b, Legs sourceLegs, boolean symmetric) {
    int first = SPINS * spin(a, sinkLegs.first()) + spin(b, sourceLegs.first());
    int second = SPINS * spin(a, sinkLegs.second()) + spin(b, sourceLegs.second());
    if (symmetric && first > second) {
      int swap = first;
      first = second;
      second = swap;
    }
    int node = SPINS * spin(b, sourceLegs.open()) + spin(a, sinkLegs.open());
    return (DiquarkContraction.LINE_SPINS * first + second) * DiquarkContraction.LINE_SPINS + node;
  }

  /** Spin index of a leg in an entry {@code 16 α + 4 β + γ}. */
  private static int spin(int entry, int leg) {
    return entry >> (2 * (2 - leg)) & 3;
  }

  /** S, or S̄ for {@code adjoint}, in the DeGrand-Rossi basis, {@code [16 α + 4 β + γ]}. */
  static Complex[] structure(SpinStructure spin, GammaBasis basis, boolean adjoint) {
    SpinMatrix diquark = basis.matrix(C.times(new Gamma(spin.diquarkMask(), 1)));
    SpinMatrix projector =
        SpinMatrix.ONE.plus(basis.matrix(Gamma.G4).times(spin.parity())).times(0.5);
    Complex[] s = new Complex[ENTRIES];
    for (int k = 0; k < ENTRIES; k++) {
      Complex value =
          at(diquark, spin(k, 0), spin(k, 1))
              .times(at(projector, spin.component() - 1, spin(k, 2)));
      s[k] = adjoint ? value.conjugate() : value;
    }
    if (adjoint) {
      s = onEveryLeg(s, basis.matrix(Gamma.G4), false);
    }
    // S_DR[α'…] = Σ S[α…] U[α,α'] …, and the conjugate of U for S̄.
    return basis.isDeGrandRossi() ? s : onEveryLeg(s, transposed(basis.rotation()), adjoint);
  }

  /** Multiplies every index by a matrix: {@code result[α…] = Σ m[α,α'] … s[α'…]}. */
  private static Complex[] onEveryLeg(Complex[] s, SpinMatrix m, boolean conjugate) {
    Complex[] result = s;
    for (int leg = 0; leg < 3; leg++) {
      int shift = 2 * (2 - leg);
      Complex[] next = new Complex[ENTRIES];
      for (int k = 0; k < ENTRIES; k++) {
        Complex sum = Complex.ZERO;
        for (int a = 0; a < SPINS; a++) {
          Complex factor = at(m, spin(k, leg), a);
          sum =
              sum.plus(
                  (conjugate ? factor.conjugate() : factor)
                      .times(result[(k & ~(3 << shift)) | a << shift]));
        }
        next[k] = sum;
      }
      result = next;
    }
    return result;
  }

  private static Complex at(SpinMatrix m, int row, int column) {
    return new Complex(m.re(row, column), m.im(row, column));
  }
}
