package org.starlingqcd.analysis.fit;

/**
 * A sum of one or two exponentials, or of as many that run both ways around a periodic lattice.
 *
 * <p>With t' = t - {@code origin}, the form of state k is {@code a_k exp(-E_k t')}, and for a
 * periodic lattice {@code a_k (exp(-E_k t') + exp(-E_k (T - t - origin)))}, a cosh about T/2. The
 * parameters are a_1, E_1 and, of two states, a_2 and d with E_2 = E_1 + e^d, so that E_2 is the
 * larger one. A cosh is the same for E and -E, so E_1 is the modulus of its parameter there.
 *
 * <p>An eigenvalue is 1 at t0, so its two states are {@code (1 - A) f_1(t) + A f_2(t)} with f_k(t0)
 * = 1; the parameters are A, E_1 and d.
 *
 * @param states 1 or 2
 * @param periodicExtent T for a periodic lattice, 0 for plain exponentials
 * @param t0 of an eigenvalue; NaN for a correlator
 */
public record FitModel(int states, int periodicExtent, double t0) {
  /** Checks the number of states. */
  public FitModel {
    if (states < 1 || states > 2) {
      throw new IllegalArgumentException("must be 1 or 2: states=" + states);
    }
  }

  /** Whether the sum is 1 at t0. */
  boolean pinned() {
    return states == 2 && !Double.isNaN(t0);
  }

  /** Number of parameters. */
  public int parameters() {
    return pinned() ? 3 : 2 * states;
  }

  /** The energy of a state from the parameters, ascending. */
  double energy(double[] parameters, int state) {
    double first = periodicExtent == 0 ? parameters[1] : Math.abs(parameters[1]);
    return state == 0 ? first : first + Math.exp(parameters[parameters.length - 1]);
  }

  /** The function for an amplitude of 1. */
  public double shape(double energy, double t, double origin) {
    double forward = Math.exp(-energy * (t - origin));
    return periodicExtent == 0
        ? forward
        : forward + Math.exp(-energy * (periodicExtent - t - origin));
  }

  /** The derivative of {@link #shape} by the energy. */
  private double slope(double energy, double t, double origin) {
    double forward = -(t - origin) * Math.exp(-energy * (t - origin));
    double back = periodicExtent - t - origin;
    return periodicExtent == 0 ? forward : forward - back * Math.exp(-energy * back);
  }

  /** {@link #shape}, and of an eigenvalue with two states this relative to t0. */
  private double form(double energy, double t, double origin) {
    return pinned() ? shape(energy, t, t0) / shape(energy, t0, t0) : shape(energy, t, origin);
  }

  /** The derivative of {@link #form} by the energy. */
  private double formSlope(double energy, double t, double origin) {
    if (!pinned()) {
      return slope(energy, t, origin);
    }
    double norm = shape(energy, t0, t0);
    return (slope(energy, t, t0) - form(energy, t, origin) * slope(energy, t0, t0)) / norm;
  }

  /** The value at a separation. */
  double value(double[] parameters, double t, double origin) {
    double first = form(energy(parameters, 0), t, origin);
    if (states == 1) {
      return parameters[0] * first;
    }
    double second = form(energy(parameters, 1), t, origin);
    return pinned()
        ? first + parameters[0] * (second - first)
        : parameters[0] * first + parameters[2] * second;
  }

  /** The derivatives by the parameters. */
  void gradient(double[] parameters, double t, double origin, double[] target) {
    double first = energy(parameters, 0);
    double amplitude = pinned() ? 1 - parameters[0] : parameters[0];
    target[0] = form(first, t, origin);
    target[1] = amplitude * formSlope(first, t, origin);
    if (states == 2) {
      double second = energy(parameters, 1);
      double slope = parameters[pinned() ? 0 : 2] * formSlope(second, t, origin);
      target[1] += slope;
      target[pinned() ? 0 : 2] = form(second, t, origin) - (pinned() ? target[0] : 0);
      target[parameters.length - 1] = slope * (second - first);
    }
    if (first != parameters[1]) {
      target[1] = -target[1];
    }
  }
}
