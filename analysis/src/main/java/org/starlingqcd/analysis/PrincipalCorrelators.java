package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.correlators.InputException;

/**
 * The generalized eigenvalues λ_k(t, t0) of a correlation matrix, on the ensemble and on every
 * sample.
 *
 * @param correlator the matrix
 * @param t0 the separation of the metric
 * @param td the separation at which states are numbered by falling eigenvalue
 * @param values eigenvalues on the ensemble, then on every sample, [1 + samples][separation][state]
 * @param vectors eigenvectors on the ensemble, interleaved complex, [separation][state, operator]
 * @param amplitudes C(t0) v_k at td on the ensemble, then on every sample, interleaved complex
 *     [state, operator]; NaN where C(t0) is not positive definite
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record PrincipalCorrelators(
    ResampledCorrelator correlator,
    int t0,
    int td,
    double[][][] values,
    double[][] vectors,
    double[][] amplitudes) {
  /*
   * C(t) v_k = λ_k(t, t0) C(t0) v_k with v_k† C(t0) v_l = δ_kl; λ_k falls as exp(-E_k (t - t0)) up to higher
   * states (M. Lüscher, U. Wolff, Nucl. Phys. B 339 (1990) 222; B. Blossier et al., arXiv:0902.1265). The
   * Hermitian part of C is taken, which on average is all of it.
   *
   * Eigenvectors decide which eigenvalue belongs to which state, because eigenvalues cross. At the reference
   * separation td states are numbered by falling eigenvalue. At another t, eigenvectors are assigned one to one
   * so that the summed |overlap|² with those at td in the metric C(t0) is largest; on a sample likewise, with
   * the vectors of the ensemble at the same t. Phases make overlaps positive, at td the largest component.
   */

  /** With which vectors a state is followed from separation to separation. */
  public enum Vectors {
    /**
     * Those of every separation, matched to the ones at td by overlap (J. Dudek et al.,
     * arXiv:0707.4162).
     */
    EACH,
    /** Those at td at all separations; on every sample its own. */
    TD;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Solves the generalized eigenvalue problem at every separation.
   *
   * @param t0 the separation of the metric C(t0), one of the correlator's
   * @param td the separation at which states are numbered, one of the correlator's, after {@code
   *     t0}
   * @param kind whose vectors the values belong to
   * @throws InputException if C(t0) is not positive definite
   */
  public static PrincipalCorrelators of(
      ResampledCorrelator correlator, int t0, int td, Vectors kind) {
    int n = correlator.size();
    int times = correlator.separations().size();
    int index0 = correlator.separations().indexOf(t0);
    int indexD = correlator.separations().indexOf(td);
    Metric metric = Metric.of(correlator.matrix(0, index0), n);
    if (!metric.isPositive()) {
      throw InputException.of(
          "the correlation matrix at t0 = %d is not positive definite (%s): choose another t0, fewer"
              + " operators, or use more configurations",
          t0,
          Double.isNaN(metric.smallest())
              ? "a diagonal element is not positive"
              : String.format(
                  Locale.US, "smallest eigenvalue %.3g at unit diagonal", metric.smallest()));
    }
    HermitianEigen solvedAtTd = metric.solve(correlator.matrix(0, indexD));
    HermitianEigen reference =
        new HermitianEigen(solvedAtTd.values(), turnedToLargest(solvedAtTd.vectors(), n));
    double[][] vectors = new double[times][];
    double[][][] values = new double[correlator.all().length][times][];
    double[][] amplitudes = new double[values.length][];
    for (int s = 0; s < values.length; s++) {
      Metric own = s == 0 ? metric : Metric.of(correlator.matrix(s, index0), n);
      if (!own.isPositive()) {
        Arrays.setAll(values[s], t -> filled(n, Double.NaN));
        amplitudes[s] = filled(2 * n * n, Double.NaN);
        continue;
      }
      HermitianEigen atTd =
          s == 0
              ? reference
              : aligned(own.solve(correlator.matrix(s, indexD)), metric, reference.vectors());
      amplitudes[s] = own.times(atTd.vectors());
      for (int t = 0; t < times; t++) {
        double[] follow = s == 0 ? reference.vectors() : vectors[t];
        HermitianEigen solved =
            t == indexD
                ? atTd
                : kind == Vectors.TD
                    ? projected(correlator.matrix(s, t), atTd.vectors(), n)
                    : t == index0
                        ? new HermitianEigen(filled(n, 1), follow)
                        : aligned(own.solve(correlator.matrix(s, t)), metric, follow);
        values[s][t] = solved.values();
        vectors[t] = s == 0 ? solved.vectors() : vectors[t];
      }
    }
    return new PrincipalCorrelators(correlator, t0, td, values, vectors, amplitudes);
  }

  private static double[] filled(int size, double value) {
    double[] values = new double[size];
    Arrays.fill(values, value);
    return values;
  }

  /** Multiplies each row by the phase that makes its largest component real and positive. */
  private static double[] turnedToLargest(double[] rows, int n) {
    double[] turned = rows.clone();
    for (int k = 0; k < n; k++) {
      int largest = 0;
      for (int i = 1; i < n; i++) {
        // A later component must be larger by more than rounding, so that ties do not flip the
        // choice.
        if (modulus(rows, k * n + i) > (1 + 1e-9) * modulus(rows, k * n + largest)) {
          largest = i;
        }
      }
      turn(turned, k, n, rows[2 * (k * n + largest)], rows[2 * (k * n + largest) + 1]);
    }
    return turned;
  }

  private static double modulus(double[] rows, int index) {
    return Math.hypot(rows[2 * index], rows[2 * index + 1]);
  }

  /** Multiplies row k by conj(z)/|z|. */
  private static void turn(double[] rows, int k, int n, double re, double im) {
    double modulus = Math.hypot(re, im);
    if (modulus > 0) {
      for (int i = 0; i < n; i++) {
        int index = 2 * (k * n + i);
        double x = rows[index];
        double y = rows[index + 1];
        rows[index] = (x * re + y * im) / modulus;
        rows[index + 1] = (y * re - x * im) / modulus;
      }
    }
  }

  /** v_k† C(t) v_k with given vectors. */
  private static HermitianEigen projected(double[] matrix, double[] vectors, int n) {
    double[] diagonal = new double[n];
    for (int k = 0; k < n; k++) {
      double[] v = Arrays.copyOfRange(vectors, 2 * n * k, 2 * n * (k + 1));
      diagonal[k] = ResampledCorrelator.projected(matrix, v, v)[0];
    }
    return new HermitianEigen(diagonal, vectors);
  }

  /** States in the order and with the phases of reference vectors, which have the metric. */
  private static HermitianEigen aligned(HermitianEigen solved, Metric metric, double[] reference) {
    int n = metric.n();
    double[] overlaps = metric.overlaps(reference, solved.vectors());
    double[][] weights = new double[n][n];
    for (int k = 0; k < n * n; k++) {
      double modulus = modulus(overlaps, k);
      weights[k / n][k % n] = modulus * modulus;
    }
    int[] chosen = assigned(weights);
    double[] ordered = new double[n];
    double[] vectors = new double[2 * n * n];
    for (int k = 0; k < n; k++) {
      ordered[k] = solved.values()[chosen[k]];
      System.arraycopy(solved.vectors(), 2 * n * chosen[k], vectors, 2 * n * k, 2 * n);
      int overlap = 2 * (k * n + chosen[k]);
      turn(vectors, k, n, overlaps[overlap], overlaps[overlap + 1]);
    }
    return new HermitianEigen(ordered, vectors);
  }

  /*
   * The Hungarian method with potentials, row by row along shortest augmenting paths (H. W. Kuhn, Naval Res.
   * Logist. Quart. 2 (1955) 83; J. Munkres, J. SIAM 5 (1957) 32): O(n³). A greedy choice could leave two badly
   * fitting partners over for each other where states mix.
   */

  /**
   * The one-to-one assignment of columns to rows with the largest sum of weights.
   *
   * @param weights [n][n], finite
   * @return for every row its column
   */
  static int[] assigned(double[][] weights) {
    int n = weights.length;
    double[] rowPotential = new double[n + 1];
    double[] columnPotential = new double[n + 1];
    int[] rowOf = new int[n + 1];
    int[] previous = new int[n + 1];
    for (int row = 1; row <= n; row++) {
      rowOf[0] = row;
      int column = 0;
      double[] slack = new double[n + 1];
      Arrays.fill(slack, Double.POSITIVE_INFINITY);
      boolean[] reached = new boolean[n + 1];
      do {
        reached[column] = true;
        int from = rowOf[column];
        double step = Double.POSITIVE_INFINITY;
        int next = 0;
        for (int j = 1; j <= n; j++) {
          if (!reached[j]) {
            double cost = -weights[from - 1][j - 1] - rowPotential[from] - columnPotential[j];
            if (cost < slack[j]) {
              slack[j] = cost;
              previous[j] = column;
            }
            if (slack[j] < step) {
              step = slack[j];
              next = j;
            }
          }
        }
        for (int j = 0; j <= n; j++) {
          if (reached[j]) {
            rowPotential[rowOf[j]] += step;
            columnPotential[j] -= step;
          } else {
            slack[j] -= step;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      while (column != 0) {
        rowOf[column] = rowOf[previous[column]];
        column = previous[column];
      }
    }
    int[] columnOf = new int[n];
    for (int j = 1; j <= n; j++) {
      columnOf[rowOf[j] - 1] = j - 1;
    }
    return columnOf;
  }

  /**
   * |Z|, where Z = ⟨0|O_i|k⟩ = exp(E_k t0 / 2) Σ_j C_ij(t0) v_kj: the overlap of an operator with a
   * state of norm 1.
   *
   * @param energy of the state
   */
  Estimate overlap(Estimate energy, int state, int operator) {
    int at = 2 * (state * size() + operator);
    double[] all = new double[amplitudes.length];
    for (int s = 0; s < all.length; s++) {
      all[s] =
          Math.exp(0.5 * energy.at(s) * t0) * Math.hypot(amplitudes[s][at], amplitudes[s][at + 1]);
    }
    return Estimate.of(all, resampling(), "the state has no energy");
  }

  /** v_k on the ensemble, for files. */
  Table eigenvectors(List<String> operators) {
    Table table = new Table("gevp/eigenvectors", "", "separation state operator", Table.COMPLEX);
    int n = size();
    for (int at = 0; at < separations().size() * n * n; at++) {
      double[] all = vectors[at / (n * n)];
      int element = 2 * (at % (n * n));
      table.row(
          List.of(separations().get(at / (n * n)), at / n % n, operators.get(at % n)),
          all[element],
          all[element + 1]);
    }
    return table;
  }

  /** v_k at td on the ensemble, interleaved complex [operator]. */
  double[] vector(int state) {
    double[] rows = vectors[separations().indexOf(td)];
    return Arrays.copyOfRange(rows, 2 * size() * state, 2 * size() * (state + 1));
  }

  /** The energy ln(1/λ_k(td, t0)) / (td - t0). */
  Estimate energy(int state) {
    List<Integer> both = List.of(t0, td);
    return Curve.of("", both, t -> eigenvalue(separations().indexOf(both.get(t)), state))
        .masses(EffectiveMass.LOG, 0, resampling())
        .points()
        .get(0);
  }

  /** The eigenvalue λ_k at separation number t, 1 at t0. */
  public Estimate eigenvalue(int t, int state) {
    double[] all = Arrays.stream(values).mapToDouble(sample -> sample[t][state]).toArray();
    return Estimate.of(all, resampling(), "not computed");
  }

  /** The number of states, which is that of operators. */
  int size() {
    return correlator.size();
  }

  /** The separations. */
  List<Integer> separations() {
    return correlator.separations();
  }

  /** How samples were drawn. */
  Resampling resampling() {
    return correlator.resampling();
  }
}
