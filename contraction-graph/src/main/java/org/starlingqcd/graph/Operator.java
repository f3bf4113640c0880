package org.starlingqcd.graph;

import java.util.List;

/** A sum of terms that annihilates a state; its adjoint stands at the source. */
public record Operator(String name, List<Term> terms) {
  /** Copies the list. */
  public Operator {
    terms = List.copyOf(terms);
  }
}
