package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

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
    Averages averages = new Averages(data, connected);
    double[][] all =
        resampling.resampled(
            data.configurations().size(),
            averages.onePoint + (connected ? 2 * data.size() * averages.times.size() : 0),
            (c, bin) -> averages.add(data.configurations().get(c), bin),
            averages::correlator);
    return new ResampledCorrelator(data.size(), data.separations(), all, resampling);
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

  /** The layout of the vector of a bin: fills it and computes the correlator from it. */
  private static final class Averages {
    private final CorrelatorData data;
    private final boolean connected;
    private final int n;
    private final List<Integer> sources;
    private final List<Integer> times;
    // Where the parts of a bin's vector begin.
    private final int unitsOfSources;
    private final int unitsOfTimes;
    private final int onePoint;

    Averages(CorrelatorData data, boolean connected) {
      this.data = data;
      this.connected = connected;
      n = data.size();
      TreeSet<Integer> allSources = new TreeSet<>();
      TreeSet<Integer> allTimes = new TreeSet<>();
      for (CorrelatorData.Configuration configuration : data.configurations()) {
        allSources.addAll(configuration.sourceTimes());
        if (connected) {
          allTimes.addAll(configuration.onePointTimes());
          requireTimes(configuration);
        }
      }
      sources = List.copyOf(allSources);
      times = List.copyOf(allTimes);
      unitsOfSources = 2 * data.separations().size() * n * n;
      unitsOfTimes = unitsOfSources + sources.size();
      onePoint = unitsOfTimes + times.size();
    }

    private void requireTimes(CorrelatorData.Configuration configuration) {
      List<Integer> there = configuration.onePointTimes();
      for (int source : configuration.sourceTimes()) {
        for (int separation : data.separations()) {
          int time = sinkTime(source, separation);
          if (!there.contains(time) || !there.contains(source)) {
            throw new IllegalArgumentException(
                "configuration %d has no one-point functions for source %d and separation %d (time %d), only at the times %s"
                    .formatted(configuration.number(), source, separation, time, there));
          }
        }
      }
    }

    private int sinkTime(int source, int separation) {
      int time = source + separation;
      return data.temporalExtent().isPresent() ? time % data.temporalExtent().getAsInt() : time;
    }

    void add(CorrelatorData.Configuration configuration, double[] bin) {
      for (int k = 0; k < unitsOfSources; k++) {
        bin[k] += configuration.sum()[k];
      }
      for (int source : configuration.sourceTimes()) {
        bin[unitsOfSources + sources.indexOf(source)]++;
      }
      for (int m = 0; m < configuration.onePointTimes().size() && connected; m++) {
        int index = times.indexOf(configuration.onePointTimes().get(m));
        bin[unitsOfTimes + index]++;
        for (int k = 0; k < 2 * n; k++) {
          bin[onePoint + 2 * n * index + k] += configuration.onePoint()[2 * n * m + k];
        }
      }
    }

    double[] correlator(double[] sums) {
      double units = Arrays.stream(sums, unitsOfSources, unitsOfTimes).sum();
      double[] correlator = new double[unitsOfSources];
      for (int k = 0; k < correlator.length; k++) {
        correlator[k] = sums[k] / units;
      }
      for (int k = 0; k < sources.size() && connected; k++) {
        double share = sums[unitsOfSources + k] / units;
        for (int d = 0; d < data.separations().size() && share > 0; d++) {
          subtract(correlator, sums, share, d, sources.get(k));
        }
      }
      return correlator;
    }

    /** C_ij(dt) -= share ⟨O_i(t0 + dt)⟩ ⟨O_j(t0)⟩* for all i, j. */
    private void subtract(
        double[] correlator, double[] sums, double share, int separation, int source) {
      int sink = times.indexOf(sinkTime(source, data.separations().get(separation)));
      int from = times.indexOf(source);
      double factor = share / (sums[unitsOfTimes + sink] * sums[unitsOfTimes + from]);
      for (int element = 0; element < n * n; element++) {
        int i = onePoint + 2 * (n * sink + element / n);
        int j = onePoint + 2 * (n * from + element % n);
        int index = 2 * (separation * n * n + element);
        correlator[index] -= factor * (sums[i] * sums[j] + sums[i + 1] * sums[j + 1]);
        correlator[index + 1] -= factor * (sums[i + 1] * sums[j] - sums[i] * sums[j + 1]);
      }
    }
  }
}
