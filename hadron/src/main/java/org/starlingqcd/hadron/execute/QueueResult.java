package org.starlingqcd.hadron.execute;

import java.util.List;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/** The numbers that a queue computed on one configuration; all are finite. */
public final class QueueResult {
  private final ExecutionQueue queue;
  private final double[] values;
  private final ExecutionStatistics statistics;

  private QueueResult(ExecutionQueue queue, double[] values, ExecutionStatistics statistics) {
    this.queue = queue;
    this.values = values;
    this.statistics = statistics;
  }

  /**
   * Evaluates the results of a queue from its traces.
   *
   * @param traces interleaved complex, by trace number
   * @throws ContractionException when a result is NaN or infinite
   */
  static QueueResult evaluate(
      ExecutionQueue queue, double[] traces, ExecutionStatistics statistics) {
    List<ExecutionQueue.Result> results = queue.results();
    double[] values = new double[2 * results.size()];
    for (int k = 0; k < results.size(); k++) {
      ExecutionQueue.Result result = results.get(k);
      double re = 0;
      double im = 0;
      for (ContractionPlan.Monomial monomial : result.monomials()) {
        double productRe = monomial.coefficient().re();
        double productIm = monomial.coefficient().im();
        for (ContractionPlan.Factor factor : monomial.factors()) {
          double factorRe = traces[2 * factor.trace()];
          double factorIm = traces[2 * factor.trace() + 1];
          if (factor.conjugate()) {
            factorIm = -factorIm;
          }
          double newRe = productRe * factorRe - productIm * factorIm;
          productIm = productRe * factorIm + productIm * factorRe;
          productRe = newRe;
        }
        re += productRe;
        im += productIm;
      }
      if (!Double.isFinite(re) || !Double.isFinite(im)) {
        throw new ContractionException(
            "the result for "
                + (result.column() == ContractionPlan.NONE
                    ? "the one-point function of operator " + result.row()
                    : "operators (" + result.row() + ", " + result.column() + ")")
                + " of correlation matrix "
                + result.matrix()
                + " at time index "
                + result.index()
                + " is not finite: "
                + new Complex(re, im)
                + "; the input passed its checks, so numbers overflowed or a kernel failed");
      }
      values[2 * k] = re;
      values[2 * k + 1] = im;
    }
    return new QueueResult(queue, values, statistics);
  }

  /** What it took. */
  public ExecutionStatistics statistics() {
    return statistics;
  }

  /** The value of result number {@code k} of the queue. */
  public Complex value(int k) {
    return new Complex(values[2 * k], values[2 * k + 1]);
  }

  /** A correlation matrix with the same operators at sink and source. */
  public double[] correlator(int matrix, int operators, int indices) {
    return correlator(matrix, operators, operators, indices);
  }

  /**
   * A correlation matrix, {@code [index][i][j]}, interleaved complex; the index is that of the
   * queue's results (source and separation, and with a current vertex and insertion time). Elements
   * that the queue does not name are zero.
   *
   * @param matrix number of the correlation matrix
   * @param sinks its number of sink operators
   * @param sources its number of source operators
   * @param indices number of indices
   */
  public double[] correlator(int matrix, int sinks, int sources, int indices) {
    double[] array = new double[2 * indices * sinks * sources];
    for (int k = 0; k < queue.results().size(); k++) {
      ExecutionQueue.Result result = queue.results().get(k);
      if (result.matrix() == matrix && result.column() != ContractionPlan.NONE) {
        int at = (result.index() * sinks + result.row()) * sources + result.column();
        System.arraycopy(values, 2 * k, array, 2 * at, 2);
      }
    }
    return array;
  }

  /**
   * One-point functions, {@code [time index][i]}, interleaved complex.
   *
   * @param matrix number of the correlation matrix
   * @param operators its number n of operators
   * @param times number of one-point times
   */
  public double[] onePoint(int matrix, int operators, int times) {
    double[] array = new double[2 * times * operators];
    for (int k = 0; k < queue.results().size(); k++) {
      ExecutionQueue.Result result = queue.results().get(k);
      if (result.matrix() == matrix && result.column() == ContractionPlan.NONE) {
        System.arraycopy(values, 2 * k, array, 2 * (result.index() * operators + result.row()), 2);
      }
    }
    return array;
  }
}
