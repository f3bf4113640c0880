package org.starlingqcd.graph;

import java.util.List;

/** A current {@code J(t; q)}, a sum of terms. */
public record Insertion(String name, List<CurrentTerm> terms) {
  /** Copies the list. */
  public Insertion {
    terms = List.copyOf(terms);
  }
}
