package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.survey.HadronText;
import org.starlingqcd.correlators.definition.survey.IrrepTable;

class ProductContentTest {
  /** The multiplicities that the conventions list. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "N(0,0,0) pi(0,0,0) | G1u",
        "N(0,0,1) pi(0,0,-1) | G1g G1u Hg Hu",
        "N(0,1,1) pi(0,-1,-1) | G1g G1u G2g G2u 2Hg 2Hu",
        "N(1,1,1) pi(-1,-1,-1) | G1g G1u G2g G2u Hg Hu",
        "N(0,0,0) rho(0,0,0) | G1u Hu",
        "N(0,0,1) rho(0,0,-1) | 2G1g 2G1u G2g G2u 3Hg 3Hu",
        "Delta(0,0,0) pi(0,0,0) | Hu",
        "Delta(0,0,1) pi(0,0,-1) | G1g G1u G2g G2u 2Hg 2Hu",
        "N(0,0,0) pi(0,0,1) | G1",
        "N(0,0,1) pi(0,0,0) | G1",
        "N(0,1,0) pi(0,-1,1) | 2G1 2G2",
        "N(0,1,0) pi(0,0,1) | 2G",
        "N(1,1,0) pi(0,0,1) | 2G F1 F2",
        "N(0,1,1) pi(0,0,1) | F1 F2",
        "Delta(0,0,1) | G1 G2",
        "Delta(0,1,1) | 2G",
        "Delta(1,1,1) | G F1 F2",
        "N(0,0,0) N(0,0,0) | A1+ T1+",
        "N(0,0,0) | G1g",
        "N-(0,0,0) | G1u",
        "Omega(0,0,0) | Hg",
        "N(1,2,3) | ''",
        "pi(0,0,1) pi(0,0,-1) | A1+ E+ T1-",
        "rho(0,0,0) | T1-",
      })
  void multiplicities_areThoseOfTheConventions(String product, String content) {
    assertEquals(
        content,
        new ProductContent(HadronText.product(product, new HadronNames(false)))
            .multiplicities().entrySet().stream()
                .map(e -> (e.getValue() == 1 ? "" : e.getValue()) + e.getKey().name())
                .collect(Collectors.joining(" ")));
  }

  /** Isospin decides which of the exchange-symmetric combinations there is. */
  @Test
  void operators_ofEqualHadrons_dependOnIsospin() {
    assertEquals(List.of("A1+ {0=0, 1=1}", "T1+ {0=1, 1=0}"), operators("N(0,0,0) N(0,0,0)"));
    assertEquals(
        List.of("A1+ {0=1, 1=0, 2=1}", "E+ {0=1, 1=0, 2=1}", "T1- {0=0, 1=1, 2=0}"),
        operators("pi(0,0,1) pi(0,0,-1)"));
    assertEquals(List.of("A1- {0=0, 1=1, 2=0, 3=1}"), operators("pi(0,0,0) pi(0,0,0) pi(0,0,0)"));
  }

  /** As many operators as the multiplicity where all hadrons differ, for each isospin. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "N(0,1,1) pi(0,-1,-1)",
        "N(0,0,1) rho(0,0,-1)",
        "Delta(0,0,1) pi(0,0,-1)",
        "N(0,1,0) pi(0,-1,1)",
        "N(1,1,0) pi(0,0,1)",
        "N(0,1,1) pi(0,0,1)",
        "Sigma(0,0,1) K(0,1,0)",
      })
  void operators_ofDifferentHadrons_areTheMultiplicity(String product) {
    for (IrrepTable.Row row :
        IrrepTable.of(HadronText.product(product, new HadronNames(false)), 0).rows()) {
      row.operators()
          .forEach((isospin, count) -> assertEquals(row.multiplicity(), count, row.toString()));
    }
  }

  private static List<String> operators(String product) {
    return IrrepTable.of(HadronText.product(product, new HadronNames(false)), 0).rows().stream()
        .map(row -> row.irrep() + " " + row.operators())
        .toList();
  }

  /** A seed has parts in those irreps and rows that the messages name. */
  @Test
  void seedRows_ofAComponentAlongTheMomentum() {
    List<HadronFactor> seed = HadronText.product("N(0,0,1) pi(0,0,-1)", new HadronNames(false));
    ProductContent content = new ProductContent(seed);
    assertEquals(
        "G1g (seed row 1), G1u (seed row 1), Hg (seed row 2), Hu (seed row 2)", content.seedText());
    assertEquals(
        "G1g (rows 1 2), G1u (rows 1 2), Hg (rows 1 2 3 4), Hu (rows 1 2 3 4)", content.text());
  }
}
