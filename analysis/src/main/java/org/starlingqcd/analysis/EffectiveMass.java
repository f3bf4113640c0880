package org.starlingqcd.analysis;

import java.util.Locale;
import org.apache.commons.math3.analysis.solvers.BrentSolver;

/** The effective mass between two separations, in lattice units. */
public enum EffectiveMass {
  /** m = ln(C(t1)/C(t2)) / (t2 - t1): exact for one decaying exponential. */
  LOG,

  /**
   * The m > 0 with C(t1)/C(t2) = cosh(m(t1 - T/2)) / cosh(m(t2 - T/2)): exact for one state on a
   * lattice that is periodic in time.
   */
  COSH;

  private static final int MAXIMAL_STEPS = 200;

  /*
   * With a = |t1 - T/2|, b = |t2 - T/2| and r = ln(C(t1)/C(t2)), g(m) = ln cosh(ma) - ln cosh(mb) is 0 at
   * m = 0 and strictly monotonic, since x tanh x grows with x: it rises without bound for a > b and falls for
   * a < b. So there is one solution exactly when r has the sign of a - b, and none otherwise. Because
   * x - ln 2 <= ln cosh x <= x, it lies below (|r| + ln 2) / |a - b|.
   */

  /**
   * The effective mass from a correlator at two separations, NaN if there is none.
   *
   * @param c1 the correlator at {@code t1}
   * @param c2 the correlator at {@code t2}
   * @param extent the temporal extent T, needed by {@link #COSH} only
   */
  double solve(double c1, double c2, int t1, int t2, int extent) {
    double r = sameSign(c1, c2) ? Math.log(c1 / c2) : Double.NaN;
    if (this == LOG) {
      return r / (t2 - t1);
    }
    double a = Math.abs(t1 - extent / 2.0);
    double b = Math.abs(t2 - extent / 2.0);
    return a > b ? root(a, b, r) : root(b, a, -r);
  }

  private static double root(double a, double b, double r) {
    if (!(a > b && r > 0)) {
      return Double.NaN;
    }
    // Rounding must not put the bound below the solution.
    double high = (1 + 1e-9) * (r + Math.log(2)) / (a - b);
    return new BrentSolver(2 * Math.ulp(1.0), Double.MIN_NORMAL, 0)
        .solve(MAXIMAL_STEPS, m -> logCosh(m * a) - logCosh(m * b) - r, 0, high);
  }

  /** Why there is no effective mass from these values. */
  String whyUndefined(double c1, double c2, int t1, int t2, int extent) {
    double a = Math.abs(t1 - extent / 2.0);
    double b = Math.abs(t2 - extent / 2.0);
    if (Double.isNaN(c1) || Double.isNaN(c2)) {
      return "C is undefined at " + (Double.isNaN(c1) ? t1 : t2);
    }
    if (c1 == 0 || c2 == 0) {
      return "C vanishes at " + (c1 == 0 ? t1 : t2);
    }
    if (this == LOG || !sameSign(c1, c2)) {
      return "C changes its sign from " + t1 + " to " + t2;
    }
    return a == b
        ? t1 + " and " + t2 + " lie symmetrically to T/2 = " + extent / 2.0
        : "|C| does not %s from %s to %s as a cosh about T/2 = %s does"
            .formatted(a > b ? "fall" : "rise", t1, t2, extent / 2.0);
  }

  /** The name in options, tables and files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static boolean sameSign(double c1, double c2) {
    return Math.signum(c1) * Math.signum(c2) > 0;
  }

  /** ln cosh x for x >= 0, without overflow and without cancellation near 0. */
  private static double logCosh(double x) {
    if (x < 1) {
      double s = Math.sinh(0.5 * x);
      return Math.log1p(2 * s * s);
    }
    return x + Math.log1p(Math.exp(-2 * x)) - Math.log(2);
  }
}
