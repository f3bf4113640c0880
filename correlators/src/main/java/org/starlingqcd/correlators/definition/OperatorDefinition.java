package org.starlingqcd.correlators.definition;

import java.util.List;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Term;

/** One operator, as the definition states it. */
public sealed interface OperatorDefinition {
  /** Its name. */
  String name();

  /** Whether a baryon occurs in it. */
  boolean hasBaryons();

  /** Whether its products, or any of its terms, have an odd number of baryons. */
  boolean hasOddBaryons();

  /**
   * A product of hadrons, to be projected and coupled.
   *
   * @param coefficient what the projected and coupled operator is multiplied by
   * @param hadrons the seed, baryons before tetraquarks before mesons
   * @param seedRow index of the seed's row; 0 without an irrep
   * @param intermediateIsospin isospins after every coupling before the last
   */
  record Product(
      String name,
      Complex coefficient,
      List<HadronFactor> hadrons,
      int seedRow,
      List<HalfInteger> intermediateIsospin)
      implements OperatorDefinition {
    /** Copies the lists. */
    public Product {
      hadrons = List.copyOf(hadrons);
      intermediateIsospin = List.copyOf(intermediateIsospin);
    }

    @Override
    public boolean hasOddBaryons() {
      return hadrons.stream().filter(HadronFactor::isBaryon).count() % 2 == 1;
    }

    @Override
    public boolean hasBaryons() {
      return hadrons.stream().anyMatch(HadronFactor::isBaryon);
    }
  }

  /**
   * Terms written out, used as they stand.
   *
   * @param terms the terms, baryons before tetraquarks before mesons in each
   */
  record WrittenOut(String name, List<Term> terms) implements OperatorDefinition {
    /** Copies the list. */
    public WrittenOut {
      terms = List.copyOf(terms);
    }

    @Override
    public boolean hasOddBaryons() {
      return terms.stream()
          .map(term -> term.factors().stream().filter(BaryonFactor.class::isInstance).count())
          .anyMatch(baryons -> baryons % 2 == 1);
    }

    @Override
    public boolean hasBaryons() {
      return terms.stream()
          .flatMap(term -> term.factors().stream())
          .anyMatch(BaryonFactor.class::isInstance);
    }
  }
}
