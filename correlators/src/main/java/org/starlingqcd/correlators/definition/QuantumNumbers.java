package org.starlingqcd.correlators.definition;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/**
 * The quantum numbers of the states that an operator annihilates, as text: an answer, {@code none:
 * …} where the question does not apply, or {@code not decided: …}.
 *
 * @param operator its name
 * @param flavour quarks less antiquarks
 * @param isospin total isospin; several for a sum of operators
 * @param gParity G parity: {@code +}, {@code -}, {@code no eigenstate}, …
 * @param cParity charge conjugation
 * @param irrep irreps with rows; components of baryons count as those of the DeGrand-Rossi basis
 * @param conjugation the sign s of complex conjugation with parity, see {@link #conjugation}
 */
public record QuantumNumbers(
    String operator,
    String flavour,
    String isospin,
    @JsonProperty("g_parity") String gParity,
    @JsonProperty("c_parity") String cParity,
    String irrep,
    String conjugation) {
  /** Phases are equal to this accuracy. */
  private static final double EQUAL = 1e-9;

  /** More operators than this do not decide which rotation leads back to the row. */
  private static final int MOST_TRIED = 3;

  /** Those of all operators of a definition, in their order. */
  public static List<QuantumNumbers> of(Definition definition) {
    List<Operator> operators = definition.toCorrelationMatrix().operators();
    DefinitionHeader header = definition.header();
    List<Eigenvalue> signs = conjugation(operators, header.total());
    return IntStream.range(0, operators.size())
        .mapToObj(
            k -> {
              Operator operator = operators.get(k);
              OperatorDefinition defined = definition.operators().get(k);
              boolean product = defined instanceof OperatorDefinition.Product;
              List<Term> terms = operator.terms();
              return new QuantumNumbers(
                  operator.name(),
                  Mixing.text(Mixing.netFlavours(operator)),
                  isospin(operator, header, product),
                  header.isIsospinSymmetric()
                      ? definition.chargeParity(ChargeParity.G).get(k).text()
                      : "none: u and d have different labels",
                  definition.chargeParity(ChargeParity.C).get(k).text(),
                  irrep(terms, header, product, defined.hasOddBaryons()),
                  signs.get(k).text());
            })
        .toList();
  }

  private static String isospin(Operator operator, DefinitionHeader header, boolean product) {
    Isospin isospin = header.isospin();
    if (product && isospin != null) {
      return isospin.total().toString();
    }
    if (!header.isIsospinSymmetric()) {
      return "none: u and d have different labels";
    }
    return Mixing.isospins(operator).values().stream()
        .map(f -> f.isEmpty() ? "not decided: too many terms" : Mixing.isospinText(f))
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  private static String irrep(
      List<Term> terms, DefinitionHeader header, boolean product, boolean doubleValued) {
    DefinitionHeader.Target target = header.target();
    Irrep irrep = header.irrep();
    if (product && irrep != null && target != null) {
      return RowContent.text(irrep, target.row());
    }
    List<Term> canonical = OperatorSymmetries.canonical(terms);
    Optional<String> undecided = RowContent.undecided(canonical);
    if (undecided.isPresent()) {
      return "not decided: " + undecided.get();
    }
    String text = RowContent.text(canonical, header.total(), doubleValued);
    return text.isEmpty() ? "none: the little group of the momentum has no such irrep" : text;
  }

  /**
   * The sign s of each operator under complex conjugation with parity. Elements C_ij are real on
   * average where s_i s_j = 1 and imaginary where it is -1.
   *
   * <p>The transformation takes an operator of integer spin to s times itself. One of half-integer
   * spin goes to another row, from which a rotation that leaves the total momentum leads back. All
   * operators take the same rotation; then s is relative to the first of them.
   */
  static List<Eigenvalue> conjugation(List<Operator> operators, Momentum total) {
    List<Eigenvalue> best = new ArrayList<>();
    List<@Nullable List<Term>> terms = new ArrayList<>();
    for (Operator operator : operators) {
      Optional<String> unknown = OperatorSymmetries.unknownFactor(operator.terms(), false);
      terms.add(unknown.isPresent() ? null : OperatorSymmetries.canonical(operator.terms()));
      best.add(
          unknown
              .map(name -> "what it makes of " + name + " is not known")
              .map(Eigenvalue::undecided)
              .orElse(Eigenvalue.undecided("the operator goes to no multiple of its own row")));
    }
    boolean baryons =
        operators.stream().anyMatch(o -> o.terms().get(0).factors().get(0) instanceof BaryonFactor);
    long most = 0;
    long decidable = terms.stream().filter(t -> t != null).count();
    for (CubicRotation rotation : LittleGroup.of(total).elements()) {
      List<Optional<Complex>> phases = phases(terms, rotation);
      long found = phases.stream().filter(Optional::isPresent).count();
      if (found > most) {
        Complex first =
            rotation.equals(CubicRotation.IDENTITY)
                ? Complex.ONE
                : phases.stream().flatMap(Optional::stream).findFirst().orElse(Complex.ONE);
        long signs = 0;
        List<Eigenvalue> values = new ArrayList<>(best);
        for (int k = 0; k < phases.size(); k++) {
          Optional<Complex> relative = phases.get(k).map(p -> p.times(first.conjugate()));
          if (relative.isPresent()) {
            boolean real = Math.abs(Math.abs(relative.get().re()) - 1) < EQUAL;
            signs += real ? 1 : 0;
            values.set(
                k,
                real
                    ? Eigenvalue.of(relative.get().re() > 0 ? 1 : -1)
                    : Eigenvalue.undecided("its coefficient makes it neither real nor imaginary"));
          }
        }
        if (signs > most) {
          most = signs;
          best = values;
        }
      }
      if (most == decidable || (!baryons && most > 0)) {
        break;
      }
    }
    return best;
  }

  /** The phases by which operators come back; none are tried if the first ones do not. */
  private static List<Optional<Complex>> phases(
      List<@Nullable List<Term>> operators, CubicRotation rotation) {
    List<Optional<Complex>> phases = new ArrayList<>();
    int tried = 0;
    for (List<Term> terms : operators) {
      boolean hopeless = tried >= MOST_TRIED && phases.stream().noneMatch(Optional::isPresent);
      if (terms == null || hopeless) {
        phases.add(Optional.empty());
        continue;
      }
      tried++;
      TermSum image = new TermSum();
      OperatorSymmetries.addRotated(
          rotation, OperatorSymmetries.conjugated(terms), Complex.ONE, image);
      phases.add(image.multipleOf(terms).filter(p -> Math.abs(p.abs() - 1) < EQUAL));
    }
    return phases;
  }
}
