package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.baryon.SpinVectors;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Spin structures of baryons, {@code S[α,β,γ] = (CΓ)[α,β] · ½(1 ± g4)[c,γ]} with {@code C = g2 g4}
 * in the data's basis, expressed in the DeGrand-Rossi basis of the kernels, and the spin sums made
 * of them.
 *
 * <p>With {@code q_data = S q_DR} every index of S takes up a factor S, every index of S̄ its
 * conjugate.
 */
public final class BaryonSpin {
  private static final int SPINS = SpinMatrix.SPINS;
  private static final int ENTRIES = SPINS * SPINS * SPINS;

  /** Entries of a mapping below this fraction of the largest are zeros with rounding errors. */
  private static final double ROUNDING = 1e-14;

  private BaryonSpin() {}

  /** Between the Dirac basis of {@link PairSum} and the lines' DeGrand-Rossi basis. */
  static final PairContraction.Rotation ROTATION = rotation();

  private static PairContraction.Rotation rotation() {
    int lineSpins = SPINS * SPINS;
    double[] numbers = new double[lineSpins * lineSpins];
    for (int p = 0; p < lineSpins; p++) {
      for (int s = 0; s < lineSpins; s++) {
        numbers[lineSpins * p + s] =
            SpinLegs.toDirac(p / SPINS, s / SPINS) * SpinLegs.toDirac(p % SPINS, s % SPINS);
      }
    }
    return new PairContraction.Rotation(numbers);
  }

  /** Converts a sum to the form that the device takes. */
  static LinePairSum sum(PairSum spin) {
    int n = spin.entries().size();
    int[] first = new int[n];
    int[] second = new int[n];
    double[] factors = new double[2 * n];
    for (int e = 0; e < n; e++) {
      PairSum.Entry entry = spin.entries().get(e);
      first[e] = entry.first();
      second[e] = entry.second();
      factors[2 * e] = entry.factor().re();
      factors[2 * e + 1] = entry.factor().im();
    }
    return new LinePairSum(first, second, factors);
  }

  /**
   * A spin sum of a block.
   *
   * @param terms spin structures
   * @param components components of the block
   * @param spins what these are
   * @param symmetric whether spins of the two lines may be exchanged
   */
  record Sum(List<SpinTerm> terms, int components, List<PairSum> spins, boolean symmetric) {

    SpinSumMapping mapping(GammaBasis basis) {
      Map<Integer, Complex> sum = new TreeMap<>();
      addSpins(basis, sum);
      return BaryonSpin.mapping(components, sum);
    }

    /**
     * Adds the sums over two legs that the terms need, expressed in the sums that the block holds.
     * All terms are added for each pair of spins of the open legs first, because the plan may have
     * merged the sums of several terms.
     */
    private void addSpins(GammaBasis basis, Map<Integer, Complex> sum) {
      double[][] asked = new double[SPINS * SPINS][2 * SpinVectors.LENGTH];
      terms.forEach(term -> ask(term, basis, asked));
      PairSumSpan span = PairSumSpan.of(spins);
      for (int node = 0; node < asked.length; node++) {
        double[] coordinates = span.coordinates(asked[node]);
        for (int k = 0; k < spins.size(); k++) {
          Complex factor = new Complex(coordinates[2 * k], coordinates[2 * k + 1]);
          if (factor.abs() > 0) {
            sum.put(k * PairContraction.LINE_SPINS + node, factor);
          }
        }
      }
    }

    private void ask(SpinTerm term, GammaBasis basis, double[][] asked) {
      List<List<SpinLegs.Entry>> sinks = SpinLegs.needed(term.sink(), term.sinkLegs(), false);
      List<List<SpinLegs.Entry>> sources = SpinLegs.needed(term.source(), term.sourceLegs(), true);
      List<Complex[]> sinkSpins = openSpins(sinks, term.sink(), term.sinkLegs(), basis, false);
      List<Complex[]> sourceSpins =
          openSpins(sources, term.source(), term.sourceLegs(), basis, true);
      for (int s = 0; s < sinks.size(); s++) {
        for (int t = 0; t < sources.size(); t++) {
          PairSum.Scaled needed = PairSum.of(sinks.get(s), sources.get(t), symmetric);
          if (needed == null) {
            continue;
          }
          for (int a = 0; a < SPINS; a++) {
            for (int b = 0; b < SPINS; b++) {
              SpinVectors.add(
                  asked[SPINS * b + a],
                  needed.spin(),
                  sinkSpins
                      .get(s)[a]
                      .times(sourceSpins.get(t)[b])
                      .times(needed.factor())
                      .times(term.coefficient()));
            }
          }
        }
      }
    }
  }

  /**
   * For each sum over two legs, its factor for every spin of the open leg, in the DeGrand-Rossi
   * basis.
   */
  private static List<Complex[]> openSpins(
      List<List<SpinLegs.Entry>> needed,
      SpinStructure spin,
      Legs legs,
      GammaBasis basis,
      boolean adjoint) {
    Complex[] s = onEveryLeg(structure(spin, basis, adjoint), GammaBasis.DIRAC, false);
    List<Complex[]> result = new ArrayList<>();
    for (List<SpinLegs.Entry> sum : needed) {
      SpinLegs.Entry entry = sum.get(0);
      Complex[] open = new Complex[SPINS];
      for (int a = 0; a < SPINS; a++) {
        Complex value = Complex.ZERO;
        for (int d = 0; d < SPINS; d++) {
          int index =
              d << shift(legs.open())
                  | entry.first() << shift(legs.first())
                  | entry.second() << shift(legs.second());
          value = value.plus(s[index].times(SpinLegs.toDirac(a, d)));
        }
        // The factor of the entry has modulus one.
        open[a] = value.times(entry.factor().conjugate());
      }
      result.add(open);
    }
    return result;
  }

  private static int shift(int leg) {
    return 2 * (2 - leg);
  }

  /**
   * The entries {@code 16 · component + spin of the node}, without zeros that have rounding errors
   * only.
   */
  private static SpinSumMapping mapping(int components, Map<Integer, Complex> sum) {
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
      from[k] = kept.get(k) / PairContraction.LINE_SPINS;
      to[k] = kept.get(k) % PairContraction.LINE_SPINS;
      factors[2 * k] = factor.re();
      factors[2 * k + 1] = factor.im();
    }
    return new SpinSumMapping(components, from, to, factors);
  }

  /** Spin index of a leg in an entry {@code 16 α + 4 β + γ}. */
  private static int spin(int entry, int leg) {
    return entry >> (2 * (2 - leg)) & 3;
  }

  /** S, or S̄ for {@code adjoint}, in the DeGrand-Rossi basis, {@code [16 α + 4 β + γ]}. */
  static Complex[] structure(SpinStructure spin, GammaBasis basis, boolean adjoint) {
    SpinMatrix diquark = basis.matrix(GammaBasis.C.times(new Gamma(spin.diquarkMask(), 1)));
    Complex[] w = row(spin, basis);
    Complex[] s = new Complex[ENTRIES];
    for (int k = 0; k < ENTRIES; k++) {
      Complex value = diquark.at(spin(k, 0), spin(k, 1)).times(w[spin(k, 2)]);
      s[k] = adjoint ? value.conjugate() : value;
    }
    if (adjoint) {
      s = onEveryLeg(s, basis.matrix(Gamma.G4), false);
    }
    // S_DR[α'…] = Σ S[α…] U[α,α'] …, and the conjugate of U for S̄.
    return basis.isDeGrandRossi() ? s : onEveryLeg(s, basis.rotation().transposed(), adjoint);
  }

  /**
   * w in the data's basis: row {@code component} of ½(1 ± g4), or that row in the DeGrand-Rossi
   * basis taken to the data's, {@code w'[γ'] = Σ_γ T[γ',γ] w[γ]}.
   */
  private static Complex[] row(SpinStructure spin, GammaBasis basis) {
    GammaBasis counted = spin.deGrandRossi() ? GammaBasis.DEGRAND_ROSSI : basis;
    SpinMatrix projector =
        SpinMatrix.ONE.plus(counted.matrix(Gamma.G4).times(spin.parity())).times(0.5);
    Complex[] row = new Complex[SPINS];
    for (int c = 0; c < SPINS; c++) {
      row[c] = projector.at(spin.component() - 1, c);
    }
    if (!spin.deGrandRossi() || basis.isDeGrandRossi()) {
      return row;
    }
    Complex phase = phase(basis.rotation());
    Complex[] rotated = new Complex[SPINS];
    for (int c = 0; c < SPINS; c++) {
      Complex sum = Complex.ZERO;
      for (int d = 0; d < SPINS; d++) {
        sum = sum.plus(basis.rotation().at(c, d).times(row[d]));
      }
      rotated[c] = sum.times(phase.conjugate());
    }
    return rotated;
  }

  /** The phase between the rotation of a basis with the right C and a real matrix. */
  private static Complex phase(SpinMatrix rotation) {
    Complex largest = Complex.ZERO;
    for (int k = 0; k < SPINS * SPINS; k++) {
      Complex entry = rotation.at(k / SPINS, k % SPINS);
      // A later entry must be larger by 10 %, so that rounding does not decide.
      if (entry.abs() > 1.1 * largest.abs()) {
        largest = entry;
      }
    }
    return largest.times(1 / largest.abs());
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
          Complex factor = m.at(spin(k, leg), a);
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
}
