package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of {@code docs/physics.md} on G parity, C and conjugation with parity. */
class ChargeParityTest {
  private static QuantumNumbers numbers(String isospin, String hadrons) {
    return QuantumNumbers.of(
            DefinitionLoader.parse(
                "x.yaml",
                "name: x\nisospin: ["
                    + isospin
                    + "]\noperators: [{name: o, hadrons: ["
                    + hadrons
                    + "]}]\n"))
        .get(0);
  }

  private static String hadron(String name) {
    boolean vector = name.matches("(rho|omega)(_2)?|a1|b1|f1|h1|phi|.*_T1");
    return "{meson: " + name + ", momentum: [0, 0, 0]" + (vector ? ", polarization: z}" : "}");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'pi a0 a1 pi_2 rhoxD1_J1_T1 b1xD1_J0_A1 a1xD2_J0__J1_T1', -",
    "1, 'rho b1 b_0 rho_2 a1xD1_J0_A1 a0xD1_J1_T1 a1xD2_J1__J1_T1', +",
    "0, 'eta f0 f1 eta_2 eta_s f0_s', +",
    "0, 'omega h1 h_0 omega_2 phi', -",
  })
  void gParity_isTheTable(int isospin, String names, String g) {
    for (String name : names.split(" ")) {
      for (int third = -isospin; third <= isospin; third++) {
        QuantumNumbers numbers = numbers(isospin + ", " + third, hadron(name));
        assertEquals(g, numbers.gParity(), name);
        boolean even = isospin % 2 == 0;
        String c =
            third == 0
                ? even == g.equals("+") ? "+" : "-"
                : third > 0 ? "none: net 1 anti-d, 1 u" : "none: net 1 d, 1 anti-u";
        assertEquals(c, numbers.cParity(), name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1, 1 | {meson: pi, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, -1]} | +",
        "1, 0 | {meson: rho, momentum: [0, 0, 0], polarization: x}, {meson: pi, momentum: [0, 0, 0]} | -",
        "1, 1 | {meson: K, momentum: [0, 0, 1]}, {meson: Kbar, momentum: [0, 0, -1]} | no eigenstate",
        "0, 0 | {meson: K, momentum: [0, 0, 0]}, {meson: Kbar, momentum: [0, 0, 0]} | +",
        "1/2, 1/2 | {meson: K, momentum: [0, 0, 0]} | none: net 1 anti-s, 1 u",
        "1/2, 1/2 | {baryon: N, momentum: [0, 0, 0], component: 1} | none: net 1 d, 2 u",
      })
  void gParity_ofProducts(String isospin, String hadrons, String g) {
    assertEquals(g, numbers(isospin, hadrons).gParity());
  }

  /**
   * A product completed by its partner is an eigenstate of the sign asked for, as long as before.
   */
  @ParameterizedTest
  @CsvSource({"+", "-"})
  void gParity_completesKaons(String g) {
    Definition definition =
        DefinitionLoader.parse(
            "x.yaml",
            "name: x\nisospin: [1, 1]\nirrep: T1+\nrow: z\ng_parity: "
                + g
                + "\noperators: [{name: o, hadrons: [{meson: Kstar, momentum: [0, 0, 0], polarization:"
                + " z}, {meson: Kbar, momentum: [0, 0, 0]}]}]\n");
    assertEquals(g, QuantumNumbers.of(definition).get(0).gParity());
    assertEquals(
        1,
        definition.toCorrelationMatrix().operators().get(0).terms().stream()
            .mapToDouble(term -> Math.pow(term.coefficient().abs(), 2))
            .sum(),
        1e-14);
  }

  /** A factor -1 for each spatial gamma matrix and each derivative; a coefficient i changes it. */
  @ParameterizedTest
  @CsvSource({
    "pi, -",
    "a0, +",
    "rho, -",
    "a1, +",
    "b1, +",
    "pi_2, -",
    "b_0, +",
    "rho_2, -",
    "a0xD1_J1_T1, -",
  })
  void conjugation_ofMesons(String name, String sign) {
    assertEquals(sign, numbers("1, 1", hadron(name)).conjugation());
    assertEquals(
        sign.equals("+") ? "-" : "+",
        QuantumNumbers.of(
                DefinitionLoader.parse(
                    "x.yaml",
                    "name: x\nisospin: [1, 1]\noperators: [{name: o, coefficient: [0, 1], hadrons: ["
                        + hadron(name)
                        + "]}]\n"))
            .get(0)
            .conjugation());
  }
}
