package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * The generalized eigenvalues λ_k(t, t0) of a correlation matrix, on the ensemble and on every
 * sample.
 *
 * @param size the number of states, which is that of operators
 * @param t0 the separation of the metric
 * @param td the separation at which states are numbered by falling eigenvalue
 * @param separations the separations
 * @param resampling how samples were drawn
 * @param values eigenvalues on the ensemble, [separation][state]
 * @param vectors eigenvectors on the ensemble, interleaved complex, [separation][state, operator]
 * @param samples eigenvalues on the samples, [sample][separation][state]
 * @param amplitudes C(t0) v_k at td on the ensemble, then on every sample, interleaved complex
 *     [state, operator]; NaN where C(t0) is not positive definite
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record PrincipalCorrelators(
    int size,
    int t0,
    int td,
    List<Integer> separations,
    Resampling resampling,
    double[][] values,
    double[][] vectors,
    double[][][] samples,
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
    boolean fixed = kind == Vectors.TD;
    int index0 = correlator.separations().indexOf(t0);
    int indexD = correlator.separations().indexOf(td);
    Problem problem = new Problem(correlator, index0);
    Metric metric = problem.metric(correlator.mean());
    if (metric == null) {
      double smallest =
          Metric.smallestEigenvalue(
              correlator.matrix(correlator.mean(), index0), correlator.size());
      throw InputException.of(
          "the correlation matrix at t0 = %d is not positive definite (%s): choose another t0, fewer"
              + " operators, or use more configurations",
          t0,
          Double.isNaN(smallest)
              ? "a diagonal element is not positive"
              : String.format(Locale.ROOT, "smallest eigenvalue %.3g at unit diagonal", smallest));
    }
    double[][] values = new double[correlator.separations().size()][];
    double[][] vectors = new double[values.length][];
    HermitianEigen atReference = metric.solve(correlator.matrix(correlator.mean(), indexD));
    double[] reference = turnedToLargest(atReference.vectors(), correlator.size());
    for (int t = 0; t < values.length; t++) {
      HermitianEigen solved =
          t == indexD
              ? new HermitianEigen(atReference.values(), reference)
              : fixed
                  ? problem.project(correlator.mean(), t, reference)
                  : problem.solveAligned(metric, correlator.mean(), t, metric, reference);
      values[t] = solved.values();
      vectors[t] = solved.vectors();
    }
    double[][] amplitudes = new double[1 + correlator.resampling().samples()][];
    amplitudes[0] = problem.amplitudes(correlator.mean(), reference);
    double[][][] samples = new double[correlator.resampling().samples()][values.length][];
    for (int s = 0; s < samples.length; s++) {
      double[] sample = correlator.samples()[s];
      Metric sampleMetric = problem.metric(sample);
      double[] own =
          sampleMetric != null
              ? problem.solveAligned(sampleMetric, sample, indexD, metric, reference).vectors()
              : filled(2 * correlator.size() * correlator.size(), Double.NaN);
      amplitudes[1 + s] = problem.amplitudes(sample, own);
      for (int t = 0; t < values.length; t++) {
        samples[s][t] =
            sampleMetric == null
                ? filled(correlator.size(), Double.NaN)
                : fixed
                    ? problem.project(sample, t, own).values()
                    : problem.solveAligned(sampleMetric, sample, t, metric, vectors[t]).values();
      }
    }
    return new PrincipalCorrelators(
        correlator.size(),
        t0,
        td,
        correlator.separations(),
        correlator.resampling(),
        values,
        vectors,
        samples,
        amplitudes);
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

  /** The eigenvalue problem of one correlation matrix at any separation. */
  private record Problem(ResampledCorrelator correlator, int index0) {

    @Nullable Metric metric(double[] values) {
      return Metric.of(correlator.matrix(values, index0), correlator.size());
    }

    /** v_k† C(t) v_k with given vectors. */
    HermitianEigen project(double[] values, int t, double[] vectors) {
      int n = correlator.size();
      double[] diagonal = new double[n];
      for (int k = 0; k < n; k++) {
        double[] v = Arrays.copyOfRange(vectors, 2 * n * k, 2 * n * (k + 1));
        diagonal[k] = CurrentAverages.projected(correlator.matrix(values, t), v, v)[0];
      }
      return new HermitianEigen(diagonal, vectors);
    }

    /** C(t0) v_k, with the Hermitian part of C. */
    double[] amplitudes(double[] values, double[] vectors) {
      int n = correlator.size();
      double[] metric = HermitianEigen.hermitianPart(correlator.matrix(values, index0), n);
      double[] result = new double[vectors.length];
      for (int at = 0; at < n * n * n; at++) {
        int c = 2 * (at / n % n * n + at % n);
        int v = 2 * (at / (n * n) * n + at % n);
        result[2 * (at / n)] += metric[c] * vectors[v] - metric[c + 1] * vectors[v + 1];
        result[2 * (at / n) + 1] += metric[c] * vectors[v + 1] + metric[c + 1] * vectors[v];
      }
      return result;
    }

    /**
     * Solves at separation number t; order and phases of the states follow the reference vectors.
     */
    HermitianEigen solveAligned(
        Metric metric, double[] values, int t, Metric referenceMetric, double[] reference) {
      int n = correlator.size();
      if (t == index0) {
        return new HermitianEigen(filled(n, 1), reference);
      }
      HermitianEigen solved = metric.solve(correlator.matrix(values, t));
      double[] overlaps = referenceMetric.overlaps(reference, solved.vectors());
      double[][] weights = new double[n][n];
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
          double modulus = modulus(overlaps, k * n + l);
          weights[k][l] = modulus * modulus;
        }
      }
      int[] chosen = Assignment.ofLargestSum(weights);
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
  }

  /**
   * |Z|, where Z = ⟨0|O_i|k⟩ = exp(E_k t0 / 2) Σ_j C_ij(t0) v_kj: the overlap of an operator with a
   * state of norm 1.
   *
   * @param energy of the state
   */
  Estimate overlap(Estimate energy, int state, int operator) {
    int at = 2 * (state * size + operator);
    double[] all = new double[amplitudes.length];
    for (int s = 0; s < all.length; s++) {
      double e = s == 0 ? energy.value() : energy.samples()[s - 1];
      all[s] = Math.exp(0.5 * e * t0) * Math.hypot(amplitudes[s][at], amplitudes[s][at + 1]);
    }
    return Estimate.of(all, resampling, "the state has no energy");
  }

  /** v_k on the ensemble, for files. */
  Table eigenvectors(List<String> operators) {
    List<String> keys = List.of(Table.SEPARATION, Table.STATE, Table.OPERATOR);
    Table table = new Table("gevp/eigenvectors", "", 0, keys, Table.COMPLEX);
    for (int at = 0; at < separations.size() * size * size; at++) {
      int element = 2 * (at % (size * size));
      double[] all = vectors[at / (size * size)];
      table.row(
          List.of(separations.get(at / (size * size)), at / size % size, operators.get(at % size)),
          all[element],
          all[element + 1]);
    }
    return table;
  }

  /** The energy ln(1/λ_k(td, t0)) / (td - t0). */
  Estimate energy(int state) {
    List<Integer> both = List.of(t0, td);
    return Curve.of("", both, t -> eigenvalue(separations.indexOf(both.get(t)), state))
        .masses(EffectiveMass.LOG, 0, resampling)
        .points()
        .get(0);
  }

  /** The eigenvalue λ_k at separation number t, 1 at t0. */
  public Estimate eigenvalue(int t, int state) {
    double[] ofSamples = Arrays.stream(samples).mapToDouble(sample -> sample[t][state]).toArray();
    return Estimate.of(values[t][state], ofSamples, resampling, "not computed");
  }
}
