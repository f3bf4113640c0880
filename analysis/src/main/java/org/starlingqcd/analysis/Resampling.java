package org.starlingqcd.analysis;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Jackknife or bootstrap over bins of configurations, and the error of a quantity known on every
 * sample.
 *
 * @param method jackknife or bootstrap
 * @param bins number of bins
 * @param samples number of samples, 0 if there is only one bin
 * @param seed seed of the bootstrap, 0 for the jackknife
 * @param multiplicities of the bootstrap, [sample][bin]; empty for the jackknife
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Resampling(Method method, int bins, int samples, long seed, int[][] multiplicities) {
  /*
   * A bin has a vector of sums over its configurations. The vector of a sample is the sum of the vectors of its
   * bins with their multiplicities; everything else (averages, the product of one-point functions, masses,
   * eigenvalues) is computed from this vector as from the whole ensemble. So non-linear quantities are never
   * averaged.
   *
   * Errors: jackknife sqrt((B-1)/B Σ (x_b - x̄)²) over the B samples that leave one bin out; bootstrap
   * sqrt(1/(S-1) Σ (x_s - x̄)²) over S samples of B bins drawn with replacement (B. Efron, "The Jackknife, the
   * Bootstrap and Other Resampling Plans", SIAM 1982).
   */

  /** How samples are drawn. */
  public enum Method {
    /** One sample per bin, which leaves that bin out. */
    JACKKNIFE,
    /** Bins drawn with replacement, seeded. */
    BOOTSTRAP;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The jackknife over {@code bins} bins: as many samples as bins, none for a single bin. */
  public static Resampling jackknife(int bins) {
    requireBins(bins);
    return new Resampling(Method.JACKKNIFE, bins, bins > 1 ? bins : 0, 0, new int[0][]);
  }

  /** The bootstrap with {@code samples} samples of {@code bins} bins; none for a single bin. */
  public static Resampling bootstrap(int bins, int samples, long seed) {
    requireBins(bins);
    if (samples < 2) {
      throw new IllegalArgumentException("must be >= 2: samples=" + samples);
    }
    SplittableRandom random = new SplittableRandom(seed);
    int[][] multiplicities = new int[bins > 1 ? samples : 0][bins];
    for (int[] row : multiplicities) {
      for (int draw = 0; draw < bins; draw++) {
        row[random.nextInt(bins)]++;
      }
    }
    return new Resampling(Method.BOOTSTRAP, bins, multiplicities.length, seed, multiplicities);
  }

  private static void requireBins(int bins) {
    if (bins < 1) {
      throw new IllegalArgumentException("must be >= 1: bins=" + bins);
    }
  }

  /** How often a sample contains a bin. */
  public int multiplicity(int sample, int bin) {
    return method == Method.JACKKNIFE ? (sample == bin ? 0 : 1) : multiplicities[sample][bin];
  }

  /**
   * The sum over the bins of a sample of the bins' vectors.
   *
   * @param binSums [bin][component]
   * @param total the sum over all bins of {@code binSums}, [component]
   */
  double[] sampleSum(int sample, double[][] binSums, double[] total) {
    double[] sum;
    if (method == Method.JACKKNIFE) {
      sum = total.clone();
      double[] left = binSums[sample];
      for (int k = 0; k < sum.length; k++) {
        sum[k] -= left[k];
      }
    } else {
      sum = new double[total.length];
      for (int bin = 0; bin < bins; bin++) {
        int times = multiplicities[sample][bin];
        if (times != 0) {
          double[] drawn = binSums[bin];
          for (int k = 0; k < sum.length; k++) {
            sum[k] += times * drawn[k];
          }
        }
      }
    }
    return sum;
  }

  /**
   * A quantity on the ensemble, then on every sample. Neighbouring configurations share a bin; bins
   * differ by one configuration at most.
   *
   * @param configurations their number
   * @param length of the vector of a bin
   * @param add adds a configuration, by its place, to the vector of its bin
   * @param quantity from the sum of vectors
   */
  double[][] resampled(
      int configurations,
      int length,
      BiConsumer<Integer, double[]> add,
      UnaryOperator<double[]> quantity) {
    if (bins > configurations) {
      throw new IllegalArgumentException(
          "more bins than configurations " + configurations + ": bins=" + bins);
    }
    double[][] binSums = new double[bins][length];
    for (int c = 0; c < configurations; c++) {
      add.accept(c, binSums[(int) ((long) c * bins / configurations)]);
    }
    double[] total = new double[length];
    for (double[] bin : binSums) {
      for (int k = 0; k < length; k++) {
        total[k] += bin[k];
      }
    }
    double[][] all = new double[1 + samples][];
    all[0] = quantity.apply(total);
    for (int s = 1; s < all.length; s++) {
      all[s] = quantity.apply(sampleSum(s - 1, binSums, total));
    }
    return all;
  }

  /**
   * The error of a quantity from its value on every sample; NaN without samples or if a value is
   * NaN.
   */
  public double error(double[] values) {
    if (values.length != samples) {
      throw new IllegalArgumentException(
          "must be the number of samples " + samples + ": values.length=" + values.length);
    }
    return Math.sqrt(StatUtils.populationVariance(values) * samples * factor());
  }

  /** What the sum of squared deviations over the samples is multiplied with. */
  double factor() {
    return method == Method.JACKKNIFE ? (samples - 1.0) / samples : 1.0 / (samples - 1);
  }
}
