package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpandCommandTest {
  @Test
  void expand_shipped_printsEveryOperator() {
    Cli cli = Cli.run("expand", "rho_pipi").ok();
    assertEquals(
        """
        rho_pipi: I = 1, I3 = -1, total momentum [0, 0, 0], irrep T1-, row z

        rho (1 term)
          flavour: net 1 d, 1 anti-u
          isospin: 1
          G: +; C: none: net 1 d, 1 anti-u
          irrep: T1- (row z)
          conjugation with parity: -
                              -1  ubar g3 d [0, 0, 0]

        pipi_001 (4 terms)
          flavour: net 1 d, 1 anti-u
          isospin: 1
          G: +; C: none: net 1 d, 1 anti-u
          irrep: T1- (row z)
          conjugation with parity: +
              0.7071067811865475  ubar g5 u [0, 0, 1]  ubar g5 d [0, 0, -1]
             -0.7071067811865475  dbar g5 d [0, 0, 1]  ubar g5 d [0, 0, -1]
             -0.7071067811865475  ubar g5 d [0, 0, 1]  ubar g5 u [0, 0, -1]
              0.7071067811865475  ubar g5 d [0, 0, 1]  dbar g5 d [0, 0, -1]

        """
            .stripTrailing(),
        cli.out().substring(0, cli.out().indexOf("\n\npipi_011")).stripTrailing());
    assertEquals("", cli.err());
  }

  @Test
  void expand_baryonsAndDisplacements_arePrinted(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(
        file,
        "name: x\n"
            + "operators: [{name: o, terms: [{coefficient: [0.5, -2], mesons: [{bar: u, gamma:"
            + " g3g5, quark: s, momentum: [0, 0, 0], displacement: nabla_y}], baryons: [{quarks:"
            + " [u, s, d], diquark: Cg4g5, parity: minus, component: 2, momentum: [0, 0,"
            + " 0]}]}]}]\n");
    Cli cli = Cli.run("expand", file.toString()).ok();
    assertEquals(
        """
        x: total momentum [0, 0, 0]

        o (1 term)
          flavour: net 1 d, 2 s
          isospin: 1/2 and 3/2
          G: none: net 1 d, 2 s; C: none: net 1 d, 2 s
          irrep: G1g (row 1), G2g (row 1), Hg (rows 2 4)
          conjugation with parity: +
                       [0.5, -2]  (u Cg4g5 s) d - 2 [0, 0, 0]  ubar g3g5 nabla_y s [0, 0, 0]
        """,
        cli.out());
  }

  /** One more than an HDF5 attribute of strings holds names. */
  @Test
  void expand_thousandsOfOperators_hasAllOfThem(@TempDir Path folder) throws IOException {
    int count = 4096;
    StringBuilder text = new StringBuilder("name: x\nisospin: [1, 1]\noperators:\n");
    for (int k = 0; k < count; k++) {
      text.append("  - {name: o%d, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}\n".formatted(k));
    }
    Path file = Files.writeString(folder.resolve("x.yaml"), text);
    JsonNode operators =
        Cli.run("expand", file.toString(), "--json").ok().json().findValue("operators");
    assertEquals(count, operators.size());
    assertEquals("o" + (count - 1), operators.get(count - 1).get("name").asText());
  }

  @Test
  void expand_json_isADefinition() throws JsonProcessingException {
    Cli cli = Cli.run("expand", "sigma", "--json").ok();
    JsonNode root = cli.json();
    assertEquals("sigma", root.get("name").asText());
    assertEquals("[\"0\",\"0\"]", root.get("isospin").toString());
    assertEquals("true", root.get("vev").toString());
    assertEquals(
        "{\"coefficient\":[0.7071067811865476,0.0],\"mesons\":[{\"bar\":\"u\",\"gamma\":\"1\","
            + "\"quark\":\"u\",\"momentum\":[0,0,0]}]}",
        root.get("operators").get(0).get("terms").get(0).toString());
  }

  @Test
  void expand_wrongDefinition_isOneMessageAndStatus2(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, "name: x\noperator: []\n");
    Cli cli = Cli.run("expand", file.toString());
    assertEquals(2, cli.status());
    assertEquals("", cli.out());
    assertEquals(
        "starling: "
            + file
            + ", line 2: unknown key 'operator' in a definition: expected one of name, isospin,"
            + " momentum, orientation, irrep, row, g_parity, c_parity, quarks, vev, allow_zero,"
            + " mesons, baryons, tetraquarks, profiles, operators, quantum_numbers, stochastic,"
            + " noise_subsets; did you mean operators?\n",
        cli.err());
  }

  @Test
  void expand_threePointFunctions_printsBothSidesAndEveryCurrent(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(
        file,
        """
        name: x
        disconnected: false
        sink:
          isospin: [1, 1]
          irrep: A1-
          operators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]
        source:
          isospin: [1, 1]
          momentum: [0, 0, 1]
          irrep: A2
          operators: [{name: pi_001, hadrons: [{meson: pi, momentum: [0, 0, 1]}]}]
        insertions:
          - {name: em, gamma: g4, momentum: [0, 0, 1], flavours: {u: 2/3, d: -1/3, s: -1/3}}
          - {name: moment, gamma: g2g1, displacement: D_t, momentum: [0, 0, 1], flavours: {d: [0, 1]}}
        """);
    Cli cli = Cli.run("expand", file.toString());
    assertEquals("", cli.err());
    assertEquals(
        """
        x: three-point functions

        sink: I = 1, I3 = 1, total momentum [0, 0, 0], irrep A1-

        pi (1 term)
          flavour: net 1 anti-d, 1 u
          isospin: 1
          G: -; C: none: net 1 anti-d, 1 u
          irrep: A1-
          conjugation with parity: -
                               1  dbar g5 u [0, 0, 0]

        source: I = 1, I3 = 1, total momentum [0, 0, 1], irrep A2

        pi_001 (1 term)
          flavour: net 1 anti-d, 1 u
          isospin: 1
          G: -; C: none: net 1 anti-d, 1 u
          irrep: A2
          conjugation with parity: -
                               1  dbar g5 u [0, 0, 1]

        insertions:

        em (2 terms)
              0.6666666666666666  ubar g4 u [0, 0, 1]
             -0.3333333333333333  dbar g4 d [0, 0, 1]
          left out, because they contribute to no pair of operators:
             -0.3333333333333333  sbar g4 s [0, 0, 1]

        moment (1 term)
                         [0, -1]  dbar g1g2 D_t d [0, 0, 1]
        """,
        cli.out());
    JsonNode json = new ObjectMapper().readTree(Cli.run("expand", file.toString(), "--json").out());
    assertEquals(
        "{\"name\":\"moment\",\"terms\":[{\"coefficient\":[0.0,-1.0],\"bar\":\"d\",\"gamma\":\"g1g2\","
            + "\"quark\":\"d\",\"momentum\":[0,0,1],\"displacement\":\"D_t\"}]}",
        json.get("insertions").get(1).toString());
  }

  @Test
  void expand_oneSideForBoth_isPrintedOnce() {
    String out = Cli.run("expand", "sigma_terms").out();
    assertEquals(
        """
        sigma_terms: three-point functions with loops

        sink and source: I = 0, I3 = 0, total momentum [0, 0, 0], irrep A1-
        """,
        out.substring(0, out.indexOf("\neta (")));
    assertEquals(out.indexOf("\neta ("), out.lastIndexOf("\neta ("));
  }
}
