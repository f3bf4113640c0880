package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The averaged correlation matrix, connected on request, on the ensemble and on every sample.
 *
 * @param size the number of operators n
 * @param separations the separations
 * @param all the matrix on the ensemble, then on every sample, interleaved complex
 *     [separation][sink i][source j]
 * @param resampling how samples were drawn
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ResampledCorrelator(
    int size, List<Integer> separations, double[][] all, Resampling resampling) {
  /*
   * With configurations c, sources t0 and sink times t = t0 + dt mod T, the matrix at separation dt is
   *
   *   Σ_{t0} w(t0) ( ⟨C_ij(t, t0)⟩ - ⟨O_i(t)⟩ ⟨O_j(t0)⟩* ),
   *
   * where ⟨ ⟩ averages over the configurations of the sample and w(t0) is the share of t0 among all (c, t0), so
   * that a source on few configurations counts accordingly. The first term is Σ C / number of (c, t0) and
   * needs the sums over sources only; the second needs the one-point functions of every time slice. A bin's
   * vector (see Resampling) is therefore
   *
   *   [ Σ C (2 S n²) | units per source (K) | units per time (M) | Σ O (2 M n) ].
   */

  /**
   * Averages and resamples.
   *
   * @param connected whether to subtract the product of one-point functions, which must be in the
   *     data; T must be known if a sink time wraps around
   */
  public static ResampledCorrelator of(
      CorrelatorData data, Resampling resampling, boolean connected) {
    int n = data.size();
    List<Integer> sources = all(data, CorrelatorData.Configuration::sourceTimes);
    List<Integer> times =
        connected ? all(data, CorrelatorData.Configuration::onePointTimes) : List.of();
    if (connected) {
      data.configurations().forEach(configuration -> requireTimes(data, configuration));
    }
    // Where the parts of a bin's vector begin.
    int ofSources = 2 * data.separations().size() * n * n;
    int ofTimes = ofSources + sources.size();
    int onePoint = ofTimes + times.size();
    double[][] all =
        resampling.resampled(
            data.configurations().size(),
            onePoint + 2 * n * times.size(),
            (c, bin) -> {
              CorrelatorData.Configuration one = data.configurations().get(c);
              for (int k = 0; k < ofSources; k++) {
                bin[k] += one.sum()[k];
              }
              for (int source : one.sourceTimes()) {
                bin[ofSources + sources.indexOf(source)]++;
              }
              for (int m = 0; m < one.onePointTimes().size() && connected; m++) {
                int index = times.indexOf(one.onePointTimes().get(m));
                bin[ofTimes + index]++;
                for (int k = 0; k < 2 * n; k++) {
                  bin[onePoint + 2 * n * index + k] += one.onePoint()[2 * n * m + k];
                }
              }
            },
            sums -> {
              double units = Arrays.stream(sums, ofSources, ofTimes).sum();
              double[] result = Arrays.stream(sums, 0, ofSources).map(x -> x / units).toArray();
              for (int k = 0; k < sources.size() && connected; k++) {
                double share = sums[ofSources + k] / units;
                int from = times.indexOf(sources.get(k));
                for (int d = 0; d < data.separations().size() && share > 0; d++) {
                  int sink = times.indexOf(sinkTime(data, sources.get(k), d));
                  // C_ij(dt) -= share ⟨O_i(t0 + dt)⟩ ⟨O_j(t0)⟩*
                  double factor = share / (sums[ofTimes + sink] * sums[ofTimes + from]);
                  for (int element = 0; element < n * n; element++) {
                    int i = onePoint + 2 * (n * sink + element / n);
                    int j = onePoint + 2 * (n * from + element % n);
                    int at = 2 * (d * n * n + element);
                    result[at] -= factor * (sums[i] * sums[j] + sums[i + 1] * sums[j + 1]);
                    result[at + 1] -= factor * (sums[i + 1] * sums[j] - sums[i] * sums[j + 1]);
                  }
                }
              }
              return result;
            });
    return new ResampledCorrelator(n, data.separations(), all, resampling);
  }

  /** Times of all configurations, ascending. */
  private static List<Integer> all(
      CorrelatorData data, Function<CorrelatorData.Configuration, List<Integer>> times) {
    return data.configurations().stream()
        .flatMap(configuration -> times.apply(configuration).stream())
        .distinct()
        .sorted()
        .toList();
  }

  private static void requireTimes(
      CorrelatorData data, CorrelatorData.Configuration configuration) {
    List<Integer> there = configuration.onePointTimes();
    for (int source : configuration.sourceTimes()) {
      for (int d = 0; d < data.separations().size(); d++) {
        int time = sinkTime(data, source, d);
        if (!there.contains(time) || !there.contains(source)) {
          throw new IllegalArgumentException(
              "configuration %d has no one-point functions for source %d and separation %d (time %d), only at the times %s"
                  .formatted(
                      configuration.number(), source, data.separations().get(d), time, there));
        }
      }
    }
  }

  private static int sinkTime(CorrelatorData data, int source, int separation) {
    int time = source + data.separations().get(separation);
    return data.temporalExtent().isPresent() ? time % data.temporalExtent().getAsInt() : time;
  }

  /** One matrix, interleaved complex [sink i][source j], of the ensemble (0) or of a sample. */
  double[] matrix(int sample, int separation) {
    int length = 2 * size * size;
    return Arrays.copyOfRange(all[sample], separation * length, (separation + 1) * length);
  }

  /** v† C w of every matrix [i][j], all of them interleaved complex. */
  static double[] projected(double[] matrices, double[] v, double[] w) {
    int rows = v.length / 2;
    int columns = w.length / 2;
    double[] result = new double[matrices.length / (rows * columns)];
    for (int k = 0; k < matrices.length; k += 2) {
      int i = 2 * (k / 2 / columns % rows);
      int j = 2 * (k / 2 % columns);
      int to = 2 * (k / 2 / (rows * columns));
      double re = v[i] * w[j] + v[i + 1] * w[j + 1];
      double im = v[i] * w[j + 1] - v[i + 1] * w[j];
      result[to] += re * matrices[k] - im * matrices[k + 1];
      result[to + 1] += re * matrices[k + 1] + im * matrices[k];
    }
    return result;
  }

  /** The real part of a matrix element. */
  public Estimate real(int separation, int sink, int source) {
    return component(2 * ((separation * size + sink) * size + source));
  }

  /** The imaginary part of a matrix element. */
  public Estimate imaginary(int separation, int sink, int source) {
    return component(2 * ((separation * size + sink) * size + source) + 1);
  }

  /** A number of the interleaved matrix. */
  Estimate component(int index) {
    return Estimate.of(all, index, resampling, "not computed");
  }
}
