package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;

class IsospinContentTest {
  private static String content(String text) {
    return IsospinContent.of(
            DefinitionLoader.parse("x.yaml", "name: x\n" + text)
                .toCorrelationMatrix()
                .operators()
                .get(0)
                .terms())
        .orElseThrow()
        .stream()
        .map(HalfInteger::toString)
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0, 0; {meson: eta, momentum: [0, 0, 0]}",
        "1, 0; {meson: pi, momentum: [0, 0, 0]}",
        "1/2, 1/2; {meson: K, momentum: [0, 0, 0]}",
        "1/2, -1/2; {baryon: N, momentum: [0, 0, 0], component: 1}",
        "3/2, -1/2; {baryon: Delta, momentum: [0, 0, 0], component: 2}",
        "0, 0; {baryon: Lambda, momentum: [0, 0, 0], component: 1}",
        "1, 0; {baryon: Sigma, momentum: [0, 0, 0], component: 1}",
        "1, 1; {baryon: Sigmastar, momentum: [0, 0, 0], component: 1}",
        "1/2, 1/2; {baryon: N, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "3/2, 1/2; {baryon: Delta, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "5/2, 1/2; {baryon: Delta, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "2, 0; {meson: pi, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 0]}",
        "0, 0; {meson: pi, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 0]}",
        "0, 0; {baryon: Sigma, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "2, 0; {baryon: Sigma, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "1, 0; {baryon: N, momentum: [0, 0, 0], component: 1}, {meson: K, momentum: [0, 0, 0]}",
      })
  void content_ofHadrons_isTheirTotalIsospin(String isospin, String hadrons) {
    String total = isospin.substring(0, isospin.indexOf(','));
    assertEquals(
        total,
        content(
            "isospin: [" + isospin + "]\noperators: [{name: O, hadrons: [" + hadrons + "]}]\n"));
  }

  private static final String MESON = "{bar: %s, gamma: g5, quark: %s, momentum: [0, 0, 0]}";

  private static String terms(String name, String... terms) {
    StringBuilder text = new StringBuilder("  - name: " + name + "\n    terms:\n");
    for (String term : terms) {
      String[] parts = term.split(" ");
      text.append("      - {coefficient: " + parts[0] + ", mesons: [");
      for (int k = 1; k < parts.length; k++) {
        text.append(k > 1 ? ", " : "")
            .append(MESON.formatted(parts[k].substring(0, 1), parts[k].substring(1)));
      }
      text.append("]}\n");
    }
    return text.toString();
  }

  @Test
  void content_ofPartsOfSeveralIsospins_listsAll() {
    assertEquals("0 1", content("operators:\n" + terms("O", "1 uu")));
    // Charged pions with I3 = 0: isospin 1 cancels between the two orders of equal mesons.
    assertEquals("0 2", content("operators:\n" + terms("O", "1 du ud")));
    assertEquals("2", content("operators:\n" + terms("O", "1 du du")));
    assertEquals("0", content("operators:\n" + terms("O", "1 ss")));
  }

  /**
   * A projection makes thousands of terms, each with a few others that differ in flavours alone.
   */
  @Test
  void content_ofManyTerms_isDecided() {
    String text =
        """
        isospin: [3, 0]
        irrep: E+
        row: 1
        operators:
          - name: O
            hadrons:
              - {meson: rhoxD2_J1__J1_T1, momentum: [0, 1, 2], polarization: x}
              - {meson: a1xD2_J2__J2_E, momentum: [1, -1, 0], polarization: 1}
              - {meson: pi, momentum: [-1, 0, -2]}
            intermediate_isospin: [2]
        """;
    Definition definition = DefinitionLoader.parse("x.yaml", "name: x\n" + text);
    assertTrue(definition.toCorrelationMatrix().operators().get(0).terms().size() > 3000);
    assertEquals("3", content(text));
  }

  @Test
  void operatorsOfDifferentIsospin_areRefused() {
    String two = terms("pi0", "1 uu", "-1 dd") + terms("eta", "1 uu", "1 dd");
    DefinitionException e =
        assertThrows(
            DefinitionException.class,
            () -> DefinitionLoader.parse("x.yaml", "name: x\noperators:\n" + two));
    assertTrue(
        e.getMessage()
            .contains(
                "operator 'eta': cannot mix with operator 'pi0': it creates no net flavour with"
                    + " isospin 0, the other creates no net flavour with isospin 1"),
        e.getMessage());
    assertDoesNotThrow(
        () -> DefinitionLoader.parse("x.yaml", "name: x\nallow_zero: true\noperators:\n" + two));
  }

  @ParameterizedTest
  @ValueSource(strings = {"quarks: {u: up, d: down}\n", "quarks: {d: down}\n"})
  void withoutDegenerateQuarks_nothingIsRefused(String quarks) {
    String two = terms("pi0", "1 uu", "-1 dd") + terms("eta", "1 uu", "1 dd");
    assertDoesNotThrow(
        () -> DefinitionLoader.parse("x.yaml", "name: x\n" + quarks + "operators:\n" + two));
  }

  @Test
  void operatorsWithACommonIsospin_pass() {
    String two = terms("uu", "1 uu") + terms("eta", "1 uu", "1 dd") + terms("eta_s", "1 ss");
    assertDoesNotThrow(() -> DefinitionLoader.parse("x.yaml", "name: x\noperators:\n" + two));
  }

  @Test
  void operatorWrittenOutBesideHadrons_hasTheirIsospin() {
    String text =
        """
        name: x
        isospin: [1, 0]
        operators:
          - {name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}
        """;
    assertDoesNotThrow(
        () -> DefinitionLoader.parse("x.yaml", text + terms("same", "1 uu", "-1 dd")));
    assertThrows(
        DefinitionException.class,
        () -> DefinitionLoader.parse("x.yaml", text + terms("other", "1 uu", "1 dd")));
  }
}
