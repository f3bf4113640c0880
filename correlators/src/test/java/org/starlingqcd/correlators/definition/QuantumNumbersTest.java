package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Factor;

class QuantumNumbersTest {
  private static Definition definition(String text) {
    return DefinitionLoader.parse("x.yaml", "name: x\n" + text);
  }

  private static QuantumNumbers numbers(String head, String operator) {
    return QuantumNumbers.of(definition(head + "operators:\n- {name: o, " + operator + "}\n"))
        .get(0);
  }

  private static String refusal(String text) {
    return String.valueOf(
        assertThrows(DefinitionException.class, () -> definition(text)).getMessage());
  }

  private static String written(Factor factor) {
    BaryonFactor b = (BaryonFactor) factor;
    return "(" + b.quark1() + " " + b.quark2() + ") " + b.quark3();
  }

  /** Flavours of the baryons of spin 3/2, whose terms share spin structures. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Delta | 3/2 | 3/2 | 1.000 (u u) u",
        "Delta | 3/2 | 1/2 | 0.577 (u u) d, 1.155 (u d) u",
        "Delta | 3/2 | -1/2 | 1.155 (u d) d, 0.577 (d d) u",
        "Delta | 3/2 | -3/2 | 1.000 (d d) d",
        "Sigmastar | 1 | 1 | 0.577 (u u) s, 1.155 (u s) u",
        "Sigmastar | 1 | 0 | 0.816 (u d) s, 0.816 (u s) d, 0.816 (d s) u",
        "Sigmastar | 1 | -1 | 0.577 (d d) s, 1.155 (d s) d",
        "Xistar | 1/2 | 1/2 | 0.577 (s s) u, 1.155 (u s) s",
        "Xistar | 1/2 | -1/2 | 0.577 (s s) d, 1.155 (d s) s",
        "Omega | 0 | 0 | 1.000 (s s) s",
      })
  void baryonsOfSpinThreeHalves_haveTheirFlavours(
      String name, String isospin, String third, String expected) {
    Definition definition =
        definition(
            """
                isospin: [%s, %s]
                operators: [{name: o, hadrons: [{baryon: %s, momentum: [0, 0, 0], component: 1}]}]
                """
                .formatted(isospin, third, name));
    // Component 1 is V_+1 with spin up: -(Cg1 + i Cg2)/√2, so Cg1 has -1/√2 of each flavour.
    assertEquals(
        expected,
        definition.toCorrelationMatrix().operators().get(0).terms().stream()
            .filter(t -> ((BaryonFactor) t.factors().get(0)).diquark().toString().equals("g1"))
            .map(
                t ->
                    String.format(
                        Locale.ROOT,
                        "%.3f %s",
                        -Math.sqrt(2) * t.coefficient().re(),
                        written(t.factors().get(0))))
            .collect(Collectors.joining(", ")));
  }

  /** Hadrons beside single hadrons of the same quantum numbers, and their opposites. */
  @Test
  void flavours_areThoseOfTheStates() {
    String lambda =
        """
            isospin: [0, 0]
            irrep: G1u
            row: 1
            operators:
            - {name: Lambda, hadrons: [{baryon: Lambda, momentum: [0, 0, 0], component: 1, parity: minus}]}
            - {name: product, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1}, {meson: %s, momentum: [0, 0, 0]}]}
            """;
    assertEquals(
        "net 1 d, 1 s, 1 u",
        QuantumNumbers.of(definition(lambda.formatted("Kbar"))).get(1).flavour());
    assertTrue(
        refusal(lambda.formatted("K"))
            .contains("it creates net 2 d, 1 anti-s, 2 u, the other creates net 1 d, 1 s, 1 u"),
        refusal(lambda.formatted("K")));

    String charm =
        """
            isospin: [0, 0]
            irrep: A1+
            quarks: {c: charm}
            mesons: {D: {like: Kbar, strange: c}}
            operators:
            - {name: DK, hadrons: [{meson: D, momentum: [0, 0, 0]}, {meson: %s, momentum: [0, 0, 0]}]}
            - {name: Ds0, terms: [{mesons: [{bar: s, gamma: 1, quark: c, momentum: [0, 0, 0]}]}]}
            """;
    assertEquals(
        List.of("net 1 c, 1 anti-s", "net 1 c, 1 anti-s"),
        QuantumNumbers.of(definition(charm.formatted("K"))).stream()
            .map(q -> q.flavour())
            .toList());
    assertTrue(refusal(charm.formatted("Kbar")).contains("cannot mix with operator 'DK'"));

    String pion =
        """
            isospin: [1, 1]
            irrep: A1-
            operators:
            - {name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}
            - {name: written, terms: [{mesons: [{bar: %s, gamma: g5, quark: %s, momentum: [0, 0, 0]}]}]}
            """;
    assertEquals("-", QuantumNumbers.of(definition(pion.formatted("d", "u"))).get(1).gParity());
    assertTrue(refusal(pion.formatted("u", "d")).contains("cannot mix with operator 'pi'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pi | 1 | -",
        "rho, polarization: z | 1 | +",
        "a0 | 1 | -",
        "a1, polarization: z | 1 | -",
        "b1, polarization: z | 1 | +",
        "eta | 0 | +",
        "omega, polarization: z | 0 | -",
        "f0 | 0 | +",
        "f1, polarization: z | 0 | +",
        "h1, polarization: z | 0 | -",
        "phi, polarization: z | 0 | -",
        "rhoxD1_J2_T2, polarization: z | 1 | -",
      })
  void gParity_isThatOfTheTable(String meson, int isospin, String expected) {
    for (int third = -isospin; third <= isospin; third++) {
      QuantumNumbers numbers =
          numbers(
              "isospin: [%d, %d]\nmomentum: [0, 0, 1]\n".formatted(isospin, third),
              "hadrons: [{meson: %s, momentum: [0, 0, 1]}]".formatted(meson));
      assertEquals(expected, numbers.gParity());
    }
  }

  private static final String TWO =
      """
          isospin: [%s, 0]
          irrep: %s
          %soperators:
          - {name: first, hadrons: [%s]}
          - {name: second, hadrons: [%s]}
          """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | T1+ | {meson: a1, momentum: [0, 0, 0], polarization: z} | {meson: b1, momentum: [0, 0, 0], polarization: z} | - | +",
        "0 | T1+ | {meson: f1, momentum: [0, 0, 0], polarization: z} | {meson: h1, momentum: [0, 0, 0], polarization: z} | + | -",
        "1 | T1- | {meson: rho, momentum: [0, 0, 0], polarization: z} | {meson: pi, momentum: [0, 0, 1]}, {meson: eta, momentum: [0, 0, -1]} | + | -",
        "1 | T1- | {meson: omega, momentum: [0, 0, 0], polarization: z}, {meson: a0, momentum: [0, 0, 0]} | {meson: pi, momentum: [0, 0, 1]}, {meson: eta, momentum: [0, 0, -1]} | + | -",
      })
  void oppositeGParity_isRefusedByName(
      String isospin, String irrep, String first, String second, String g, String other) {
    String text = TWO.formatted(isospin, irrep, "row: z\n", first, second);
    assertEquals(
        "x.yaml, line 7, operator 'second': cannot mix with operator 'first': it has G parity "
            + other
            + ", the other "
            + g
            + ", and elements between them vanish on average; put them into different definitions,"
            + " or write allow_zero: true at the top if this is meant",
        refusal(text));
    definition("allow_zero: true\n" + text);
    String asked = refusal("g_parity: " + g + "\n" + text);
    assertTrue(
        asked.contains("the operator has G parity " + other + ", and the definition asks for " + g),
        asked);
  }

  @Test
  void strangeProducts_areEigenstatesAsSums() {
    String kaons =
        """
            momentum: [0, 0, 1]
            isospin: [0, 0]
            irrep: A1
            %soperators:
            - {name: KK, hadrons: [{meson: K, momentum: [0, 0, 1]}, {meson: Kbar, momentum: [0, 0, 0]}]}
            """;
    Definition mixed = definition(kaons.formatted(""));
    assertEquals("no eigenstate", QuantumNumbers.of(mixed).get(0).gParity());
    assertTrue(mixed.mixedChargeParity().orElse("").contains("KK"));
    for (String sign : List.of("+", "-")) {
      Definition projected = definition(kaons.formatted("g_parity: " + sign + "\n"));
      assertEquals(sign, QuantumNumbers.of(projected).get(0).gParity());
      assertEquals(sign, QuantumNumbers.of(projected).get(0).cParity());
      assertTrue(projected.mixedChargeParity().isEmpty());
      assertEquals(projected, definition(kaons.formatted("c_parity: " + sign + "\n")));
    }
    assertNotEquals(mixed, definition(kaons.formatted("g_parity: +\n")));
  }

  @Test
  void writtenOutOperators_areAskedTheSame() {
    String u =
        "terms: [{mesons: [{bar: u, gamma: %s, quark: u, momentum: [0, 0, %d], displacement: %s}]}]";
    QuantumNumbers vector = numbers("", u.formatted("g3", 0, "none"));
    assertEquals("no net flavour", vector.flavour());
    assertEquals("0 and 1", vector.isospin());
    assertEquals("no eigenstate", vector.gParity());
    assertEquals("-", vector.cParity());
    assertEquals("T1- (row z)", vector.irrep());
    assertEquals("-", vector.conjugation());
    QuantumNumbers labels = numbers("quarks: {d: down}\n", u.formatted("g3", 0, "none"));
    assertEquals("none: u and d have different labels", labels.isospin());
    assertEquals("none: u and d have different labels", labels.gParity());
    assertEquals("-", labels.cParity());
    QuantumNumbers unknown = numbers("momentum: [0, 0, 1]\n", u.formatted("g5", 1, "twisted"));
    assertEquals("not decided: how displacement twisted rotates is not known", unknown.irrep());
    assertEquals(
        "not decided: what C makes of displacement twisted is not known", unknown.cParity());
    assertEquals(
        "not decided: what it makes of displacement twisted is not known", unknown.conjugation());
    assertEquals(
        "not decided: what C makes of displacement nabla_z at momentum [0, 0, 1] is not known",
        numbers("momentum: [0, 0, 1]\n", u.formatted("g5", 1, "nabla_z")).cParity());
    assertEquals("-", numbers("", u.formatted("g5", 0, "nabla_z")).cParity());
    assertEquals(
        "G1g (row 1)",
        numbers("", "terms: [{baryons: [{quarks: [u, d, s], component: 1, momentum: [0, 0, 0]}]}]")
            .irrep());
  }

  /** A definition with the names of before means the same as its present form. */
  @Test
  void earlierNames_areTranslated() {
    String text =
        """
            isospin: [%s]
            quarks: {c: charm}
            mesons: {D: {like: %s, strange: c}}
            operators:
            - {name: a, hadrons: [{meson: %s, momentum: [0, 0, 0]}, {meson: D, momentum: [0, 0, 0]}]}
            - {name: b, hadrons: [{meson: %sxD1_J1_T1, momentum: [0, 0, 0], polarization: z}, {meson: D, momentum: [0, 0, 0]}]}
            """;
    String earlier =
        "# names: earlier\nname: x\nallow_zero: true\n"
            + text.formatted("1, 1", "K", "Kbar", "Kstarbar");
    String present = "name: x\nallow_zero: true\n" + text.formatted("1, -1", "Kbar", "K", "Kstar");
    assertEquals(DefinitionLoader.parse("a", present), DefinitionLoader.parse("b", earlier));
    assertTrue(DefinitionLoader.isSame(present, earlier));
    String unmarked = earlier.substring(earlier.indexOf('\n') + 1);
    assertTrue(DefinitionLoader.differInNames(earlier, unmarked));
    assertEquals(earlier, DefinitionLoader.withEarlierNames(earlier));
    assertEquals(earlier, DefinitionLoader.withEarlierNames(unmarked));
  }
}
