package org.starlingqcd.hadron.convention;

/** Values of one quantity on several sources or time slices: their mean and its standard error. */
final class Sample {
  private int count;
  private double sum;
  private double squares;

  void add(double value) {
    count++;
    sum += value;
    squares += value * value;
  }

  /** Keeps the largest value instead of a mean. */
  void raise(double value) {
    sum = isEmpty() ? value : Math.max(sum, value);
    count = 1;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  /** The mean; NaN without values. */
  double mean() {
    return sum / count;
  }

  /** The standard error of the mean; 0 with one value, which has none. */
  private double error() {
    if (count < 2) {
      return 0;
    }
    double variance = (squares - sum * sum / count) / (count - 1);
    return Math.sqrt(Math.max(0, variance) / count);
  }

  /** +1 or -1, or 0 where the mean is less than two standard errors from zero. */
  int sign() {
    return Math.abs(mean()) > 2 * error() ? (int) Math.signum(mean()) : 0;
  }
}
