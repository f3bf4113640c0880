package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Term;

class RowContentTest {
  /** A projected operator, taken as terms that nobody projected, is in its row and in no other. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 0, 0, 0 | T1- | x | {meson: rho, momentum: [0, 0, 0], polarization: x}",
        "1 | 0, 0, 0 | T1+ | y | {meson: a1, momentum: [0, 0, 0], polarization: y}",
        "1 | 0, 0, 0 | T1+ | z | {meson: b1, momentum: [0, 0, 0], polarization: z}",
        "1 | 0, 0, 0 | E+ | 2 | {meson: rhoxD1_J2_E, momentum: [0, 0, 0], polarization: 2}",
        "1 | 0, 0, 0 | T2- | z | {meson: rhoxD2_J2__J3_T2, momentum: [0, 0, 0], polarization: z}",
        "1 | 0, 0, 0 | T1- | z | {meson: pi, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, -1]}",
        "1 | 0, 0, 1 | E | 1 | {meson: rho, momentum: [0, 0, 1], polarization: x}",
        "1/2 | 0, 0, 0 | G1u | 2 | {baryon: N, momentum: [0, 0, 0], component: 2, parity: minus}",
        "3/2 | 0, 0, 0 | Hg | 3 | {baryon: Delta, momentum: [0, 0, 0], component: 3}",
        "3/2 | 0, 0, 0 | Hu | 1 | {baryon: Delta, momentum: [0, 0, 0], component: 1, parity: minus}",
        "1/2 | 0, 0, 0 | G1u | 1 | {baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi,"
            + " momentum: [0, 0, -1]}",
        "0 | 0, 0, 0 | T1+ | z | {baryon: N, momentum: [0, 0, 0], component: 1}, {baryon: N,"
            + " momentum: [0, 0, 0], component: 2}",
        "3/2 | 1, 1, 1 | F1 | | {baryon: Delta, momentum: [1, 1, 1], component: 1}",
        "1/2 | 0, 0, 1 | G1 | 2 | {baryon: N, momentum: [0, 0, 1], component: 2}",
      })
  void projectedOperator_isInItsRowAlone(
      String isospin, String momentum, String irrep, String row, String hadrons) {
    String text =
        "name: x\nisospin: [%s, %s]\nmomentum: [%s]\nirrep: %s\n%soperators: [{name: o, hadrons: [%s]}]\n"
            .formatted(
                isospin,
                isospin,
                momentum,
                irrep,
                row == null ? "" : "row: " + row + "\n",
                hadrons);
    Definition definition = DefinitionLoader.parse("x.yaml", text);
    List<Term> terms = definition.toCorrelationMatrix().operators().get(0).terms();
    assertEquals(Optional.empty(), RowContent.undecided(terms));
    String[] n = momentum.split(", ");
    Momentum total =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    assertEquals(
        irrep + (row == null ? "" : " (row " + row + ")"),
        RowContent.text(terms, total, Irrep.of(irrep, total).isDoubleValued()));
  }

  private static final String RHO =
      """
      name: x
      isospin: [1, -1]
      irrep: T1-
      row: z
      operators:
        - {name: rho, hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: z}]}
        - name: w
          terms: [{mesons: [{bar: u, gamma: %s, quark: d, momentum: [0, 0, 0], displacement: %s}]}]
      """;

  @ParameterizedTest
  @CsvSource({
    "g1, none, T1- (row x)",
    "g4, none, A1+",
    "g1g2, none, T1+ (row z)",
    "g5, nabla_z, T1+ (row z)",
    "g1g5, D_x, 'A1-, E- (rows 1 2)'",
  })
  void writtenOutInAnotherRow_isRefused(String gamma, String displacement, String content) {
    DefinitionException e =
        assertThrows(
            DefinitionException.class,
            () -> DefinitionLoader.parse("x.yaml", RHO.formatted(gamma, displacement)));
    assertEquals(
        "x.yaml, line 7, operator 'w': cannot mix with operator 'rho': it creates "
            + content
            + ", the other creates T1- (row z), and elements between them vanish on average; put them"
            + " into different definitions, or write allow_zero: true at the top if this is meant",
        e.getMessage());
    assertDoesNotThrow(
        () ->
            DefinitionLoader.parse(
                "x.yaml", "allow_zero: true\n" + RHO.formatted(gamma, displacement)));
  }

  @ParameterizedTest
  @CsvSource({"g3, none", "g4g3, none", "1, nabla_z", "g3, D_xD_x", "g5, own"})
  void writtenOutInTheRowOrUnknown_passes(String gamma, String displacement) {
    assertDoesNotThrow(() -> DefinitionLoader.parse("x.yaml", RHO.formatted(gamma, displacement)));
  }

  /** What `expand --json` writes is a definition again. */
  @Test
  void projectedOperatorsWrittenOut_pass() throws Exception {
    for (String name : List.of("npi_g1u", "delta_h", "npi_111_f1", "rho_011_d1", "nn_t1")) {
      Definition definition = new DefinitionLoader().loadAll(List.of(name)).get(0);
      String json =
          new ObjectMapper().writeValueAsString(new ExpandedDefinition(definition).describe());
      assertDoesNotThrow(() -> DefinitionLoader.parse("x.yaml", json), name);
    }
  }
}
