package org.starlingqcd.graph;

import java.util.List;

/** A coefficient times an ordered product of factors, baryons before mesons. */
public record Term(Complex coefficient, List<Factor> factors) {
  /** Copies the list. */
  public Term {
    factors = List.copyOf(factors);
  }
}
