package org.starlingqcd.analysis.fit;

/**
 * A sum of one or two exponentials, or of as many that run both ways around a periodic lattice.
 *
 * <p>With t' = t - {@code origin}, the form of state k is {@code a_k exp(-E_k t')}, and for a
 * periodic lattice {@code a_k (exp(-E_k t') + exp(-E_k (T - t - origin)))}, a cosh about T/2. The
 * parameters are a_1, E_1 and, of two states, a_2 and d with E_2 = E_1 + e^d, so that E_2 is the
 * larger one. A cosh is the same for E and -E, so E_1 is the modulus of its parameter there.
 *
 * @param states 1 or 2
 * @param periodicExtent T for a periodic lattice, 0 for plain exponentials
 */
public record FitModel(int states, int periodicExtent) {
  /** Checks the number of states. */
  public FitModel {
    if (states < 1 || states > 2) {
      throw new IllegalArgumentException("must be 1 or 2: states=" + states);
    }
  }

  /** Number of parameters. */
  public int parameters() {
    return 2 * states;
  }

  /** The energy of a state from the parameters, ascending. */
  double energy(double[] parameters, int state) {
    double first = periodicExtent == 0 ? parameters[1] : Math.abs(parameters[1]);
    return state == 0 ? first : first + Math.exp(parameters[3]);
  }

  /** The function for an amplitude of 1. */
  double shape(double energy, double t, double origin) {
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

  /** The value at a separation. */
  double value(double[] parameters, double t, double origin) {
    double sum = 0;
    for (int k = 0; k < states; k++) {
      sum += parameters[2 * k] * shape(energy(parameters, k), t, origin);
    }
    return sum;
  }

  /** The derivatives by the parameters. */
  void gradient(double[] parameters, double t, double origin, double[] target) {
    double first = energy(parameters, 0);
    target[0] = shape(first, t, origin);
    target[1] = parameters[0] * slope(first, t, origin);
    if (states == 2) {
      double second = energy(parameters, 1);
      double slope = parameters[2] * slope(second, t, origin);
      target[1] += slope;
      target[2] = shape(second, t, origin);
      target[3] = slope * Math.exp(parameters[3]);
    }
    if (first != parameters[1]) {
      target[1] = -target[1];
    }
  }
}
