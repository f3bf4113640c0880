package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;

class OperatorsCommandTest {
  private static Cli nonInteracting(String... options) {
    return Cli.run(Cli.words("operators --non-interacting"), options);
  }

  @Test
  void irreps_printsATableForEachProduct() {
    Cli cli = Cli.run("operators", "N(0,0,1) pi(0,0,-1)", "N(0, 0, 0) N(0, 0, 0)", "--irreps").ok();
    List<String> lines = cli.out().lines().toList();
    assertEquals("N(0,0,1) pi(0,0,-1): total momentum [0, 0, 0]", lines.get(0));
    assertEquals("  Hg    1 2 3 4             1        1        1", lines.get(4));
    assertEquals("  T1+   x y z               1        1        0", lines.get(10));
  }

  @Test
  void json_hasTheTable() throws IOException {
    Cli cli = Cli.run("operators", "Delta(0,0,1) pi(0,0,-1)", "--json").ok();
    JsonNode table = cli.json().path("products").path(0);
    assertEquals("Delta(0,0,1) pi(0,0,-1)", table.path("product").asText());
    JsonNode hg = table.path("rows").path(4);
    assertEquals("Hg", hg.path("irrep").asText());
    assertEquals(2, hg.path("multiplicity").asInt());
    assertEquals(2, hg.path("operators").path("5/2").asInt());
  }

  /** What it prints is a definition with every independent operator below the bound. */
  @Test
  void nonInteracting_isADefinition() {
    Cli cli =
        nonInteracting(
                Cli.words("--irrep G1u --momentum 0,0,0 --masses N=0.6,pi=0.2 -L 24 --below 1.2"))
            .ok();
    Definition definition = DefinitionLoader.parse("printed", cli.out());
    assertEquals(
        List.of(
            "N(0,0,0) pi(0,0,0)",
            "N(0,0,1) pi(0,0,-1)",
            "N(0,1,1) pi(0,-1,-1)",
            "N(0,0,1) pi(0,0,0) pi(0,0,-1)",
            "N(0,0,1) pi(0,0,0) pi(0,0,-1) #2"),
        definition.operators().stream().map(OperatorDefinition::name).toList());
    cli.prints("# E = 0.984081");
  }

  /** Components, polarizations, seed rows and momenta in flight survive being read again. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Hg | 0,0,0 | N=0.6,pi=0.2,rho=0.4 | 1.25 | 3/2",
        "T1- | 0,0,0 | pi=0.2,K=0.3,Kbar=0.3 | 0.9 | 1",
        "T1+ | 0,0,0 | N=0.6 | 1.5 | 0",
        "G1 | 0,0,1 | N=0.6,pi=0.2,N-=0.8 | 1.2 | 1/2",
        "F1 | 1,1,1 | N=0.6,pi=0.2,Delta=0.7 | 1.3 | 3/2",
        "G | 0,-1,1 | Sigma=0.7,pi=0.2,N=0.6,K=0.3 | 1.2 | 1",
      })
  void nonInteracting_manyChannels_areRead(
      String irrep, String momentum, String masses, String below, String isospin) {
    Cli cli =
        nonInteracting(
                Cli.words(
                    "--irrep %s %s --masses %s -L 24 --below %s --isospin %s",
                    irrep, "--momentum=" + momentum, masses, below, isospin))
            .ok();
    Definition definition = DefinitionLoader.parse("printed", cli.out());
    assertTrue(definition.operators().size() > 2, cli.out());
    int[] n = Arrays.stream(momentum.split(",")).mapToInt(Integer::parseInt).toArray();
    assertEquals(new Momentum(n[0], n[1], n[2]), definition.header().momentum());
  }

  /** Products of another flavour cannot mix with the lightest; comments name them. */
  @Test
  void nonInteracting_otherFlavour_isNamedInAComment() {
    Cli cli =
        nonInteracting(
                Cli.words(
                    "--irrep G1u --masses Sigma=0.7,pi=0.2,N=0.6,K=0.4,Kbar=0.4 -L 24 --below 1.05 "
                        + "--isospin 0"))
            .ok();
    Definition definition = DefinitionLoader.parse("printed", cli.out());
    assertEquals(
        List.of("Sigma(0,0,0) pi(0,0,0)", "N(0,0,0) Kbar(0,0,0)"),
        definition.operators().stream().map(OperatorDefinition::name).toList());
    cli.prints(
        "# Left out because of its flavour: N(0,0,0) K(0,0,0) creates net 2 d, 1 anti-s,"
            + " 2 u\n");
  }

  /**
   * T_cc: two vanish for each that does not, and the two are those of the definition {@code tcc}.
   */
  @Test
  void tetraquarksAndProfiles_areListedOnRequest() {
    Cli cli =
        nonInteracting(
                Cli.words(
                    "--irrep T1+ --row z --isospin 0 --masses D=0.5,Dstar=0.55 --like"
                        + " D=Kbar:c,Dstar=Kstarbar:c -L 16 --below 1.06 --tetraquarks --profiles"
                        + " 0.5,1.5"))
            .ok();
    Definition definition = DefinitionLoader.parse("printed", cli.out());
    String triplet = "tetraquark1(0,0,0)";
    String sextet = "tetraquark2(0,0,0)";
    assertEquals(
        List.of(
            "D(0,0,0) Dstar(0,0,0)",
            triplet,
            sextet,
            "D(0,0,0) Dstar(0,0,0) g1",
            triplet + " g1",
            sextet + " g1",
            "D(0,0,0) Dstar(0,0,0) g2",
            triplet + " g2",
            sextet + " g2"),
        definition.operatorNames());
    assertTrue(cli.out().contains(triplet + "\"  # elementals/tetraquark/3bar3/0_0_0\n"));
    List<Operator> shipped =
        new DefinitionLoader().load("tcc").toCorrelationMatrix().operators().subList(0, 2);
    assertEquals(
        shipped.stream().map(Operator::terms).toList(),
        definition.toCorrelationMatrix().operators().subList(1, 3).stream()
            .map(Operator::terms)
            .toList());
  }

  /** With definite G each operator of hidden charm is listed with its partner, once. */
  @Test
  void tetraquarksOfHiddenCharm_haveTheGParity() {
    Cli cli =
        nonInteracting(
                Cli.words(
                    "--irrep T1+ --row x --isospin 1 --g-parity + --masses D=0.5,Dstarbar=0.55 --like"
                        + " D=Kbar:c,Dstarbar=Kstar:c -L 16 --below 1.06 --tetraquarks"))
            .ok();
    Definition definition = DefinitionLoader.parse("printed", cli.out());
    // Of both colours: 0+ with 1+ and 0- with 1-, with their partners, and 1± with 1±.
    assertEquals(1 + 2 * 4, definition.operators().size());
    assertTrue(definition.mixedChargeParity().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operators;D(0,0,1);--like;D=Kbar | --like: expected NAME=MESON:FLAVOUR",
        "operators;D(0,0,1);--like;D=Kbar:u | --like: expected NAME=MESON:FLAVOUR",
        "operators;D(0,0,1);--like;D=pi:c | --like: pi has no strange quark",
        "operators;D(0,0,1);--like;K=Kbar:c | --like: the name 'K' is taken",
        "operators;pi(0,0,1);--tetraquarks | expected either products such as",
        "operators;--non-interacting;--irrep;A1-;--masses;pi=0.2;-L;24;--below;1;--profiles;0 |"
            + " --profiles: expected positive widths",
        "operators | expected either products such as",
        "operators;N(0,0,1 | 'N(0,0,1': expected hadrons with their momenta",
        "operators;X(0,0,1) | unknown hadron 'X'",
        "operators;n(0,0,1) | did you mean N?",
        "operators;Sgima(0,0,1) | did you mean Sigma?",
        "operators;rohxD1_J2_T2(0,0,1) | did you mean rho?",
        "operators;--non-interacting;--irrep;T1u;--masses;pi=0.2;-L;24;--below;1 | did you mean T1-?",
        "operators;pi(0,0,1) N(0,0,0) | a baryon after a meson",
        "operators;N(0,0,0) N(0,0,0) N(0,0,0) | a product of 3 baryons",
        "operators;--non-interacting | --non-interacting needs --irrep",
        "operators;--non-interacting;--irrep;G1u | --masses: expected positive masses",
        "operators;--non-interacting;--irrep;G1u;--masses;N=0.6 | -L: expected the spatial extent",
        "operators;--non-interacting;--irrep;G1u;--masses;N=0.6;-L;24 | --below: expected",
        "operators;--non-interacting;--irrep;G1;--masses;N=0.6,pi=0.2;-L;24;--below;1 | unknown"
            + " irrep 'G1': the little group O_h",
        "operators;--non-interacting;--irrep;G1u;--row;3;--masses;N=0.6,pi=0.2;-L;24;--below;1 |"
            + " irrep G1u has no row '3'",
        "operators;--non-interacting;--irrep;G1u;--masses;N=0.6,pi=0.2;-L;24;--below;0.7 | no"
            + " product of two or three of the hadrons N, pi with an energy below 0.7",
        "operators;--non-interacting;--irrep;G1u;--masses;N=0.6,pi=0.2;-L;24;--below;1;--isospin;x"
            + " | --isospin: expected an integer or a half",
      })
  void wrongUse_isOneMessageAndStatus2(String arguments, String message) {
    Cli cli = Cli.run(arguments.split(";"));
    assertEquals(2, cli.status());
    assertEquals("", cli.out());
    cli.notes(message);
  }
}
