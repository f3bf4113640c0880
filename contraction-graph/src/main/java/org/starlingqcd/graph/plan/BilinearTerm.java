package org.starlingqcd.graph.plan;

import org.starlingqcd.graph.Complex;

/**
 * {@code coefficient · Γ_L · left · Γ_I · right}: one term of an intermediate or, under a trace, of
 * a trace; {@code right} is {@link ContractionPlan#NONE} for the trace of one element.
 */
public record BilinearTerm(
    Complex coefficient, int leftGamma, int left, int innerGamma, int right) {
  public BilinearTerm times(Complex factor) {
    return new BilinearTerm(coefficient.times(factor), leftGamma, left, innerGamma, right);
  }

  public boolean isSquare() {
    return left == right;
  }
}
