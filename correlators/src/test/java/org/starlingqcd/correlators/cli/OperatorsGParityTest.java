package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.QuantumNumbers;

/** G parity in {@code starling operators}. */
@Tag("slow")
class OperatorsGParityTest {
  private static String listing(String irrep, String isospin, String gParity) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                Cli.words(
                    "operators --non-interacting --irrep %s --isospin %s --masses "
                        + "pi=0.1,eta=0.25,rho=0.3,K=0.3,Kbar=0.3 -L 16 --below 0.88",
                    irrep, isospin)));
    if (!gParity.isEmpty()) {
      arguments.addAll(List.of("--g-parity", gParity));
    }
    Cli cli = Cli.run(arguments.toArray(String[]::new)).ok();
    return cli.out();
  }

  /** Pions with an even and an odd number, kaons of both: each listing has one G. */
  @ParameterizedTest
  @CsvSource({"T1-,1,+", "T1-,1,-", "T1-,0,-", "A1+,0,+", "A1+,1,-", "T1+,1,-", "T1+,0,-"})
  void nonInteracting_hasOneGParity(String irrep, String isospin, String sign) {
    String text = listing(irrep, isospin, sign);
    assertTrue(text.contains("g_parity: \"" + sign + "\"\n"), text);
    Definition definition = DefinitionLoader.parse("x.yaml", text);
    for (QuantumNumbers numbers : QuantumNumbers.of(definition)) {
      assertEquals(sign, numbers.gParity(), numbers.operator());
    }
    assertFalse(definition.operators().isEmpty());
  }

  @Test
  void nonInteracting_withoutTheOption_hasTheGParityOfTheLightestProduct() {
    assertEquals(listing("T1-", "1", "+"), listing("T1-", "1", ""));
  }

  @Test
  void irreps_showGParity() {
    Cli both =
        Cli.run("operators", "pi(0,0,1) eta(0,0,-1)", "K(0,0,1) Kbar(0,0,0)", "K(0,0,0) pi(0,0,0)")
            .ok();
    List<String> lines = both.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertTrue(lines.contains(" T1- x y z 1 1 (G: -)"), both.out());
    assertTrue(lines.contains(" A1 - 1 1 (G = C: +-) 1 (G: +-)"), both.out());
    assertTrue(lines.contains(" A1+ - 1 1 1"), both.out());
    Cli minus = Cli.run("operators", "pi(0,0,1) pi(0,0,-1)", "--g-parity", "-", "--json");
    minus.prints("\"g_parity\"");
    assertFalse(minus.out().contains("\"1\" : 1"), minus.out());
    Cli.run("operators", "pi(0,0,0)", "--g-parity", "0")
        .refused("--g-parity: expected + or -, found '0'");
  }
}
