package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A gamma structure of spin 0 or 1 coupled with one or two derivatives, {@code (Γ × D^[n]_{J_D})^J}
 * subduced to an irrep of the cubic group: the operators of Dudek et al., arXiv:1004.4930, with
 * phases chosen so that all coefficients are real.
 *
 * <p>The derivatives have spin J_D, they and Γ together J. Rows are those of {@code A1 … T2} at
 * rest. Each row is normalized to {@code Σ coefficient² = 1}.
 *
 * @param gammaSpin spin of Γ, 0 or 1
 * @param derivatives number of derivatives, 1 or 2
 * @param derivativeSpin J_D: 1 for one derivative, 0 … 2 for two
 * @param spin J
 * @param irrep {@code A1 A2 E T1 T2}, without parity
 */
record DerivativeCoupling(
    int gammaSpin, int derivatives, int derivativeSpin, int spin, String irrep) {
  /** Smaller coefficients are rounding errors of a sum that vanishes. */
  private static final double ZERO = 1e-12;

  private static final int AXES = 3;

  /**
   * A summand of a row.
   *
   * @param coefficient its weight
   * @param gamma axis 0, 1, 2 of Γ; 0 for spin 0
   * @param derivatives axes of the derivatives, the left factor first
   */
  record Summand(double coefficient, int gamma, List<Integer> derivatives) {}

  /** The values of J_D for a number of derivatives. */
  static List<Integer> derivativeSpins(int derivatives) {
    return derivatives == 1 ? List.of(1) : List.of(0, 1, 2);
  }

  /** Values of J that Γ and derivatives of these spins couple to. */
  static List<Integer> spins(int gammaSpin, int derivativeSpin) {
    List<Integer> spins = new ArrayList<>();
    for (int j = Math.abs(derivativeSpin - gammaSpin); j <= derivativeSpin + gammaSpin; j++) {
      spins.add(j);
    }
    return spins;
  }

  /** Irreps that a spin up to 3 contains, each once. */
  static List<String> irreps(int spin) {
    return switch (spin) {
      case 0 -> List.of("A1");
      case 1 -> List.of("T1");
      case 2 -> List.of("T2", "E");
      case 3 -> List.of("A2", "T1", "T2");
      default -> throw new IllegalArgumentException("must be >= 0 && <= 3: spin=" + spin);
    };
  }

  /** Checks that the coupling exists. */
  DerivativeCoupling {
    if (!derivativeSpins(derivatives).contains(derivativeSpin)
        || !spins(gammaSpin, derivativeSpin).contains(spin)
        || !irreps(spin).contains(irrep)) {
      throw new IllegalArgumentException(
          "no such coupling: gammaSpin="
              + gammaSpin
              + " derivatives="
              + derivatives
              + " derivativeSpin="
              + derivativeSpin
              + " spin="
              + spin
              + " irrep="
              + irrep);
    }
  }

  /** The rows of the irrep, each a sum over gammas and ordered products of derivatives. */
  List<List<Summand>> rows() {
    Polynomial[] d = new Polynomial[AXES];
    Polynomial[] v = new Polynomial[AXES];
    for (int k = 0; k < AXES; k++) {
      d[k] = Polynomial.of(0, List.of(k));
      v[k] = Polynomial.of(k, List.of());
    }
    List<Polynomial> rows;
    if (derivatives == 1) {
      rows = gammaSpin == 0 ? List.of(d) : vectors(v, d, spin, irrep);
    } else if (gammaSpin == 0) {
      rows = vectors(d, d, spin, irrep);
    } else {
      rows = vectorAndTwoDerivatives(v, d);
    }
    return rows.stream().map(Polynomial::normalized).toList();
  }

  private List<Polynomial> vectorAndTwoDerivatives(Polynomial[] v, Polynomial[] d) {
    Polynomial square = vectors(d, d, 0, "A1").get(0);
    return switch (derivativeSpin) {
      case 0 -> rows(k -> v[k].times(square));
      case 1 -> vectors(v, vectors(d, d, 1, "T1").toArray(Polynomial[]::new), spin, irrep);
      default -> vectorAndTensor(v, traceless(d), irrep);
    };
  }

  /** Q_ij = ½ (D_iD_j + D_jD_i) - ⅓ δ_ij D·D. */
  private static Polynomial[][] traceless(Polynomial[] d) {
    Polynomial square = dot(d, d);
    Polynomial[][] q = new Polynomial[AXES][AXES];
    for (int i = 0; i < AXES; i++) {
      for (int j = 0; j < AXES; j++) {
        q[i][j] = d[i].times(d[j]).plus(1, d[j].times(d[i])).scaled(0.5);
        if (i == j) {
          q[i][j] = q[i][j].plus(-1.0 / 3, square);
        }
      }
    }
    return q;
  }

  /** A vector and a traceless symmetric tensor coupled to J = 1, 2, 3. */
  private List<Polynomial> vectorAndTensor(Polynomial[] v, Polynomial[][] q, String name) {
    Polynomial[] w = new Polynomial[AXES];
    for (int k = 0; k < AXES; k++) {
      w[k] = dot(v, q[k]);
    }
    return switch (spin) {
      case 1 -> List.of(w);
      case 2 -> {
        Polynomial[][] a = new Polynomial[AXES][AXES];
        for (int i = 0; i < AXES; i++) {
          for (int j = 0; j < AXES; j++) {
            a[i][j] = cross(v, q, i, j).plus(1, cross(v, q, j, i)).scaled(0.5);
          }
        }
        yield name.equals("T2") ? rows(k -> a[next(k)][last(k)]) : pair(a);
      }
      default ->
          switch (name) {
            case "A2" -> List.of(rankThree(v, q, w, 0, 1, 2));
            case "T1" -> rows(k -> rankThree(v, q, w, k, k, k));
            default ->
                rows(
                    k ->
                        rankThree(v, q, w, k, next(k), next(k))
                            .plus(-1, rankThree(v, q, w, k, last(k), last(k))));
          };
    };
  }

  /** Σ_kl ε_ikl V_k Q_lj. */
  private static Polynomial cross(Polynomial[] v, Polynomial[][] q, int i, int j) {
    return v[next(i)].times(q[last(i)][j]).plus(-1, v[last(i)].times(q[next(i)][j]));
  }

  /** F_ijk, totally symmetric and traceless; w_k = Σ_j V_j Q_jk. */
  private static Polynomial rankThree(
      Polynomial[] v, Polynomial[][] q, Polynomial[] w, int i, int j, int k) {
    Polynomial f = v[i].times(q[j][k]).plus(1, v[j].times(q[k][i])).plus(1, v[k].times(q[i][j]));
    Polynomial trace = Polynomial.NONE;
    trace = i == j ? trace.plus(1, w[k]) : trace;
    trace = j == k ? trace.plus(1, w[i]) : trace;
    trace = k == i ? trace.plus(1, w[j]) : trace;
    return f.scaled(1.0 / 3).plus(-2.0 / 15, trace);
  }

  /** Two vectors coupled to spin 0, 1 or 2. */
  private static List<Polynomial> vectors(Polynomial[] v, Polynomial[] w, int spin, String irrep) {
    return switch (spin) {
      case 0 -> List.of(dot(v, w));
      case 1 -> rows(k -> v[next(k)].times(w[last(k)]).plus(-1, v[last(k)].times(w[next(k)])));
      default -> {
        if (irrep.equals("T2")) {
          yield rows(k -> v[next(k)].times(w[last(k)]).plus(1, v[last(k)].times(w[next(k)])));
        }
        Polynomial[][] a = new Polynomial[AXES][AXES];
        for (int k = 0; k < AXES; k++) {
          a[k][k] = v[k].times(w[k]);
        }
        yield pair(a);
      }
    };
  }

  /** Rows 1, 2 of E from the diagonal of a tensor. */
  private static List<Polynomial> pair(Polynomial[][] a) {
    return List.of(
        a[2][2].scaled(2).plus(-1, a[0][0]).plus(-1, a[1][1]), a[0][0].plus(-1, a[1][1]));
  }

  private static Polynomial dot(Polynomial[] v, Polynomial[] w) {
    return v[0].times(w[0]).plus(1, v[1].times(w[1])).plus(1, v[2].times(w[2]));
  }

  private interface Row {
    Polynomial at(int k);
  }

  private static List<Polynomial> rows(Row row) {
    return List.of(row.at(0), row.at(1), row.at(2));
  }

  /** With k, the two others in cyclic order. */
  private static int next(int k) {
    return (k + 1) % AXES;
  }

  private static int last(int k) {
    return (k + 2) % AXES;
  }

  /**
   * A real polynomial, linear in Γ_0 … Γ_2 where they occur, in derivatives that do not commute. At
   * most one of two factors has a Γ, so the axis of the product is the sum of both axes;
   * polynomials without Γ have axis 0.
   */
  private record Polynomial(Map<Monomial, Double> terms) {
    static final Polynomial NONE = new Polynomial(Map.of());

    private record Monomial(int gamma, List<Integer> derivatives) implements Comparable<Monomial> {
      @Override
      public int compareTo(Monomial other) {
        int c = Integer.compare(gamma, other.gamma);
        for (int k = 0; c == 0 && k < derivatives.size(); k++) {
          c = Integer.compare(derivatives.get(k), other.derivatives.get(k));
        }
        return c;
      }
    }

    static Polynomial of(int gamma, List<Integer> derivatives) {
      return new Polynomial(Map.of(new Monomial(gamma, derivatives), 1.0));
    }

    Polynomial plus(double factor, Polynomial other) {
      Map<Monomial, Double> sum = new TreeMap<>(terms);
      other.terms.forEach((monomial, c) -> sum.merge(monomial, factor * c, Double::sum));
      return new Polynomial(sum);
    }

    Polynomial scaled(double factor) {
      return NONE.plus(factor, this);
    }

    Polynomial times(Polynomial other) {
      Map<Monomial, Double> product = new TreeMap<>();
      terms.forEach(
          (a, c) ->
              other.terms.forEach(
                  (b, d) -> {
                    List<Integer> derivatives = new ArrayList<>(a.derivatives);
                    derivatives.addAll(b.derivatives);
                    product.merge(
                        new Monomial(a.gamma + b.gamma, List.copyOf(derivatives)),
                        c * d,
                        Double::sum);
                  }));
      return new Polynomial(product);
    }

    List<Summand> normalized() {
      double square = terms.values().stream().mapToDouble(c -> c * c).sum();
      List<Summand> summands = new ArrayList<>();
      new TreeMap<>(terms)
          .forEach(
              (monomial, c) -> {
                if (Math.abs(Objects.requireNonNull(c)) > ZERO) {
                  summands.add(
                      new Summand(
                          Math.signum(c) * Math.sqrt(c * c / square),
                          monomial.gamma,
                          monomial.derivatives));
                }
              });
      return summands;
    }
  }
}
