package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Term;

class CurrentDefinitionTest {
  private static final double ROOT = Math.sqrt(0.5);

  /** Operators in which every flavour occurs, at rest. */
  private static final String SOURCE =
      """
      name: x
      quarks: {c: charm}
      source:
        operators:
          - name: o
            terms:
              - {mesons: [{bar: u, gamma: g5, quark: u, momentum: [0, 0, 0]}]}
              - {mesons: [{bar: d, gamma: g5, quark: d, momentum: [0, 0, 0]}]}
              - {mesons: [{bar: s, gamma: g5, quark: s, momentum: [0, 0, 0]}]}
              - {mesons: [{bar: c, gamma: g5, quark: c, momentum: [0, 0, 0]}]}
      """;

  private static CurrentDefinition parse(String text) {
    return (CurrentDefinition) DefinitionLoader.parseAny("x.yaml", text);
  }

  private static List<CurrentTerm> terms(String insertion) {
    return parse(SOURCE + "insertions: [{name: j, " + insertion + "}]\n")
        .insertions()
        .get(0)
        .terms();
  }

  private static CurrentTerm term(
      double re, double im, String bar, int mask, String displacement, String quark) {
    CurrentVertex vertex = new CurrentVertex(new Gamma(mask, 1), displacement, Momentum.ZERO);
    return new CurrentTerm(new Complex(re, im), bar, vertex, quark);
  }

  @Test
  void flavours_realsFractionsAndPairs_areCoefficients() {
    assertEquals(
        List.of(
            term(2.0 / 3, 0, "u", 8, "none", "u"),
            term(-1.0 / 3, 0, "d", 8, "none", "d"),
            term(0.25, 0, "s", 8, "none", "s"),
            term(-0.5, 2, "c", 8, "none", "c")),
        terms("gamma: g4, flavours: {u: 2/3, d: -1/3, s: 0.25, c: [-1/2, 2]}"));
  }

  @Test
  void flavours_displacement_isThatOfTheData() {
    for (String displacement : List.of("none", "D_t", "D_xD_y", "conserved", "stout_link")) {
      assertEquals(
          List.of(term(1, 0, "u", 4, displacement, "u")),
          terms("gamma: g3, displacement: " + displacement + ", flavours: {u: 1}"));
    }
  }

  /** g3g5 = g3 g1g2g3g4 = g1g2 g3g3 g4 = g1g2g4. */
  @Test
  void gamma_sign_belongsToTheCoefficient() {
    assertEquals(List.of(term(-1, 0, "u", 3, "none", "u")), terms("gamma: g2g1, flavours: {u: 1}"));
    assertEquals(List.of(term(1, 0, "u", 11, "none", "u")), terms("gamma: g3g5, flavours: {u: 1}"));
    assertEquals(
        List.of(term(0, -1, "s", 3, "none", "s")),
        terms("terms: [{coefficient: [0, 1], bar: s, gamma: g2g1, quark: s}]"));
    // b1 in y is g3g1.
    assertEquals(
        List.of(term(ROOT, 0, "u", 5, "none", "u"), term(-ROOT, 0, "d", 5, "none", "d")),
        terms("meson: b1, i3: 0, polarization: y"));
  }

  @Test
  void meson_neutral_hasItsNormalization() {
    assertEquals(
        List.of(term(-ROOT, 0, "u", 1, "none", "u"), term(ROOT, 0, "d", 1, "none", "d")),
        terms("meson: rho, i3: 0, polarization: x"));
    assertEquals(
        List.of(term(ROOT, 0, "u", 1, "none", "u"), term(ROOT, 0, "d", 1, "none", "d")),
        terms("meson: omega, polarization: x"));
  }

  /** (g1 D_y + g2 D_x)/√2 is row z of J = 2, T2. */
  @Test
  void meson_withDerivatives_isASumOfDisplacements() {
    List<CurrentTerm> found = terms("meson: phixD1_J2_T2, i3: 0, polarization: z");
    assertEquals(2, found.size());
    for (CurrentTerm expected :
        List.of(term(ROOT, 0, "s", 1, "D_y", "s"), term(ROOT, 0, "s", 2, "D_x", "s"))) {
      assertTrue(
          found.stream()
              .anyMatch(
                  t ->
                      t.vertex().equals(expected.vertex())
                          && t.bar().equals("s")
                          && t.quark().equals("s")
                          && t.coefficient().plus(expected.coefficient().times(-1)).abs() < 1e-15),
          expected + " in " + found);
    }
  }

  @Test
  void meson_namesOfTheDefinition_serve() {
    assertEquals(
        List.of(term(1, 0, "c", 15, "none", "c")),
        parse(
                "mesons: {eta_c: {like: eta_s, strange: c}}\n"
                    + SOURCE
                    + "insertions: [{name: j, meson: eta_c}]\n")
            .insertions()
            .get(0)
            .terms());
  }

  @Test
  void terms_equalOnes_areAddedUp() {
    assertEquals(
        List.of(term(3, 0, "u", 15, "none", "u")),
        terms(
            "terms: [{bar: u, gamma: g5, quark: u}, {coefficient: 2, bar: u, gamma: g5, quark: u}]"));
  }

  @Test
  void sink_missing_isTheSource() {
    CurrentDefinition definition =
        parse(SOURCE + "insertions: [{name: j, gamma: 1, flavours: {u: 1}}]\n");
    assertSame(definition.source(), definition.sink());
    assertEquals("x", definition.name());
    assertEquals("x", definition.sink().name());
    assertFalse(definition.disconnected());
    assertEquals(
        Map.of("u", "light", "d", "light", "s", "strange", "c", "charm"), definition.quarkLabels());
  }

  @Test
  void vacuumQuantumNumbers_haveNoOnePointFunctions() {
    CurrentDefinition definition =
        parse(
            """
            name: x
            source:
              isospin: [0, 0]
              irrep: A1+
              operators:
                - {name: f0, hadrons: [{meson: f0, momentum: [0, 0, 0]}]}
            insertions: [{name: j, gamma: 1, flavours: {u: 1}}]
            """);
    assertFalse(definition.source().header().onePoint());
  }

  @Test
  void terms_thatContributeToNothing_areLeftOut() {
    CurrentDefinition definition =
        (CurrentDefinition) new DefinitionLoader().loadAny("charge_pion");
    assertEquals(
        List.of("u", "d"),
        definition.insertions().get(0).terms().stream().map(CurrentTerm::quark).toList());
    assertEquals(
        List.of("s"),
        definition.omitted().get(0).terms().stream().map(CurrentTerm::quark).toList());
    assertEquals(Map.of("u", "light", "d", "light"), definition.quarkLabels());
  }

  /** With loops a flavour contributes that no operator has, unless net flavours differ. */
  @Test
  void terms_ofLoops_areKept() {
    String pion = ShippedDefinitions.text("charge_pion");
    CurrentDefinition definition = parse(pion + "disconnected: true\n");
    assertEquals(3, definition.insertions().get(0).terms().size());
    assertEquals("strange", definition.quarkLabels().get("s"));
    String kaon = ShippedDefinitions.text("kaon_to_pion") + "disconnected: true\n";
    String loop =
        kaon.replace(
            "quark: d, momentum: [0, 0, 1]}]\n",
            "quark: d, momentum: [0, 0, 1]}, {bar: u, gamma: 1, quark: u, momentum: [0, 0, 1]}]\n");
    assertNotEquals(kaon, loop);
    assertEquals(parse(kaon).insertions(), parse(loop).insertions());
  }

  @Test
  void allowZero_keepsAnInsertionThatVanishes() {
    String text =
        ShippedDefinitions.text("charge_pion")
            + "  - {name: vanishing, terms: [{bar: s, gamma: 1, quark: d}]}\n";
    assertThrows(DefinitionException.class, () -> parse(text));
    assertEquals(
        List.of("s"),
        parse(text + "allow_zero: true\n").insertions().get(3).terms().stream()
            .map(CurrentTerm::bar)
            .toList());
  }

  /** Correlators with q = p_i - p_f for an orientation and integers that are not reduced. */
  @Test
  void momenta_areThoseOfTheOperatorsAsTurned() {
    CurrentDefinition definition =
        parse(
            """
            name: x
            sink:
              isospin: [1, 1]
              momentum: [0, 0, 1]
              orientation: [0, -1, 0]
              operators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 1]}]}]
            source:
              isospin: [1, 1]
              momentum: [5, 0, 0]
              operators: [{name: pi, hadrons: [{meson: pi, momentum: [5, 0, 0]}]}]
            insertions: [{name: j, gamma: g4, momentum: [5, 1, 0], flavours: {u: 1}}]
            """);
    assertEquals(
        new Momentum(5, 1, 0), definition.insertions().get(0).terms().get(0).vertex().momentum());
  }

  @Test
  void equals_otherSpelling_isTheSame() {
    String first = SOURCE + "insertions: [{name: j, gamma: g4g4g3, flavours: {u: 1/2, d: 1}}]\n";
    String second =
        "allow_zero: true\n"
            + SOURCE
            + """
            insertions:
              - name: j
                terms:
                  - {coefficient: 0.5, bar: u, gamma: g3, quark: u, momentum: [0, 0, 0]}
                  - {coefficient: [1, 0], bar: d, gamma: g3, quark: d, displacement: none}
            disconnected: false
            """;
    assertTrue(DefinitionLoader.isSame(first, second));
    assertEquals(parse(first).hashCode(), parse(second).hashCode());
    assertFalse(DefinitionLoader.isSame(first, first.replace("1/2", "1/3")));
    assertFalse(DefinitionLoader.isSame(first, first + "disconnected: true\n"));
    assertFalse(DefinitionLoader.isSame(first, first.replace("name: j", "name: k")));
    assertFalse(
        DefinitionLoader.isSame(
            first, first.replace("gamma: g5, quark: u", "gamma: g4g5, quark: u")));
    assertFalse(DefinitionLoader.isSame(first, ShippedDefinitions.text("pion")));
  }

  @Test
  void hasGrown_byOperatorsAndInsertions() {
    String before = ShippedDefinitions.text("ff_pion");
    String insertion =
        before + "  - {name: more, gamma: 1, momentum: [0, 0, 1], flavours: {u: 1}}\n";
    String operator =
        insertion.replace(
            "source:\n",
            "    - {name: pi_2, hadrons: [{meson: pi_2, momentum: [0, 0, 0]}]}\nsource:\n");
    assertTrue(DefinitionLoader.hasGrown(before, insertion));
    assertTrue(DefinitionLoader.hasGrown(before, operator));
    assertFalse(DefinitionLoader.hasGrown(insertion, before));
    assertFalse(DefinitionLoader.hasGrown(before, insertion + "disconnected: true\n"));
    assertFalse(DefinitionLoader.hasGrown(before, ShippedDefinitions.text("pion")));
    assertFalse(DefinitionLoader.isSame(before, insertion));
  }

  /**
   * T+ of a current of isospin I is √((I - m)(I + m + 1)) times the next component. T+ takes the
   * field d to u and ū to -d̄.
   */
  @ParameterizedTest
  @CsvSource({"rho, 2", "a1xD1_J1_T1, 2", "omega, 0", "Kstar, 1", "Kstarbar, 1"})
  void meson_componentsAreAMultiplet(String meson, int twiceIsospin) {
    for (int m = -twiceIsospin; m <= twiceIsospin; m += 2) {
      Map<CurrentTerm, Complex> raised = new HashMap<>();
      for (CurrentTerm term : component(meson, m)) {
        if (term.quark().equals("d")) {
          add(raised, term.coefficient(), term.bar(), term.vertex(), "u");
        }
        if (term.bar().equals("u")) {
          add(raised, term.coefficient().times(-1), "d", term.vertex(), term.quark());
        }
      }
      double root = 0.5 * Math.sqrt((twiceIsospin - m) * (double) (twiceIsospin + m + 2));
      assertEquals(m == twiceIsospin, root == 0);
      if (root > 0) {
        component(meson, m + 2)
            .forEach(
                t -> add(raised, t.coefficient().times(-root), t.bar(), t.vertex(), t.quark()));
      }
      raised.forEach((term, rest) -> assertEquals(0, rest.abs(), 1e-15, term::toString));
    }
  }

  private static void add(
      Map<CurrentTerm, Complex> sum, Complex c, String bar, CurrentVertex vertex, String quark) {
    sum.merge(new CurrentTerm(Complex.ONE, bar, vertex, quark), c, Complex::plus);
  }

  /**
   * With one label for u and d a three-point function of bilinears is a sum of two diagrams, whose
   * flavour factors are traces. Both are ⟨I_f m_f; I i3 | I_i m_i⟩ times a number that does not
   * depend on the components.
   */
  @ParameterizedTest
  @CsvSource({
    "pi, 2, rho, 2, pi, 2",
    "pi, 2, omega, 0, pi, 2",
    "eta, 0, rho, 2, pi, 2",
    "pi, 2, rho, 2, eta, 0",
    "K, 1, rho, 2, K, 1",
    "K, 1, phi, 0, K, 1",
    "pi, 2, Kstar, 1, K, 1",
    "Kbar, 1, Kstar, 1, pi, 2"
  })
  void meson_current_obeysWignerAndEckart(
      String sink,
      int twiceSink,
      String current,
      int twiceCurrent,
      String source,
      int twiceSource) {
    Double[] reduced = new Double[2];
    for (int f = -twiceSink; f <= twiceSink; f += 2) {
      for (int c = -twiceCurrent; c <= twiceCurrent; c += 2) {
        int i = f + c;
        if (Math.abs(i) > twiceSource) {
          continue;
        }
        CurrentDefinition definition =
            parse(
                "name: x\nallow_zero: true\n"
                    + side("sink", sink, twiceSink, f)
                    + side("source", source, twiceSource, i)
                    + "insertions: [{name: j, meson: "
                    + current
                    + ", i3: "
                    + c
                    + "/2, polarization: x}]\n");
        Complex[][] a = flavours(definition.sink());
        Complex[][] b = adjoint(flavours(definition.source()));
        Complex[][] j = zero();
        definition
            .insertions()
            .get(0)
            .terms()
            .forEach(t -> j[index(t.bar())][index(t.quark())] = t.coefficient());
        double expected =
            ClebschGordan.coefficient(twiceSink, f, twiceCurrent, c, twiceSource, i).doubleValue();
        double[] factors = {trace(a, j, b), trace(a, b, j)};
        for (int k = 0; k < 2; k++) {
          if (Math.abs(expected) < 1e-15) {
            assertEquals(0, factors[k], 1e-15);
          } else {
            reduced[k] = reduced[k] == null ? factors[k] / expected : reduced[k];
            assertEquals(reduced[k], factors[k] / expected, 1e-14);
          }
        }
      }
    }
    assertTrue(Math.abs(reduced[0]) + Math.abs(reduced[1]) > 0.1, "something does not vanish");
  }

  private static String side(String key, String meson, int twiceIsospin, int twiceThird) {
    return "%s: {isospin: [%d/2, %d/2], operators: [{name: o, hadrons: [{meson: %s, momentum: [0, 0, 0]}]}]}\n"
        .formatted(key, twiceIsospin, twiceThird, meson);
  }

  /** The coefficients of a bilinear, by flavours of bar and quark. */
  private static Complex[][] flavours(Definition side) {
    Complex[][] matrix = zero();
    for (Term term : side.toCorrelationMatrix().operators().get(0).terms()) {
      Bilinear bilinear = (Bilinear) term.factors().get(0);
      matrix[index(bilinear.bar())][index(bilinear.quark())] = term.coefficient();
    }
    return matrix;
  }

  private static int index(String flavour) {
    return "uds".indexOf(flavour);
  }

  private static Complex[][] zero() {
    Complex[][] matrix = new Complex[3][3];
    for (Complex[] row : matrix) {
      Arrays.fill(row, Complex.ZERO);
    }
    return matrix;
  }

  private static Complex[][] adjoint(Complex[][] a) {
    Complex[][] matrix = zero();
    for (int f = 0; f < 3; f++) {
      for (int g = 0; g < 3; g++) {
        matrix[g][f] = a[f][g].conjugate();
      }
    }
    return matrix;
  }

  /** The trace of a product, which is real here. */
  private static double trace(Complex[][] a, Complex[][] b, Complex[][] c) {
    double sum = 0;
    for (int f = 0; f < 3; f++) {
      for (int g = 0; g < 3; g++) {
        for (int h = 0; h < 3; h++) {
          sum += a[f][g].times(b[g][h]).times(c[h][f]).re();
        }
      }
    }
    return sum;
  }

  /** A component of a current between written-out operators, which allow any flavour. */
  private static List<CurrentTerm> component(String meson, int twiceThird) {
    return parse(
            SOURCE
                + "allow_zero: true\ninsertions: [{name: j, meson: "
                + meson
                + ", i3: "
                + twiceThird
                + "/2, polarization: z}]\n")
        .insertions()
        .get(0)
        .terms();
  }

  @Test
  void shipped_insertions_areThoseOfTheFile() {
    CurrentDefinition transition = (CurrentDefinition) new DefinitionLoader().loadAny("rho_to_pi");
    assertTrue(transition.disconnected());
    assertEquals(
        List.of("isoscalar", "electromagnetic"),
        transition.insertions().stream().map(Insertion::name).toList());
    assertEquals(2, transition.sink().operators().size());
    assertEquals(1, transition.source().operators().size());
    assertEquals(new Momentum(0, 0, 1), transition.source().header().total());
  }

  @Test
  void parse_theExampleOfThePage_isSound() throws IOException {
    String page = Files.readString(Path.of("../docs/formats.md"));
    int begin = page.indexOf("name: rho_to_pi");
    CurrentDefinition definition = parse(page.substring(begin, page.indexOf("```", begin)));
    assertEquals(
        List.of("electromagnetic", "isoscalar", "written_out"),
        definition.insertions().stream().map(Insertion::name).toList());
  }
}
