package org.starlingqcd.analysis.precision;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;

/**
 * Errors of the means of a result's matrix elements over its configurations, each averaged over its
 * sources: {@code √(Σ |C - mean|² / (n (n - 1)))}, of real and imaginary parts together.
 * Correlations between configurations are not looked at.
 */
final class StatisticalErrors {
  private final ResultHeader header;
  private final int configurations;
  private final double[] errors;

  private StatisticalErrors(ResultHeader header, int configurations, double[] errors) {
    this.header = header;
    this.configurations = configurations;
    this.errors = errors;
  }

  /**
   * The errors of a result of the same ensemble.
   *
   * @return null when there is no such file, it is of another ensemble, or it has fewer than two
   *     configurations
   * @throws org.starlingqcd.correlators.InputException when the file cannot be read
   */
  static @Nullable StatisticalErrors of(Path file, String ensemble) {
    if (!Files.exists(file)) {
      return null;
    }
    try (ResultReader reader = ResultReader.open(file)) {
      int count = reader.finished().size();
      if (count < 2 || !reader.header().ensemble().equals(ensemble)) {
        return null;
      }
      int operators = reader.header().operators().size();
      double[] mean = new double[2 * reader.header().separations().size() * operators * operators];
      double[] square = new double[mean.length / 2];
      int seen = 0;
      for (int configuration : reader.finished().keySet()) {
        double[] value = average(reader.read(configuration), mean.length);
        seen++;
        // Welford's update: the sum of squares is one of differences.
        for (int k = 0; k < square.length; k++) {
          double re = value[2 * k] - mean[2 * k];
          double im = value[2 * k + 1] - mean[2 * k + 1];
          mean[2 * k] += re / seen;
          mean[2 * k + 1] += im / seen;
          square[k] +=
              re * (value[2 * k] - mean[2 * k]) + im * (value[2 * k + 1] - mean[2 * k + 1]);
        }
      }
      for (int k = 0; k < square.length; k++) {
        square[k] = Math.sqrt(square[k] / ((double) seen * (seen - 1)));
      }
      return new StatisticalErrors(reader.header(), seen, square);
    }
  }

  private static double[] average(ResultReader.Configuration configuration, int length) {
    double[] sum = new double[length];
    for (double[] one : configuration.correlators().values()) {
      for (int k = 0; k < length; k++) {
        sum[k] += one[k] / configuration.correlators().size();
      }
    }
    return sum;
  }

  /** Number of configurations. */
  int configurations() {
    return configurations;
  }

  /** The error of an element; NaN where the result does not have it. */
  double of(String sink, String source, int separation) {
    int i = header.operators().indexOf(sink);
    int j = header.operators().indexOf(source);
    int d = header.separations().indexOf(separation);
    int n = header.operators().size();
    return i < 0 || j < 0 || d < 0 ? Double.NaN : errors[(d * n + i) * n + j];
  }
}
