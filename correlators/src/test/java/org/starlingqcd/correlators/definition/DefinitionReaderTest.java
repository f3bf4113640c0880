package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

class DefinitionReaderTest {
  private static final String PI =
      "isospin: [1, 1]\noperators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]\n";

  @Test
  void parse_scalars_meanWhatTheirKeySays() {
    Definition definition =
        parse(
            """
            name: no
            momentum: [+0, -1, 0]
            quarks: {y: 1e3, on: "off"}
            operators:
              - name: ~
                terms:
                  - coefficient: 1e-3
                    mesons: [{bar: y, gamma: 1, quark: on, momentum: [0, -1, 0]}]
                  - {coefficient: [.5, -2.], mesons: [{bar: "u", gamma: 'g4', quark: d,
                     momentum: [0, -1, 0], displacement: none}]}
            """);
    Momentum n = new Momentum(0, -1, 0);
    assertEquals(
        new CorrelationMatrix(
            "no",
            List.of(
                new Operator(
                    "~",
                    List.of(
                        new Term(
                            new Complex(1e-3, 0),
                            List.of(new Bilinear("y", Gamma.ONE, "on", n, "none"))),
                        new Term(
                            new Complex(0.5, -2),
                            List.of(new Bilinear("u", Gamma.G4, "d", n, "none")))))),
            Map.of("u", "light", "d", "light", "y", "1e3", "on", "off"),
            false),
        definition.toCorrelationMatrix());
    assertNull(definition.header().isospin());
    assertEquals("strange", definition.header().quarks().get("s"));
  }

  @Test
  void parse_baryons_haveTheirDefaults() {
    Operator operator =
        parse(
                """
                name: x
                operators:
                  - name: o
                    terms:
                      - mesons: [{bar: u, gamma: g5, quark: u, momentum: [0, 0, -1]}]
                        baryons:
                          - {quarks: [u, d, s], component: 3, momentum: [0, 0, 1]}
                          - {quarks: [s, s, s], diquark: Cg3g1, parity: '-', component: 1,
                             momentum: [0, 0, 0]}
                """)
            .toCorrelationMatrix()
            .operators()
            .get(0);
    // Baryons come first; the sign of g3g1 = -g1g3 is in the coefficient.
    assertEquals(
        new Operator(
            "o",
            List.of(
                new Term(
                    new Complex(-1, 0),
                    List.of(
                        new BaryonFactor(
                            "u", "d", "s", Gamma.G5, 1, 3, new Momentum(0, 0, 1), "none"),
                        new BaryonFactor(
                            "s", "s", "s", Gamma.parse("g1g3"), -1, 1, Momentum.ZERO, "none"),
                        new Bilinear("u", Gamma.G5, "u", new Momentum(0, 0, -1), "none"))))),
        operator);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{baryon: N, parity: PARITY, component: 1, momentum: [0, 0, 0]}",
        "{baryon: N, parity: PARITY , component: 1, momentum: [0, 0, 0]}",
        "{baryon: N, component: 1, momentum: [0, 0, 0], parity: PARITY}",
        "\n    - parity: PARITY\n      baryon: N\n      component: 1\n      momentum: [0, 0, 0]",
        "\n    - parity: PARITY # sign\n      baryon: N\n      component: 1\n      momentum: [0, 0, 0]"
      })
  void parse_parity_asWordOrSign(String hadron) {
    for (String parity : List.of("plus", "+", "'+'", "minus", "-", "'-'")) {
      boolean block = hadron.startsWith("\n");
      String list = hadron.replace("PARITY", parity);
      Definition definition =
          parse(
              "name: x\nisospin: [1/2, 1/2]\noperators:\n- name: o\n  hadrons: "
                  + (block ? list : "[" + list + "]")
                  + "\n");
      BaryonFactor factor =
          (BaryonFactor)
              definition.toCorrelationMatrix().operators().get(0).terms().get(0).factors().get(0);
      boolean plus = parity.contains("+") || parity.equals("plus");
      assertEquals(plus ? 1 : -1, factor.parity(), parity);
    }
  }

  /** One-point functions by default where the vacuum contributes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "isospin: [0, 0]; irrep: A1+ | f0 | true",
        "isospin: [0, 0]; irrep: A1+; vev: false | f0 | false",
        "isospin: [0, 0]; irrep: A1+; vev: TRUE | f0 | true",
        "isospin: [0, 0] | f0 | false",
        "isospin: [0, 0]; irrep: A1-; vev: True | eta | true",
        "isospin: [0, 0]; irrep: A1- | eta | false",
        "isospin: [1, 0]; irrep: A1+ | a0 | false",
      })
  void parse_vev_default(String header, String meson, boolean expected) {
    String text =
        "name: x\n"
            + header.replace("; ", "\n")
            + "\noperators: [{name: o, hadrons: [{meson: "
            + meson
            + ", momentum: [0, 0, 0]}]}]\n";
    assertEquals(expected, parse(text).toCorrelationMatrix().onePoint());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# a comment\nname: x\n" + PI,
        PI + "name: 'x'\n",
        "name: x\nmomentum: [0, 0, 0]\nvev: false\nquarks: {s: strange, u: light}\n" + PI,
        """
        name: x
        isospin: [1.0, 2/2]
        operators:
        - hadrons:
          - momentum: [0, -0, +0]
            meson: pi
          name: pi
          intermediate_isospin: []
        """,
        "{\"name\": \"x\", \"isospin\": [1, 1], \"operators\": [{\"name\": \"pi\", \"hadrons\":"
            + " [{\"meson\": \"pi\", \"momentum\": [0, 0, 0]}]}]}"
      })
  void equals_otherSpelling_isTheSame(String text) {
    Definition expected = parse("name: x\n" + PI);
    assertEquals(expected, parse(text));
    assertEquals(expected.hashCode(), parse(text).hashCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name: y\n" + PI,
        "name: x\nvev: true\n" + PI,
        "name: x\nquarks: {c: charm}\n" + PI,
        "name: x\nirrep: A1-\n" + PI,
      })
  void equals_anotherMeaning_isAnother(String text) {
    assertNotEquals(parse("name: x\n" + PI), parse(text));
  }

  @Test
  void equals_seedRow_defaultWrittenOut() {
    String text =
        "name: x\nisospin: [1, 1]\nirrep: T1-\nrow: z\noperators:\n- name: rho\n  hadrons: [{meson:"
            + " rho, momentum: [0, 0, 0], polarization: z}]\n";
    assertEquals(parse(text), parse(text + "  seed_row: z\n"));
    assertNotEquals(
        parse(text), parse(text.replace("polarization: z", "polarization: x") + "  seed_row: x\n"));
  }

  private static Definition parse(String text) {
    return DefinitionLoader.parse("x.yaml", text);
  }
}
