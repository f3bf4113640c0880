package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.yaml.Place;

/**
 * The definition of one correlation matrix, checked and written out. Immutable.
 *
 * <p>Two definitions are equal if they mean the same. Comments, the order of keys, defaults that
 * are written out, and the origin of the text make no difference.
 */
public final class Definition implements AnyDefinition {
  /** Messages name no more operators. */
  private static final int MOST_NAMES = 8;

  private final DefinitionHeader header;
  private final List<OperatorDefinition> operators;
  private final String origin;
  private final String text;
  private final CorrelationMatrix matrix;
  private final OperatorParts parts;
  private final Map<ChargeParity, List<Eigenvalue>> chargeParities = new ConcurrentHashMap<>();

  /**
   * Expands the operators.
   *
   * @param places where each operator stands, for messages
   */
  Definition(
      DefinitionHeader header,
      List<OperatorDefinition> operators,
      List<Place> places,
      String origin,
      String text) {
    this.header = header;
    this.operators = List.copyOf(operators);
    this.origin = origin;
    this.text = text;
    matrix = expand(places);
    parts = new OperatorParts(matrix.operators());
  }

  private Definition(Definition other, DefinitionHeader header) {
    this.header = header;
    operators = other.operators;
    origin = other.origin;
    text = other.text;
    matrix = other.matrix;
    parts = other.parts;
  }

  private CorrelationMatrix expand(List<Place> places) {
    OperatorExpansion expansion = new OperatorExpansion(header);
    List<Operator> expanded = new ArrayList<>();
    for (int k = 0; k < operators.size(); k++) {
      try {
        expanded.add(expansion.expand(operators.get(k)));
      } catch (IllegalArgumentException e) {
        throw places.get(k).error(e);
      }
    }
    Map<String, String> labels = new TreeMap<>();
    for (Operator operator : expanded) {
      for (Term term : operator.terms()) {
        for (Factor factor : term.factors()) {
          for (String flavour : factor.flavours()) {
            labels.put(flavour, header.quarks().get(flavour));
          }
        }
      }
    }
    return new CorrelationMatrix(header.name(), expanded, labels, header.onePoint());
  }

  @Override
  public String name() {
    return header.name();
  }

  /** The properties that all operators share. */
  public DefinitionHeader header() {
    return header;
  }

  /** The operators as defined, in the order of the result. */
  public List<OperatorDefinition> operators() {
    return operators;
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public List<CorrelationMatrix> matrices() {
    return isStochastic() ? List.of() : List.of(contracted());
  }

  /** Whether any of its lines are estimated; they are contracted in another way than others. */
  public boolean isStochastic() {
    return !Collections.disjoint(
        matrix.quarkLabels().values(), header.stochastic().labels().keySet());
  }

  /** The same definition with exact lines. */
  public Definition withExactLines() {
    return new Definition(this, header.with(Stochastic.NONE));
  }

  /** What is contracted, whether with exact lines or not. */
  public CorrelationMatrix contracted() {
    return new CorrelationMatrix(
        matrix.name(), parts.operators(), matrix.quarkLabels(), matrix.onePoint());
  }

  @Override
  public OperatorParts sinkParts() {
    return parts;
  }

  @Override
  public OperatorParts sourceParts() {
    return parts;
  }

  @Override
  public Map<String, String> quarkLabels() {
    return matrix.quarkLabels();
  }

  @Override
  public List<String> operatorNames() {
    return operators.stream().map(OperatorDefinition::name).toList();
  }

  /** All operators written out in bilinears, baryon, tetraquark and gluonic factors. */
  public CorrelationMatrix toCorrelationMatrix() {
    return matrix;
  }

  /** G parity, or C, of every operator. */
  List<Eigenvalue> chargeParity(ChargeParity symmetry) {
    return chargeParities.computeIfAbsent(
        symmetry, s -> matrix.operators().stream().map(o -> s.of(o.terms())).toList());
  }

  /**
   * Names the operators that are no eigenstates of G parity, or of C where isospin is no symmetry;
   * they mix states of both values. Empty if there are none.
   */
  public Optional<String> mixedChargeParity() {
    ChargeParity symmetry = header.isIsospinSymmetric() ? ChargeParity.G : ChargeParity.C;
    List<Eigenvalue> values = chargeParity(symmetry);
    List<String> mixed =
        IntStream.range(0, values.size())
            .filter(k -> values.get(k).equals(Eigenvalue.MIXED))
            .mapToObj(k -> operators.get(k).name())
            .toList();
    return mixed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("%s: no eigenstates of %s, so that they mix states of both: %s%s; %s: + or -"
                    + " at the top of the definition projects products of hadrons to one")
                .formatted(
                    header.name(),
                    symmetry.title(),
                    String.join(", ", mixed.subList(0, Math.min(mixed.size(), MOST_NAMES))),
                    mixed.size() > MOST_NAMES
                        ? " and " + (mixed.size() - MOST_NAMES) + " more"
                        : "",
                    symmetry == ChargeParity.G ? "g_parity" : "c_parity"));
  }

  /**
   * The sign of each operator under complex conjugation with parity, +1 or -1; 0 where it is not
   * decided. Elements C_ij are real on average where the product of two signs is 1 and imaginary
   * where it is -1.
   */
  public List<Integer> conjugation() {
    return QuantumNumbers.conjugation(matrix.operators(), header.total()).stream()
        .map(Eigenvalue::sign)
        .toList();
  }

  @Override
  public boolean hasGrownFrom(AnyDefinition other) {
    return other instanceof Definition earlier
        && header.hasGrownFrom(earlier.header)
        && inOrder(earlier.operators, operators);
  }

  /** Whether all of some elements are among others, in the same order. */
  static <T> boolean inOrder(List<T> some, List<T> others) {
    int found = 0;
    for (T other : others) {
      if (found < some.size() && some.get(found).equals(other)) {
        found++;
      }
    }
    return found == some.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Definition that
        && header.isSame(that.header)
        && operators.equals(that.operators);
  }

  @Override
  public int hashCode() {
    return Objects.hash(header.name(), operators);
  }

  @Override
  public String toString() {
    return name() + " (" + origin + ")";
  }
}
