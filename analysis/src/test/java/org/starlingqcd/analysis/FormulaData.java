package org.starlingqcd.analysis;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Complex;

/**
 * A correlation matrix with one-point functions by formula: two states of masses 0.4 and 0.9 seen
 * by two operators, plus deterministic noise. The constants in the tests were computed from the
 * same formula by numpy:
 *
 * <pre>{@code
 * import numpy as np
 * T, n, seps, cfgs = 6, 2, [0, 1, 2, 4], 5
 * def noise(*k): return np.sin(sum((3.7 + 2.3*a)*(b + 1) for a, b in enumerate(k)))
 * def C(c, s, d, i, j):
 *     z = [[1, 0.3 + 0.2j], [0.4 - 0.1j, 1]]
 *     m = [0.4, 0.9]
 *     v = sum(z[k][i]*np.conj(z[k][j])*np.exp(-m[k]*seps[d]) for k in range(2))
 *     return (v + 0.01*noise(c, s, d, i, j) + 0.01j*noise(j, c, i, s, d)
 *             + V(c, (s + seps[d]) % T, i)*np.conj(V(c, s, j)))
 * def V(c, t, i): return 0.5 + 0.1*noise(c, t, i) + 0.1j*noise(i, c, t)
 * src = [1, 4]
 * data = np.array([[[[[C(c,s,d,i,j) for j in range(n)] for i in range(n)] for d in range(4)]
 *                   for s in src] for c in range(cfgs)])
 * onePoint = np.array([[[V(c,t,i) for i in range(n)] for t in range(T)] for c in range(cfgs)])
 * def connected(w):
 *     w = np.array(w)/np.sum(w)
 *     c = np.einsum('c,csdij->sdij', w, data); v = np.einsum('c,cti->ti', w, onePoint)
 *     return np.mean([[c[a,d] - np.outer(v[(s+seps[d])%T], v[s].conj()) for d in range(4)]
 *                     for a, s in enumerate(src)], axis=0)
 * def gevp(M, t0=1, td=2):
 *     H = lambda A: (A + A.conj().T)/2
 *     Li = np.linalg.inv(np.linalg.cholesky(H(M[t0])))
 *     out = []
 *     for t in range(4):
 *         w, u = np.linalg.eigh(Li @ H(M[t]) @ Li.conj().T)
 *         out.append((w[::-1], (Li.conj().T @ u)[:, ::-1]))
 *     lam = []
 *     for t in range(4):
 *         o = np.abs(out[td][1].conj().T @ H(M[t0]) @ out[t][1])**2
 *         lam.append(out[t][0][::-1] if o[0,0] + o[1,1] < o[0,1] + o[1,0] else out[t][0])
 *     lam[t0] = np.ones(2)
 *     return np.array(lam)
 * jack = [connected([0 if c == k else 1 for c in range(5)]) for k in range(5)]
 * err = lambda x: np.sqrt((len(x)-1)/len(x)*np.sum((np.array(x) - np.mean(x, axis=0))**2, axis=0))
 * }</pre>
 */
public final class FormulaData {
  static final int EXTENT = 6;
  static final int CONFIGURATIONS = 5;
  static final List<Integer> SEPARATIONS = List.of(0, 1, 2, 4);
  static final List<Integer> SOURCES = List.of(1, 4);

  /** Jackknife over single configurations, log masses, no eigenvalue problem. */
  static final AnalysisSettings OPTIONS = new AnalysisSettings();

  private FormulaData() {}

  static CorrelatorData data() {
    return data(
        IntStream.range(0, CONFIGURATIONS).mapToObj(c -> configuration(c, SOURCES)).toList());
  }

  static CorrelatorData data(List<CorrelatorData.Configuration> configurations) {
    return data("formula", List.of("a", "b"), OptionalInt.of(EXTENT), configurations);
  }

  /** The same numbers with other names. */
  static CorrelatorData data(String name, List<String> operators, OptionalInt extent) {
    return data(name, operators, extent, data().configurations());
  }

  private static CorrelatorData data(
      String name,
      List<String> operators,
      OptionalInt extent,
      List<CorrelatorData.Configuration> configurations) {
    return data(name, "ensemble", operators, SEPARATIONS, extent, configurations);
  }

  /** Data of whose operators nothing is known. */
  public static CorrelatorData data(
      String name,
      String ensemble,
      List<String> operators,
      List<Integer> separations,
      OptionalInt extent,
      List<CorrelatorData.Configuration> configurations) {
    List<Integer> signs = Collections.nCopies(operators.size(), 0);
    return new CorrelatorData(
        name, ensemble, operators, signs, separations, extent, false, configurations);
  }

  /** A configuration of one source without one-point functions. */
  static CorrelatorData.Configuration configuration(int number, double... sum) {
    return new CorrelatorData.Configuration(number, List.of(0), sum, List.of(), new double[0]);
  }

  static CorrelatorData.Configuration configuration(int c, List<Integer> sources) {
    double[] sum = new double[2 * SEPARATIONS.size() * 4];
    for (int source : sources) {
      for (int k = 0; k < sum.length; k += 2) {
        Complex value = correlator(c, source, k / 8, k / 4 % 2, k / 2 % 2);
        sum[k] += value.re();
        sum[k + 1] += value.im();
      }
    }
    double[] onePoint = new double[2 * EXTENT * 2];
    for (int k = 0; k < onePoint.length; k += 2) {
      Complex value = onePoint(c, k / 4, k / 2 % 2);
      onePoint[k] = value.re();
      onePoint[k + 1] = value.im();
    }
    List<Integer> times = IntStream.range(0, EXTENT).boxed().toList();
    return new CorrelatorData.Configuration(c + 1, sources, sum, times, onePoint);
  }

  static Complex correlator(int c, int source, int d, int i, int j) {
    Complex[][] z = {
      {Complex.ONE, new Complex(0.3, 0.2)}, {new Complex(0.4, -0.1), Complex.ONE},
    };
    double[] masses = {0.4, 0.9};
    Complex value = new Complex(0.01 * noise(c, source, d, i, j), 0.01 * noise(j, c, i, source, d));
    for (int k = 0; k < 2; k++) {
      double decay = Math.exp(-masses[k] * SEPARATIONS.get(d));
      value = value.plus(z[k][i].times(z[k][j].conjugate()).times(decay));
    }
    int sink = (source + SEPARATIONS.get(d)) % EXTENT;
    return value.plus(onePoint(c, sink, i).times(onePoint(c, source, j).conjugate()));
  }

  static Complex onePoint(int c, int t, int i) {
    return new Complex(0.5 + 0.1 * noise(c, t, i), 0.1 * noise(i, c, t));
  }

  private static double noise(int... numbers) {
    double phase = 0;
    for (int a = 0; a < numbers.length; a++) {
      phase += (3.7 + 2.3 * a) * (numbers[a] + 1);
    }
    return Math.sin(phase);
  }
}
