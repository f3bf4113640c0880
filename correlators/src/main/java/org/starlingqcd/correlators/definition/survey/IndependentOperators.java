package org.starlingqcd.correlators.definition.survey;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.definition.OperatorExpansion;
import org.starlingqcd.correlators.definition.VanishingOperatorException;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.IsospinCoupling;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * Linearly independent operators that a product of hadrons gives in one row of an irrep with one
 * isospin: all spin states of the seed, all seed rows, all intermediate isospins are tried in this
 * order, written out, and orthogonalized by Gram and Schmidt. Exchange of equal hadrons is thereby
 * taken into account. With a G parity they are projected to it first, where they have any.
 */
final class IndependentOperators {
  /**
   * A remainder is a rounding error if its squared length is below this fraction of the operator's
   * own.
   */
  private static final double ROUNDING = 1e-18;

  private final HalfInteger total;
  private final OperatorExpansion expansion;
  private final DefinitionHeader.@Nullable Charge charge;
  private final List<Map<List<Factor>, Complex>> basis = new ArrayList<>();

  /** One operator of the basis, and the same operator written out. */
  record Found(OperatorDefinition.Product product, Operator operator) {}

  /**
   * Looks for operators of a definition.
   *
   * @param total its isospin
   * @param charge the G parity of the operators; null for all
   */
  IndependentOperators(
      DefinitionHeader header, HalfInteger total, DefinitionHeader.@Nullable Charge charge) {
    this.total = total;
    this.charge = charge;
    expansion = new OperatorExpansion(header);
  }

  /** The operators that are independent of each other and of those found before. */
  List<Found> of(List<HadronFactor> seed, Irrep irrep) {
    List<Found> found = new ArrayList<>();
    List<List<HalfInteger>> couplings =
        IsospinCoupling.intermediates(seed.stream().map(HadronFactor::isospin).toList(), total);
    for (List<HadronFactor> states :
        Lists.cartesianProduct(seed.stream().map(HadronFactor::spinStates).toList())) {
      for (int seedRow = 0; seedRow < irrep.dimension(); seedRow++) {
        for (List<HalfInteger> coupling : couplings) {
          OperatorDefinition.Product product =
              new OperatorDefinition.Product(
                  HadronText.of(seed), Complex.ONE, states, seedRow, coupling);
          expanded(product)
              .filter(this::isNew)
              .ifPresent(operator -> found.add(new Found(product, operator)));
        }
      }
    }
    return found;
  }

  /** The operator, unless it has no component in this row or cancels because hadrons are equal. */
  private Optional<Operator> expanded(OperatorDefinition.Product product) {
    try {
      Operator operator = expansion.expand(product);
      return charge == null || IrrepTable.hasNetFlavour(operator)
          ? Optional.of(operator)
          : OperatorExpansion.part(operator, charge);
    } catch (VanishingOperatorException e) {
      return Optional.empty();
    }
  }

  private boolean isNew(Operator operator) {
    Map<List<Factor>, Complex> rest = new HashMap<>();
    operator.terms().forEach(term -> add(rest, term));
    double own = square(rest);
    // Two passes, because the rounding error of one is proportional to what it subtracts.
    for (int pass = 0; pass < 2; pass++) {
      for (Map<List<Factor>, Complex> unit : basis) {
        Complex overlap = Complex.ZERO;
        for (Map.Entry<List<Factor>, Complex> entry : unit.entrySet()) {
          Complex c = rest.get(entry.getKey());
          if (c != null) {
            overlap = overlap.plus(entry.getValue().conjugate().times(c));
          }
        }
        Complex factor = overlap.times(-1);
        unit.forEach((key, c) -> rest.merge(key, c.times(factor), Complex::plus));
      }
    }
    double left = square(rest);
    if (left <= ROUNDING * own) {
      return false;
    }
    double norm = 1 / Math.sqrt(left);
    rest.replaceAll((key, c) -> c.times(norm));
    basis.add(rest);
    return true;
  }

  /** Adds a term with its factors sorted: mesons commute, baryons anticommute. */
  private static void add(Map<List<Factor>, Complex> sum, Term term) {
    List<Factor> baryons = new ArrayList<>();
    List<Factor> mesons = new ArrayList<>();
    term.factors().forEach(f -> (f instanceof BaryonFactor ? baryons : mesons).add(f));
    Complex coefficient = term.coefficient();
    if (baryons.size() == 2 && baryons.get(0).toString().compareTo(baryons.get(1).toString()) > 0) {
      baryons.add(baryons.remove(0));
      coefficient = coefficient.times(-1);
    }
    mesons.sort((a, b) -> a.toString().compareTo(b.toString()));
    baryons.addAll(mesons);
    sum.merge(baryons, coefficient, Complex::plus);
  }

  private static double square(Map<List<Factor>, Complex> sum) {
    return sum.values().stream().mapToDouble(c -> c.re() * c.re() + c.im() * c.im()).sum();
  }
}
