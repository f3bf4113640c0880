package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Place;

/**
 * Checks that the operators of a definition can mix.
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

  private static final String IDENTICALLY = "identically";
  private static final String ON_AVERAGE = "on average";

  private final Definition definition;
  private final List<Operator> operators;
  private final List<Place> places;

  private Mixing(Definition definition, List<Place> places) {
    this.definition = definition;
    this.operators = definition.toCorrelationMatrix().operators();
    this.places = places;
  }

  /**
   * Rejects operators that cannot mix.
   *
   * @param places where each operator stands
   * @throws DefinitionException for the first operator that cannot mix with an earlier one
   */
  static void check(Definition definition, List<Place> places) {
    new Mixing(definition, places).check();
  }

  private void check() {
    DefinitionHeader header = definition.header();
    List<Boolean> projected =
        definition.operators().stream().map(o -> o instanceof OperatorDefinition.Product).toList();
    check(
        operators.stream().map(Mixing::netFlavours).toList(),
        Collections::disjoint,
        Mixing::creates,
        IDENTICALLY);
    if (header.isIsospinSymmetric()) {
      if (projected.contains(false)) {
        check(
            operators.stream().map(Mixing::isospins).toList(),
            Mixing::haveNoCommonIsospin,
            Mixing::isospinText,
            IDENTICALLY);
      }
      checkChargeParity(ChargeParity.G);
    }
    checkChargeParity(ChargeParity.C);
    DefinitionHeader.Target target = header.target();
    Irrep irrep = header.irrep();
    if (target != null && irrep != null) {
      checkRow(projected, irrep, target.row());
    }
  }

  private void checkChargeParity(ChargeParity symmetry) {
    String title = symmetry.title();
    check(
        definition.chargeParity(symmetry),
        Eigenvalue::isOpposite,
        (value, other) -> "it has " + title + " " + value + ", the other " + other,
        ON_AVERAGE);
  }

  private interface Message<T> {
    String of(T value, T other);
  }

  /** Compares every operator with the earlier ones. */
  private <T> void check(
      List<T> values, BiPredicate<T, T> apart, Message<T> message, String vanish) {
    for (int b = 1; b < operators.size(); b++) {
      for (int a = 0; a < b; a++) {
        if (apart.test(values.get(a), values.get(b))) {
          throw error(b, a, message.of(values.get(b), values.get(a)), vanish);
        }
      }
    }
  }

  private RuntimeException error(int operator, int other, String difference, String vanish) {
    return places
        .get(operator)
        .error(
            "cannot mix with operator %s: %s, and elements between them vanish %s; put them into"
                + " different definitions, or write allow_zero: true at the top if this is meant",
            Quoted.of(operators.get(other).name()), difference, vanish);
  }

  private static String creates(String created, String other) {
    return "it creates " + created + ", the other creates " + other;
  }

  private static String creates(Set<Map<String, Integer>> net, Set<Map<String, Integer>> other) {
    return creates(text(net), text(other));
  }

  private static boolean haveNoCommonIsospin(
      Map<Map<String, Integer>, Set<HalfInteger>> a,
      Map<Map<String, Integer>, Set<HalfInteger>> b) {
    return !a.containsValue(UNDECIDED)
        && !b.containsValue(UNDECIDED)
        && b.entrySet().stream()
            .allMatch(
                e -> Collections.disjoint(a.getOrDefault(e.getKey(), Set.of()), e.getValue()));
  }

  /** The isospins of an operator for each net flavour; empty where there are too many terms. */
  static Map<Map<String, Integer>, Set<HalfInteger>> isospins(Operator operator) {
    Map<Map<String, Integer>, Set<HalfInteger>> contents = new LinkedHashMap<>();
    operator.terms().stream()
        .collect(Collectors.groupingBy(Term::netFlavour, LinkedHashMap::new, Collectors.toList()))
        .forEach((net, list) -> contents.put(net, IsospinContent.of(list).orElse(UNDECIDED)));
    return contents;
  }

  private static String isospinText(
      Map<Map<String, Integer>, Set<HalfInteger>> contents,
      Map<Map<String, Integer>, Set<HalfInteger>> other) {
    Function<Map<Map<String, Integer>, Set<HalfInteger>>, String> text =
        map ->
            map.entrySet().stream()
                .map(e -> text(e.getKey()) + " with isospin " + isospinText(e.getValue()))
                .collect(Collectors.joining(" or "));
    return creates(text.apply(contents), text.apply(other));
  }

  static String isospinText(Set<HalfInteger> isospins) {
    return isospins.stream().map(HalfInteger::toString).collect(Collectors.joining(" and "));
  }

  /** Rejects operators written out that do not belong to the row of the others. */
  private void checkRow(List<Boolean> projected, Irrep irrep, int row) {
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
      String created = content.isEmpty() ? "nothing" : content;
      throw error(without, with, creates(created, RowContent.text(irrep, row)), ON_AVERAGE);
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
    return String.join(" or ", net.stream().map(Mixing::text).toList());
  }

  private static String text(Map<String, Integer> net) {
    List<String> quarks = new ArrayList<>();
    net.forEach(
        (flavour, count) -> quarks.add(Math.abs(count) + (count < 0 ? " anti-" : " ") + flavour));
    return quarks.isEmpty() ? "no net flavour" : "net " + String.join(", ", quarks);
  }
}
