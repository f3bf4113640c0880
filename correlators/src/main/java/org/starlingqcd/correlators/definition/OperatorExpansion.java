package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.ProductContent;
import org.starlingqcd.correlators.definition.hadrons.Projection;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.IsospinCoupling;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * Writes an operator out: projection, isospin coupling, flavour structures, merging of equal terms,
 * in this order.
 *
 * <p>User errors (isospins that do not couple, a projection or an operator that vanishes) are
 * {@link IllegalArgumentException}s without a location in the message; the caller adds it.
 */
public final class OperatorExpansion {
  /**
   * With more terms, no correlator could be contracted, because the number of pairs of terms grows
   * with the square.
   */
  private static final int MAX_PRODUCTS = 200_000;

  private final DefinitionHeader header;
  private final @Nullable Irrep irrep;

  /** What turns operators from their momentum to the orientation. */
  private final @Nullable CubicRotation turn;

  /** Prepares the expansion of the operators of one definition. */
  public OperatorExpansion(DefinitionHeader header) {
    this.header = header;
    irrep = header.irrep();
    turn = turn(header);
  }

  /**
   * The operator written out.
   *
   * @throws VanishingOperatorException if nothing is left of it
   * @throws IllegalArgumentException if its isospins do not couple or it has too many terms
   */
  public Operator expand(OperatorDefinition operator) {
    boolean product = operator instanceof OperatorDefinition.Product;
    TermSum sum =
        operator instanceof OperatorDefinition.WrittenOut written
            ? TermSum.of(written.terms())
            : product((OperatorDefinition.Product) operator);
    List<Term> terms = sum.terms();
    if (terms.isEmpty()) {
      throw new VanishingOperatorException("the operator vanishes: all of its terms cancel");
    }
    DefinitionHeader.Charge charge = header.charge();
    if (charge != null) {
      terms = projected(terms, charge, product);
    }
    return new Operator(
        operator.name(),
        operator instanceof OperatorDefinition.Product p && !p.coefficient().equals(Complex.ONE)
            ? times(terms, p.coefficient())
            : terms);
  }

  private static List<Term> times(List<Term> terms, Complex factor) {
    return terms.stream()
        .map(term -> new Term(term.coefficient().times(factor), term.factors()))
        .toList();
  }

  /**
   * The part of an operator with one G or C parity.
   *
   * @param product whether it is a product of hadrons, which is completed by its partner if it is
   *     no eigenstate
   */
  private static List<Term> projected(
      List<Term> terms, DefinitionHeader.Charge charge, boolean product) {
    ChargeParity symmetry = charge.symmetry();
    Eigenvalue found = symmetry.of(terms);
    if (found.sign() == charge.sign()) {
      return terms;
    }
    String asked =
        "the definition asks for " + symmetry.title() + " " + Eigenvalue.of(charge.sign());
    if (found.sign() != 0) {
      throw new VanishingOperatorException(
          "the operator has %s %s, and the definition asks for %s: nothing is left of it"
              .formatted(symmetry.title(), found, Eigenvalue.of(charge.sign())));
    }
    if (!found.equals(Eigenvalue.MIXED)) {
      throw new IllegalArgumentException(asked + ", and that of the operator is " + found);
    }
    if (!product) {
      throw new IllegalArgumentException(
          asked
              + ", and the operator, which is used as it stands, is no eigenstate: write the terms of"
              + " its partner out too");
    }
    return symmetry.completed(terms, charge.sign());
  }

  /** The part of a product's operator with one G or C parity; empty if there is none. */
  public static Optional<Operator> part(Operator operator, DefinitionHeader.Charge charge) {
    try {
      return Optional.of(new Operator(operator.name(), projected(operator.terms(), charge, true)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private TermSum product(OperatorDefinition.Product operator) {
    Isospin isospin = header.isospin();
    if (isospin == null) {
      throw new IllegalArgumentException(
          "hadrons need the total isospin: write isospin: [I, I3] at the top");
    }
    List<HalfInteger> isospins = operator.hadrons().stream().map(HadronFactor::isospin).toList();
    List<IsospinCoupling.Component> components =
        new IsospinCoupling(isospins, operator.intermediateIsospin(), isospin.total())
            .components(isospin.third(), MAX_PRODUCTS);
    TermSum sum = new TermSum();
    Work work = new Work(sum);
    turned(operator)
        .forEach(
            (hadrons, weight) -> {
              for (IsospinCoupling.Component component : components) {
                SignedRoot coupled = component.coefficient();
                work.flavours(
                    hadrons, component, weight.times(coupled.sign()), coupled.square(), List.of());
              }
            });
    return sum;
  }

  private static @Nullable CubicRotation turn(DefinitionHeader header) {
    return header.orientation() == null
        ? null
        : ReferenceRotation.of(header.orientation())
            .times(ReferenceRotation.of(header.momentum()).inverse());
  }

  private Map<List<HadronFactor>, Complex> turned(OperatorDefinition.Product operator) {
    Map<List<HadronFactor>, Complex> products = projected(operator);
    return turn == null ? products : Projection.rotate(turn, products);
  }

  private Map<List<HadronFactor>, Complex> projected(OperatorDefinition.Product operator) {
    DefinitionHeader.Target target = header.target();
    if (irrep == null || target == null) {
      return Map.of(operator.hadrons(), Complex.ONE);
    }
    Map<List<HadronFactor>, Complex> products =
        Projection.project(operator.hadrons(), irrep, target.row(), operator.seedRow());
    if (products.isEmpty()) {
      boolean rows = irrep.dimension() > 1;
      ProductContent content = new ProductContent(operator.hadrons());
      throw new VanishingOperatorException(
          ("the projection vanishes: the seed%s has no part in irrep %s%s; it has a part in %s; with"
                  + " all components and polarizations the product contains %s")
              .formatted(
                  rows ? " in row " + irrep.rows().get(operator.seedRow()) : "",
                  irrep.name(),
                  rows ? ", row " + irrep.rows().get(target.row()) : "",
                  content.seedText(),
                  content.text()));
    }
    return products;
  }

  /**
   * Writes out the flavour structures of each product of isospin components. Until a coefficient is
   * complete, it is a weight times the root of a square: the squares of meson flavour structures
   * are powers of 2, so their products are exact.
   */
  private static final class Work {
    private final TermSum sum;
    private int products;

    Work(TermSum sum) {
      this.sum = sum;
    }

    void flavours(
        List<HadronFactor> hadrons,
        IsospinCoupling.Component component,
        Complex weight,
        double square,
        List<Factor> written) {
      int k = written.size();
      if (k == hadrons.size()) {
        if (++products > MAX_PRODUCTS) {
          throw new IllegalArgumentException(
              "the operator has more than " + MAX_PRODUCTS + " terms when written out");
        }
        sum.add(weight.times(Math.sqrt(square)), written);
        return;
      }
      for (HadronFactor.Part part : hadrons.get(k).parts(component.components().get(k))) {
        flavours(
            hadrons,
            component,
            weight.times(part.spin()).times(part.flavour().sign()),
            square * part.flavour().square(),
            with(written, part.factor()));
      }
    }

    private static List<Factor> with(List<Factor> factors, Factor next) {
      List<Factor> longer = new ArrayList<>(factors);
      longer.add(next);
      return longer;
    }
  }
}
