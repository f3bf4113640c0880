package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Meson;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

class OperatorExpansionTest {
  /** Sums of a few hundred products of numbers of size 1. */
  private static final double ROUNDING = 1e-11;

  private static final List<Baryon.Kind> KINDS = List.of(Baryon.Kind.values());

  private static final Map<String, String> QUARKS =
      Map.of("u", "light", "d", "light", "s", "strange");

  /** Every bilinear and baryon of the isospin tables, one hadron at a time. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "meson: pi | 1, 1 | 1 d u",
        "meson: pi | 1, 0 | -0.7071067811865476 u u, 0.7071067811865476 d d",
        "meson: pi | 1, -1 | -1 u d",
        "meson: eta | 0, 0 | 0.7071067811865476 u u, 0.7071067811865476 d d",
        "meson: eta_s | 0, 0 | 1 s s",
        "meson: K | 1/2, 1/2 | 1 s u",
        "meson: K | 1/2, -1/2 | 1 s d",
        "meson: Kbar | 1/2, 1/2 | 1 d s",
        "meson: Kbar | 1/2, -1/2 | -1 u s",
        "baryon: N, component: 1 | 1/2, 1/2 | 1 u d u",
        "baryon: N, component: 1 | 1/2, -1/2 | 1 u d d",
        "baryon: Lambda, component: 1 | 0, 0 | 1 u d s",
        "baryon: Sigma, component: 1 | 1, 1 | 1 u s u",
        "baryon: Sigma, component: 1 | 1, 0 | 0.7071067811865476 u s d, 0.7071067811865476 d s u",
        "baryon: Sigma, component: 1 | 1, -1 | 1 d s d",
        "baryon: Xi, component: 2 | 1/2, 1/2 | 1 u s s",
        "baryon: Xi, component: 2 | 1/2, -1/2 | 1 d s s",
      })
  void expand_oneHadron_isTheTable(String hadron, String isospin, String expected) {
    List<String> terms = new ArrayList<>();
    for (JsonNode term : terms(hadron, isospin)) {
      JsonNode meson = term.path("mesons").path(0);
      JsonNode quarks = term.path("baryons").path(0).path("quarks");
      String flavours =
          meson.isMissingNode()
              ? String.join(
                  " ",
                  StreamSupport.stream(quarks.spliterator(), false).map(JsonNode::asText).toList())
              : meson.path("bar").asText() + " " + meson.path("quark").asText();
      String coefficient = term.path("coefficient").path(0).asText();
      terms.add(coefficient.replaceAll("\\.0$", "") + " " + flavours);
    }
    assertEquals(expected, String.join(", ", terms));
  }

  /** Spin 3/2 as the conventions write it out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Delta, 2 | 3/2, 3/2 | uu Cg1 u 2 [-0.40824829, 0.0]; uu Cg2 u 2 [0.0, -0.40824829]; "
            + "uu Cg3 u 1 [0.81649658, 0.0]",
        "Delta, 1 | 3/2, 3/2 | uu Cg1 u 1 [-0.70710678, 0.0]; uu Cg2 u 1 [0.0, -0.70710678]",
        "Delta, 4 | 3/2, -3/2 | dd Cg1 d 2 [0.70710678, 0.0]; dd Cg2 d 2 [0.0, -0.70710678]",
        "Delta, 4 | 3/2, -1/2 | ud Cg1 d 2 [0.81649658, 0.0]; ud Cg2 d 2 [0.0, -0.81649658]; "
            + "dd Cg1 u 2 [0.40824829, 0.0]; dd Cg2 u 2 [0.0, -0.40824829]",
        "Sigmastar, 4 | 1, 0 | ud Cg1 s 2 [0.57735027, 0.0]; ud Cg2 s 2 [0.0, -0.57735027]; "
            + "us Cg1 d 2 [0.57735027, 0.0]; us Cg2 d 2 [0.0, -0.57735027]; "
            + "ds Cg1 u 2 [0.57735027, 0.0]; ds Cg2 u 2 [0.0, -0.57735027]",
        "Xistar, 1 | 1/2, -1/2 | ss Cg1 d 1 [-0.40824829, 0.0]; ss Cg2 d 1 [0.0, -0.40824829]; "
            + "ds Cg1 s 1 [-0.81649658, 0.0]; ds Cg2 s 1 [0.0, -0.81649658]",
        "Omega, 3 | 0, 0 | ss Cg3 s 2 [0.81649658, 0.0]; ss Cg1 s 1 [0.40824829, 0.0]; "
            + "ss Cg2 s 1 [0.0, -0.40824829]",
      })
  void expand_spinThreeHalves_isTheTable(String baryon, String isospin, String expected) {
    String[] parts = baryon.split(", ");
    TreeSet<String> terms = new TreeSet<>();
    for (JsonNode term : terms("baryon: " + parts[0] + ", component: " + parts[1], isospin)) {
      JsonNode b = term.path("baryons").path(0);
      assertEquals("DeGrand-Rossi", b.path("basis").asText());
      List<Double> rounded = new ArrayList<>();
      term.path("coefficient")
          .forEach(c -> rounded.add(Math.round(c.asDouble() * 1e8) / 1e8 + 0.0));
      JsonNode quarks = b.path("quarks");
      terms.add(
          "%s%s %s %s %s %s"
              .formatted(
                  quarks.path(0).asText(),
                  quarks.path(1).asText(),
                  b.path("diquark").asText(),
                  quarks.path(2).asText(),
                  b.path("component").asText(),
                  rounded));
    }
    assertEquals(new TreeSet<>(List.of(expected.split("; "))), terms);
  }

  private static JsonNode terms(String hadron, String isospin) {
    Definition definition =
        DefinitionLoader.parse(
            "x.yaml",
            "name: x\nisospin: [%s]\noperators: [{name: o, hadrons: [{%s, momentum: [0, 0, 0]}]}]\n"
                .formatted(isospin, hadron));
    JsonNode json = new ObjectMapper().valueToTree(new ExpandedDefinition(definition).describe());
    return json.path("operators").path(0).path("terms");
  }

  /** I² and the ladder of quark fields agree with I and I3, for random products of hadrons. */
  @Test
  void expand_hasTheIsospinAskedFor() {
    RandomHadrons random = new RandomHadrons(3);
    int checked = 0;
    for (int trial = 0; trial < 300; trial++) {
      List<HadronFactor> hadrons = new ArrayList<>();
      for (int k = trial % 4 == 3 ? 1 + random.below(2) : 0; k > 0; k--) {
        Baryon.Kind kind = KINDS.get(random.below(KINDS.size()));
        Baryon baryon = new Baryon(kind.name(), kind, "s");
        hadrons.add(
            new BaryonHadron(
                baryon,
                random.momentum(),
                1 + random.below(baryon.twiceSpin() + 1),
                1 - 2 * random.below(2),
                true));
      }
      hadrons.addAll(random.product(1 + random.below(3), random.momentum()));
      List<HalfInteger> coupled = coupling(random, hadrons);
      HalfInteger total = coupled.get(coupled.size() - 1);
      HalfInteger third = new HalfInteger(total.twice() - 2 * random.below(total.twice() + 1));
      OperatorDefinition product =
          new OperatorDefinition.Product(
              "o", Complex.ONE, hadrons, 0, coupled.subList(1, Math.max(1, coupled.size() - 1)));
      Optional<Operator> operator = expand(product, new Isospin(total, third));
      if (operator.isPresent()) {
        checked++;
        checkIsospin(operator.get().terms(), total.twice() / 2.0, third.twice() / 2.0);
        if (third.twice() < total.twice()) {
          checkLadder(product, operator.get().terms(), total, third);
        }
      }
    }
    assertTrue(checked > 200, "checked=" + checked);
  }

  private static void checkIsospin(List<Term> terms, double total, double third) {
    assertClose(terms, total * (total + 1), FlavourIsospin.casimir(terms, third));
  }

  /** I₊ |I I3⟩ = √((I - I3)(I + I3 + 1)) |I I3 + 1⟩: the phases between the components. */
  private static void checkLadder(
      OperatorDefinition product, List<Term> terms, HalfInteger total, HalfInteger third) {
    List<Term> next =
        expand(product, new Isospin(total, new HalfInteger(third.twice() + 2)))
            .orElseThrow()
            .terms();
    double factor =
        Math.sqrt((total.twice() - third.twice()) * (total.twice() + third.twice() + 2)) / 2;
    assertClose(next, factor, FlavourIsospin.step(terms, true));
  }

  /** Isospins after every coupling, the first hadron's own included, chosen at random. */
  private static List<HalfInteger> coupling(RandomHadrons random, List<HadronFactor> hadrons) {
    List<HalfInteger> coupled = new ArrayList<>();
    coupled.add(hadrons.get(0).isospin());
    for (HadronFactor hadron : hadrons.subList(1, hadrons.size())) {
      int left = coupled.get(coupled.size() - 1).twice();
      int right = hadron.isospin().twice();
      int least = Math.abs(left - right);
      int next = least + 2 * random.below((left + right - least) / 2 + 1);
      assertTrue(ClebschGordan.allowed(left, right, next));
      coupled.add(new HalfInteger(next));
    }
    return coupled;
  }

  /** The operator; none where it vanishes. */
  private static Optional<Operator> expand(OperatorDefinition product, Isospin isospin) {
    DefinitionHeader header =
        new DefinitionHeader(
            "x", isospin, Momentum.ZERO, null, null, null, QUARKS, false, false, Stochastic.NONE);
    try {
      return Optional.of(new OperatorExpansion(header).expand(product));
    } catch (IllegalArgumentException e) {
      assertEquals("the operator vanishes: all of its terms cancel", e.getMessage());
      return Optional.empty();
    }
  }

  /** The modulus of {@code factor · expected - actual} vanishes term by term. */
  private static void assertClose(List<Term> expected, double factor, List<Term> actual) {
    TermSum difference = new TermSum();
    FlavourIsospin.ordered(expected)
        .forEach(t -> difference.add(t.coefficient().times(factor), t.factors()));
    FlavourIsospin.ordered(actual)
        .forEach(t -> difference.add(t.coefficient().times(-1), t.factors()));
    for (Term term : difference.terms()) {
      assertEquals(0, term.coefficient().abs(), ROUNDING, term.toString());
    }
  }

  /** Without an irrep, Σ |coefficient|² of distinguishable hadrons stays 1: CG are unitary. */
  @Test
  void expand_notProjected_isNormalized() {
    Operator operator =
        expand(
                new OperatorDefinition.Product(
                    "o",
                    Complex.ONE,
                    List.of(
                        new MesonHadron(Meson.PI, new Momentum(0, 0, 1), 0),
                        new MesonHadron(Meson.RHO, new Momentum(0, 0, 0), 1),
                        new MesonHadron(Meson.K, new Momentum(0, 0, -1), 0)),
                    0,
                    List.of(new HalfInteger(4))),
                new Isospin(new HalfInteger(3), new HalfInteger(-1)))
            .orElseThrow();
    double norm = 0;
    for (Term term : operator.terms()) {
      norm += Math.pow(term.coefficient().abs(), 2);
    }
    assertEquals(1, norm, ROUNDING);
  }

  @Tag("slow")
  @Test
  void expand_tooManyTerms_isRefused() {
    List<HadronFactor> pions = new ArrayList<>();
    List<HalfInteger> intermediate = new ArrayList<>();
    for (int k = 0; k < 14; k++) {
      pions.add(new MesonHadron(Meson.PI, new Momentum(k, 0, 0), 0));
      intermediate.add(new HalfInteger(2));
    }
    OperatorDefinition product =
        new OperatorDefinition.Product("o", Complex.ONE, pions, 0, intermediate.subList(0, 12));
    DefinitionHeader header =
        new DefinitionHeader(
            "x",
            new Isospin(new HalfInteger(2), new HalfInteger(0)),
            Momentum.ZERO,
            null,
            null,
            null,
            QUARKS,
            false,
            false,
            Stochastic.NONE);
    assertEquals(
        "the operator has more than 200000 terms when written out",
        assertThrows(
                IllegalArgumentException.class, () -> new OperatorExpansion(header).expand(product))
            .getMessage());
  }
}
