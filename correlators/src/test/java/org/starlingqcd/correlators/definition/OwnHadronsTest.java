package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;

/** Hadrons that a definition names itself, and mesons with derivatives in definitions. */
class OwnHadronsTest {
  private static final double ROUNDING = 1e-15;

  private static final String CHARM = "quarks: {c: charm}\n";

  private static Operator operator(String text) {
    return DefinitionLoader.parse("x.yaml", "name: x\n" + text)
        .toCorrelationMatrix()
        .operators()
        .get(0);
  }

  /** One operator of these hadrons, after {@code head}. */
  private static Operator hadrons(String head, String hadrons) {
    return operator(head + "operators:\n  - {name: o, hadrons: [" + hadrons + "]}\n");
  }

  private static Map<String, Complex> coefficients(Operator operator) {
    Map<String, Complex> coefficients = new HashMap<>();
    for (Term term : operator.terms()) {
      StringBuilder text = new StringBuilder();
      for (Factor factor : term.factors()) {
        if (factor instanceof Bilinear b) {
          text.append(b.bar()).append(' ').append(b.gamma()).append(' ').append(b.displacement());
          text.append(' ').append(b.quark()).append(b.momentum());
        } else if (factor instanceof BaryonFactor b) {
          text.append(b.quark1()).append(b.quark2()).append(b.quark3()).append(b.momentum());
        }
      }
      coefficients.put(text.toString(), term.coefficient());
    }
    return coefficients;
  }

  private static void assertTerms(Map<String, Double> expected, Operator operator) {
    Map<String, Complex> actual = coefficients(operator);
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach(
        (term, c) -> {
          assertEquals(c, actual.getOrDefault(term, Complex.ZERO).re(), ROUNDING, term);
          assertEquals(0, actual.getOrDefault(term, Complex.ZERO).im(), ROUNDING, term);
        });
  }

  @Test
  void like_hasTheOtherFlavour() {
    String d = "isospin: [1/2, -1/2]\n" + CHARM + "mesons: {D: {like: Kbar, strange: c}}\n";
    assertTerms(
        Map.of("u g5 none c[0, 0, 0]", -1.0), hadrons(d, "{meson: D, momentum: [0, 0, 0]}"));
    String etac = "isospin: [0, 0]\n" + CHARM + "mesons: {eta_c: {like: eta_s, strange: c}}\n";
    assertTerms(
        Map.of("c g5 none c[0, 0, 0]", 1.0), hadrons(etac, "{meson: eta_c, momentum: [0, 0, 0]}"));
    String lambda =
        "isospin: [0, 0]\n" + CHARM + "baryons: {Lambda_c: {like: Lambda, strange: c}}\n";
    assertTerms(
        Map.of("udc[0, 0, 0]", 1.0),
        hadrons(lambda, "{baryon: Lambda_c, momentum: [0, 0, 0], component: 1}"));
  }

  /** What follows may be made of what precedes; derivatives act on names of one's own too. */
  @Test
  void names_buildOnEachOther() {
    String head =
        "isospin: [1/2, -1/2]\nirrep: T1+\nrow: x\n"
            + CHARM
            + "mesons:\n"
            + "  Dstar: {like: Kstarbar, strange: c}\n"
            + "  D1: [{meson: DstarxD1_J1_T1, coefficient: 2}]\n";
    double half = 2 * Math.sqrt(0.5);
    assertTerms(
        Map.of("u g2 D_z c[0, 0, 0]", -half, "u g3 D_y c[0, 0, 0]", half),
        hadrons(head, "{meson: D1, momentum: [0, 0, 0], polarization: x}"));
  }

  /** Coefficients are taken as they are; the projection normalizes the products of hadrons. */
  @Test
  void combination_keepsItsCoefficients() {
    String head =
        """
        isospin: [2, -2]
        irrep: A1+
        mesons:
          pi_opt:
            combination:
              - {meson: pi, coefficient: 0.75}
              - {meson: pi_2, coefficient: [0, -0.25]}
              - {meson: b1xD1_J0_A1, coefficient: 0.5}
            momenta: [[0, 0, 1], [1, 1, 0]]
        """;
    Operator pair =
        hadrons(
            head, "{meson: pi_opt, momentum: [0, 0, 1]}, {meson: pi_opt, momentum: [0, 0, -1]}");
    Map<String, Complex> terms = coefficients(pair);
    // Six products with 1/√6; of [n, -n] and [-n, n] the terms merge.
    String up = "u g5 none d[0, 0, 1]";
    String down = "u g5 none d[0, 0, -1]";
    assertEquals(
        2 * 0.75 * 0.75 / Math.sqrt(6),
        terms.getOrDefault(up + down, terms.getOrDefault(down + up, Complex.ZERO)).re(),
        ROUNDING);
    Operator single =
        hadrons(
            head.replace("[2, -2]", "[1, 1]").replace("irrep: A1+\n", "momentum: [-1, 0, 1]\n"),
            "{meson: pi_opt, momentum: [-1, 0, 1]}");
    Map<String, Complex> one = coefficients(single);
    assertEquals(new Complex(0.75, 0), one.get("d g5 none u[-1, 0, 1]"));
    // g4 g5 = g4 g1 g2 g3 g4 = -g1 g2 g3
    assertEquals(0.25, one.getOrDefault("d g1g2g3 none u[-1, 0, 1]", Complex.ZERO).im(), ROUNDING);
    assertEquals(
        0.5 * Math.sqrt(1 / 3.0),
        one.getOrDefault("d g2g3 D_x u[-1, 0, 1]", Complex.ZERO).re(),
        ROUNDING);
    assertEquals(5, one.size());
  }

  /** In a projection a meson in a two-dimensional irrep mixes its rows. */
  @Test
  void derivativeMesonInE_projectsToItself() {
    String head = "isospin: [1, -1]\nirrep: E+\nrow: 2\n";
    double c = Math.sqrt(0.5);
    assertTerms(
        Map.of("u g1 D_x d[0, 0, 0]", -c, "u g2 D_y d[0, 0, 0]", c),
        hadrons(head, "{meson: rhoxD1_J2_E, momentum: [0, 0, 0], polarization: 2}"));
    Operator flight =
        hadrons(
            "isospin: [1, -1]\nmomentum: [1, 0, 0]\nirrep: B1\n",
            "{meson: rhoxD1_J2_E, momentum: [1, 0, 0], polarization: 1}");
    // Row 1 of E holds (y² - z²)-like B1 with weight √3/2; the sum is the same operator for both
    // rows.
    assertEquals(2, flight.terms().size());
    assertEquals(
        coefficients(flight).keySet(), Set.of("u g2 D_y d[1, 0, 0]", "u g3 D_z d[1, 0, 0]"));
  }

  @Test
  void definitions_areComparedWithTheirOwnNames() {
    String text =
        """
        name: x
        isospin: [1, 1]
        mesons: {p: [{meson: pi, coefficient: %s}]}
        operators: [{name: o, hadrons: [{meson: p, momentum: [0, 0, 0]}]}]
        """;
    Definition one = DefinitionLoader.parse("a", text.formatted("0.5"));
    assertEquals(one, DefinitionLoader.parse("b", text.formatted("5e-1")));
    assertNotEquals(one, DefinitionLoader.parse("b", text.formatted("0.25")));
  }

  private static String use(String mesons) {
    return "isospin: [1, 1]\nmesons: {"
        + mesons
        + "}\noperators: [{name: o, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]\n";
  }

  private static String meson(String name) {
    return "isospin: [1, 1]\noperators: [{name: o, hadrons: [{meson: "
        + name
        + ", momentum: [0, 0, 0]}]}]\n";
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(
            meson("sigmaxD1_J1_T1"),
            "line 3, operator 'o': meson: 'sigmaxD1_J1_T1': derivatives act on a meson without"
                + " derivatives, and 'sigma' is none; expected one of pi, a0,"),
        Arguments.of(
            meson("rhoxD3_J1_T1"),
            "line 3, operator 'o': meson: 'rhoxD3_J1_T1': 3 derivatives; mesons have at most 2:"
                + " <name>xD1_J<J>_<irrep>, as rhoxD1_J2_T2 or"),
        Arguments.of(
            meson("rhoxD1xD1_J1_T1"),
            "line 3, operator 'o': meson: 'rhoxD1xD1_J1_T1': derivatives act on a meson without"
                + " derivatives, and 'rhoxD1' is none"),
        Arguments.of(
            meson("rhoxD2_J2_T2"),
            "line 3, operator 'o': meson: 'rhoxD2_J2_T2': expected <name>xD2_J<J of the"
                + " derivatives>__J<J>_<irrep>, as rhoxD2_J2__J3_A2"),
        Arguments.of(
            meson("rhoxD1"),
            "line 3, operator 'o': meson: 'rhoxD1': expected <name>xD1_J<J>_<irrep>"),
        Arguments.of(
            meson("rhoxD2_J3__J3_A2"),
            "line 3, operator 'o': meson: 'rhoxD2_J3__J3_A2': two derivatives couple to spin 0, 1"
                + " or 2, not 3"),
        Arguments.of(
            meson("rhoxD1_J3_A2"),
            "line 3, operator 'o': meson: 'rhoxD1_J3_A2': rho and a derivative couple to J = 0"
                + " (A1), J = 1 (T1), J = 2 (T2, E), not J = 3"),
        Arguments.of(
            meson("pixD2_J2__J1_T1"),
            "line 3, operator 'o': meson: 'pixD2_J2__J1_T1': pi and two derivatives of spin 2 couple"
                + " to J = 2 (T2, E), not J = 1"),
        Arguments.of(
            meson("rhoxD1_J2_T1"),
            "line 3, operator 'o': meson: 'rhoxD1_J2_T1': J = 2 has the irreps T2, E, not 'T1'"),
        Arguments.of(
            meson("rhoxD1_J1_T1-"),
            "line 3, operator 'o': meson: 'rhoxD1_J1_T1-': J = 1 has the irrep T1, not 'T1-'; the"
                + " parity follows from the name and is +"),
        Arguments.of(
            meson("rhoxD1_J2_E"),
            "line 3, operator 'o': missing polarization: rhoxD1_J2_E needs 1 or 2"),
        Arguments.of(
            meson("rhoxD1_J2_E, polarization: z"),
            "line 3, operator 'o': polarization: expected 1 or 2, found 'z'"),
        Arguments.of(
            meson("rhoxD1_J2_T2, polarization: 1"),
            "line 3, operator 'o': polarization: expected x, y or z, found '1'"),
        Arguments.of(
            meson("rhoxD2_J2__J3_A2, polarization: 1"),
            "line 3, operator 'o': polarization: rhoxD2_J2__J3_A2 is in the one-dimensional irrep"
                + " A2- and has none; leave it out"),
        Arguments.of(
            use("pi: {like: K, strange: s}"),
            "line 3, meson 'pi': the name 'pi' is taken: it is that of a meson; choose another"),
        Arguments.of(
            use("N: {like: K, strange: s}"),
            "line 3, meson 'N': the name 'N' is taken: it is that of a baryon; choose another"),
        Arguments.of(
            use("axD1_J1_T1: {like: K, strange: s}"),
            "line 3, meson 'axD1_J1_T1': the name 'axD1_J1_T1' is taken: it is that of a meson;"),
        Arguments.of(
            use("X: {like: K, strange: s}, X: {like: K, strange: s}"),
            "line 3: duplicate key 'X' in mesons, first given in line 3"),
        Arguments.of(
            use("X: {like: K, strange: s}}\nbaryons: {X: {like: Lambda, strange: s}"),
            "line 4, baryon 'X': the name 'X' is taken: it is that of a meson; choose another"),
        Arguments.of(
            use("'a b': {like: K, strange: s}"),
            "line 3, meson 'a b': the name of a hadron has no blanks, commas, colons, brackets and"),
        Arguments.of(
            use("D: {like: K, strange: c}"),
            "line 3, meson 'D': strange: unknown flavour 'c', expected one of u, d, s; more are added"
                + " with quarks: {flavour: label} at the top"),
        Arguments.of(
            use("D: {like: K, strange: u}"),
            "line 3, meson 'D': strange: expected a flavour without isospin, not the light u"),
        Arguments.of(
            use("D: {like: rho, strange: s}"),
            "line 3, meson 'D': rho has no strange quark that another flavour could replace"),
        Arguments.of(
            use("D: {like: K}"), "line 3, meson 'D': a meson of one's own needs the key 'strange'"),
        Arguments.of(
            use("D: {strange: s}"),
            "line 3, meson 'D': a meson of one's own is like another with another flavour, or a"
                + " combination; found neither"),
        Arguments.of(use("D: []"), "line 3, meson 'D': the combination is an empty list"),
        Arguments.of(
            use("D: [{meson: X}], X: [{meson: pi}]"),
            "line 3, meson 'D': meson: unknown meson 'X', expected one of pi,"),
        Arguments.of(
            use("D: [{meson: pi}, {meson: b_0}]"),
            "line 3, meson 'D': the parts of a combination transform alike: pi is isovector A1- with"
                + " C = +, but b_0 is isovector A1+ with C = -; they differ in parity, C"),
        Arguments.of(
            use("D: [{meson: eta}, {meson: eta_s}]"),
            "line 3, meson 'D': the parts of a combination transform alike: eta is isoscalar A1- with"
                + " C = +, but eta_s is strange isoscalar A1- with C = +; they differ in multiplet"),
        Arguments.of(
            use("D: [{meson: K}, {meson: Kstar}]"),
            "line 3, meson 'D': the parts of a combination transform alike: K is kaon A1-, but Kstar"
                + " is kaon T1-; they differ in irrep"),
        Arguments.of(
            CHARM + use("D: {like: K, strange: c}, X: [{meson: K}, {meson: D}]"),
            "line 4, meson 'X': the parts of a combination transform alike: K is kaon A1-, but D is"
                + " kaon (with c for s) A1-; they differ in flavour"),
        Arguments.of(
            use("D: {combination: [{meson: pi}], momenta: []}"),
            "line 3, meson 'D': momenta is an empty list"),
        Arguments.of(
            use("D: {combination: [{meson: pi}], momenta: [[0, 1]]}"),
            "line 3, meson 'D': momenta has three components, found 2"),
        Arguments.of(
            "isospin: [1, 1]\nmesons: {p: {combination: [{meson: pi}], momenta: [[0, 0, 1], [0, 1,"
                + " 1]]}}\noperators: [{name: o, hadrons: [{meson: p, momentum: [0, 0, 0]}]}]\n",
            "line 4, operator 'o': momentum [0, 0, 0]: p is a combination for momenta equivalent to"
                + " [0, 0, 1], [0, 1, 1]; define another for this momentum"),
        Arguments.of(
            "isospin: [1, 1]\nbaryons: {B: {like: N, strange: s}}\n",
            "line 3, baryon 'B': N has no strange quark that another flavour could replace"),
        Arguments.of(
            "isospin: [1, 1]\nbaryons: {B: {combination: []}}\n",
            "line 3, baryon 'B': unknown key 'combination' in a baryon of one's own: expected one of"
                + " like, strange"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void errors_nameTheirPlaceAndARemedy(String text, String message) {
    String full = text.contains("operators:") ? text : text + "operators: []\n";
    DefinitionException wrong =
        assertThrows(
            DefinitionException.class, () -> DefinitionLoader.parse("x.yaml", "name: x\n" + full));
    String actual = String.valueOf(wrong.getMessage());
    String expected = "x.yaml, " + message;
    assertEquals(
        expected, actual.substring(0, Math.min(actual.length(), expected.length())), actual);
  }

  @Test
  void displacements_areTakenAsTheyStand() {
    Operator operator =
        operator(
            "operators: [{name: w, terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0,"
                + " 1], displacement: D_xD_z}, {bar: u, gamma: '1', quark: d, momentum: [0, 0, -1],"
                + " displacement: unit}]}]}]\n");
    assertEquals(
        List.of("u g5 D_xD_z d[0, 0, 1]u 1 unit d[0, 0, -1]"),
        List.copyOf(coefficients(operator).keySet()));
  }
}
