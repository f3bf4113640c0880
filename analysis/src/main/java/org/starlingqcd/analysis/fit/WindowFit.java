package org.starlingqcd.analysis.fit;

/**
 * A fit to the separations of one window, on the ensemble.
 *
 * @param model what was fitted
 * @param first index of the first separation
 * @param last index of the last separation
 * @param parameters those of {@link FitModel}, amplitudes relative to the first point
 * @param chiSquared with the covariance of the points
 * @param probability that chi squared is this large or larger by chance
 * @param aic Akaike's criterion, chi² + 2 parameters + 2 points that are left out
 * @param weight share of the window in the average over models
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WindowFit(
    FitModel model,
    int first,
    int last,
    double[] parameters,
    double chiSquared,
    double probability,
    double aic,
    double weight) {
  /** The energy of a state, ascending. */
  public double energy(int state) {
    return model.energy(parameters, state);
  }

  /** Degrees of freedom. */
  public int degrees() {
    return last - first + 1 - model.parameters();
  }

  WindowFit withWeight(double share) {
    return new WindowFit(model, first, last, parameters, chiSquared, probability, aic, share);
  }
}
