package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.text.Quoted;

/**
 * Whether the operators of a definition can mix.
 *
 * <p>The strong interaction keeps the number of quarks less antiquarks of each flavour. Matrix
 * elements between operators without a common net flavour vanish identically, which is rarely
 * intended. The same holds without a common total isospin where u and d are degenerate. Isospin's
 * component I3 is part of the net flavour; total isospin, irrep and row are one for all products of
 * hadrons of a definition, so that they are compared only where an operator is written out.
 * Elements between opposite G or C parity vanish on average.
 */
public final class Mixing {
  /** Stands for the isospins of an operator that has too many terms. */
  private static final Set<HalfInteger> UNDECIDED = Set.of();

  private Mixing() {}

  /**
   * Refuses operators that cannot mix.
   *
   * @param places where each operator stands
   * @param isospin whether total isospin is compared too
   * @throws DefinitionException for the first operator that cannot mix with an earlier one
   */
  static void check(List<Operator> operators, List<SourceLocation> places, boolean isospin) {
    List<Set<Map<String, Integer>>> net = operators.stream().map(Mixing::netFlavours).toList();
    for (int b = 1; b < operators.size(); b++) {
      for (int a = 0; a < b; a++) {
        if (Collections.disjoint(net.get(a), net.get(b))) {
          throw refused(places.get(b), operators.get(a), text(net.get(b)), text(net.get(a)));
        }
      }
    }
    if (isospin) {
      checkIsospin(operators, places);
    }
  }

  private static void checkIsospin(List<Operator> operators, List<SourceLocation> places) {
    List<Map<Map<String, Integer>, Set<HalfInteger>>> contents =
        operators.stream().map(Mixing::isospins).toList();
    for (int b = 1; b < operators.size(); b++) {
      for (int a = 0; a < b; a++) {
        Map<Map<String, Integer>, Set<HalfInteger>> ofA = contents.get(a);
        Map<Map<String, Integer>, Set<HalfInteger>> ofB = contents.get(b);
        boolean disjoint =
            ofB.entrySet().stream()
                .allMatch(
                    e ->
                        Collections.disjoint(ofA.getOrDefault(e.getKey(), Set.of()), e.getValue()));
        if (disjoint && !ofA.containsValue(UNDECIDED) && !ofB.containsValue(UNDECIDED)) {
          throw refused(places.get(b), operators.get(a), isospinText(ofB), isospinText(ofA));
        }
      }
    }
  }

  /**
   * Refuses operators of opposite G or C parity.
   *
   * @throws DefinitionException for the first operator that has the opposite of an earlier one
   */
  static void checkChargeParity(
      List<Operator> operators, List<SourceLocation> places, ChargeParity symmetry) {
    List<Eigenvalue> values = operators.stream().map(o -> symmetry.of(o.terms())).toList();
    for (int b = 1; b < operators.size(); b++) {
      for (int a = 0; a < b; a++) {
        if (values.get(a).isOpposite(values.get(b))) {
          throw places
              .get(b)
              .error(
                  "cannot mix with operator "
                      + Quoted.of(operators.get(a).name())
                      + ": it has "
                      + symmetry.title()
                      + " "
                      + values.get(b)
                      + ", the other "
                      + values.get(a)
                      + ", and elements between them vanish on average; put them into different"
                      + " definitions, or write allow_zero: true at the top if this is meant");
        }
      }
    }
  }

  /** The isospins of an operator for each net flavour; empty where there are too many terms. */
  static Map<Map<String, Integer>, Set<HalfInteger>> isospins(Operator operator) {
    Map<Map<String, Integer>, List<Term>> terms =
        operator.terms().stream()
            .collect(
                Collectors.groupingBy(Term::netFlavour, LinkedHashMap::new, Collectors.toList()));
    Map<Map<String, Integer>, Set<HalfInteger>> contents = new LinkedHashMap<>();
    terms.forEach((net, list) -> contents.put(net, IsospinContent.of(list).orElse(UNDECIDED)));
    return contents;
  }

  private static String isospinText(Map<Map<String, Integer>, Set<HalfInteger>> contents) {
    return contents.entrySet().stream()
        .map(
            e ->
                text(e.getKey())
                    + " with isospin "
                    + e.getValue().stream()
                        .map(HalfInteger::toString)
                        .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(" or "));
  }

  private static DefinitionException refused(
      SourceLocation place, Operator other, String creates, String otherCreates) {
    return place.error(
        "cannot mix with operator "
            + Quoted.of(other.name())
            + ": it creates "
            + creates
            + ", the other creates "
            + otherCreates
            + ", and elements between them vanish identically; put them into different"
            + " definitions, or write allow_zero: true at the top if this is meant");
  }

  /**
   * Refuses operators written out that have no part in the row that the others are projected to.
   *
   * @param projected for each operator whether it is a projected product of hadrons
   * @throws DefinitionException for the first such operator, if any other operator has a part
   */
  static void checkRow(
      List<Operator> operators,
      List<SourceLocation> places,
      List<Boolean> projected,
      Irrep irrep,
      int row) {
    List<Boolean> parts = new ArrayList<>();
    for (int k = 0; k < operators.size(); k++) {
      List<Term> terms = operators.get(k).terms();
      parts.add(
          projected.get(k)
              || RowContent.undecided(terms).isPresent()
              || RowContent.isIn(terms, irrep, row));
    }
    int without = parts.indexOf(false);
    int with = parts.indexOf(true);
    if (without >= 0 && with >= 0) {
      String content =
          RowContent.text(
              operators.get(without).terms(), irrep.group().momentum(), irrep.isDoubleValued());
      throw places
          .get(without)
          .error(
              "cannot mix with operator "
                  + Quoted.of(operators.get(with).name())
                  + ": it creates "
                  + (content.isEmpty() ? "nothing" : content)
                  + ", the other creates "
                  + RowContent.text(irrep, row)
                  + ", and elements between them vanish on average; put them into different"
                  + " definitions, or write allow_zero: true at the top if this is meant");
    }
  }

  /**
   * The net flavours of an operator's terms: quarks less antiquarks, flavours in balance left out.
   */
  public static Set<Map<String, Integer>> netFlavours(Operator operator) {
    return operator.terms().stream()
        .map(Term::netFlavour)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The quarks that O† creates, for the net flavour of O: {@code 2 d, 1 s} or {@code 1 s, 1
   * anti-u}.
   */
  public static String text(Set<Map<String, Integer>> net) {
    return net.stream().map(Mixing::text).collect(Collectors.joining(" or "));
  }

  private static String text(Map<String, Integer> net) {
    return net.isEmpty()
        ? "no net flavour"
        : "net "
            + net.entrySet().stream()
                .map(e -> Math.abs(e.getValue()) + (e.getValue() < 0 ? " anti-" : " ") + e.getKey())
                .collect(Collectors.joining(", "));
  }
}
