package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every error a definition of three-point functions can have besides those of its two sides. */
class CurrentErrorsTest {
  private static final String SOURCE =
      """
      source:
        isospin: [1, 1]
        momentum: [0, 0, 1]
        operators:
          - name: pi
            hadrons: [{meson: pi, momentum: [0, 0, 1]}]
      """;

  private static final String SOUND = "{name: j, gamma: g4, flavours: {u: 1}}";

  /** A π⁺ of one momentum on both sides, from line 2, and insertions in line 9. */
  private static String insertions(String insertions) {
    return "name: x\n" + SOURCE + "insertions:\n  [" + insertions + "]\n";
  }

  private static String terms(String keys) {
    return insertions("{name: j, terms: [{" + keys + "}]}");
  }

  static Stream<Arguments> top() {
    String whole = insertions(SOUND);
    return Stream.of(
        Arguments.of(
            whole + "operators: []\n",
            "line 10: a definition has either operators, for two-point functions, or source and"
                + " insertions, for three-point functions; found operators and source"),
        Arguments.of(
            "name: x\noperators: []\ninsertions: []\n",
            "line 2: a definition has either operators, for two-point functions, or source and"
                + " insertions, for three-point functions; found operators and insertions"),
        Arguments.of(
            "name: x\ninsertions: [" + SOUND + "]\n",
            "line 1: a definition needs the key 'source'"),
        Arguments.of("name: x\n" + SOURCE, "line 1: a definition needs the key 'insertions'"),
        Arguments.of(
            "name: x\n" + SOURCE + "insertions: []\n", "line 8: insertions is an empty list"),
        Arguments.of(
            whole + "vev: false\n",
            "line 10: vev: three-point functions come without one-point functions of operators; leave"
                + " it out"),
        Arguments.of(
            whole.replace("  isospin", "  vev: true\n  isospin"),
            "line 3, source: vev: three-point functions come without one-point functions of"
                + " operators; leave it out"),
        Arguments.of(
            whole + "irrep: A1-\n",
            "line 10: irrep belongs to one side: write it under sink or source"),
        Arguments.of(
            whole.replace("  isospin", "  quarks: {c: charm}\n  isospin"),
            "line 3, source: quarks is for both sides: write it at the top of the definition"),
        Arguments.of(
            whole.replace("  isospin", "  ispin: 1\n  isospin"),
            "line 3, source: unknown key 'ispin' in a source: expected one of isospin, momentum,"
                + " orientation, irrep, row, g_parity, c_parity, vev, operators, quantum_numbers"),
        Arguments.of(
            whole + "disconnnected: true\n",
            "line 10: unknown key 'disconnnected' in a definition: expected one of name, sink, source,"
                + " insertions, disconnected, quarks, mesons, baryons, tetraquarks, profiles, allow_zero; did you mean"
                + " disconnected?"),
        Arguments.of(
            whole + "disconnected: 1\n",
            "line 10: disconnected: expected true or false, found '1'"),
        Arguments.of(
            "# names: earlier\n" + whole,
            "line 2: names of earlier versions are for two-point functions alone: leave the first"
                + " line out"),
        Arguments.of(
            whole.replace("meson: pi", "meson: pie"),
            "line 7, source, operator 'pi': meson: unknown meson 'pie', expected one of pi, a0, rho,"
                + " a1, b1, pi_2, b_0, rho_2, eta, f0, omega, f1, h1, eta_2, h_0, omega_2, eta_s, f0_s,"
                + " phi, K, Kstar, Kbar, Kstarbar, or one with derivatives, as rhoxD1_J2_T2; did you"
                + " mean pi?"),
        Arguments.of(
            whole + "sink: {isospin: [1, 1], irrep: A9, operators: []}\n",
            "line 10, sink: irrep: unknown irrep 'A9': the little group O_h of the total momentum"
                + " [0, 0, 0] has A1 A2 E T1 T2, each with + or -, and for an odd number of baryons G1"
                + " G2 H, each with g or u"));
  }

  static Stream<Arguments> insertions() {
    return Stream.of(
        Arguments.of(
            insertions("j"),
            "line 9, insertion 1: expected an insertion as key: value pairs, found a single value"),
        Arguments.of(
            insertions("{gamma: g4, flavours: {u: 1}}"),
            "line 9, insertion 1: an insertion needs the key 'name'"),
        Arguments.of(
            insertions("{name: a.b, gamma: g4, flavours: {u: 1}}"),
            "line 9, insertion 1: name: expected letters, digits, _ and - (at most 200), because it"
                + " names a group of the result file; found 'a.b'"),
        Arguments.of(
            insertions(SOUND + ",\n" + SOUND),
            "line 10, insertion 'j': duplicate name, first given to the insertion in line 9"),
        Arguments.of(
            insertions("{name: j, gamma: g4}"),
            "line 9, insertion 'j': an insertion has one of flavours, meson and terms, found none"),
        Arguments.of(
            insertions("{name: j, flavours: {u: 1}, meson: rho}"),
            "line 9, insertion 'j': an insertion has one of flavours, meson and terms, found flavours"
                + " and meson"),
        Arguments.of(
            insertions("{name: j, gamma: g6, flavours: {u: 1}}"),
            "line 9, insertion 'j': gamma: unknown gamma structure 'g6', expected 1 or a product of g1"
                + " … g5 such as g5 or g3g5"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {c: 1}}"),
            "line 9, insertion 'j': unknown flavour 'c', expected one of u, d, s; more are added with"
                + " quarks: {flavour: label} at the top"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: [u, d]}"),
            "line 9, insertion 'j': expected flavours as key: value pairs, found a list"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {u: 1/0}}"),
            "line 9, insertion 'j': u: expected a number (at most 1e100), found '1/0'"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {u: [1, 2, 3]}}"),
            "line 9, insertion 'j': u is a real number or [re, im], found 3 numbers"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {u: 0}}"),
            "line 9, insertion 'j': the insertion vanishes: all of its terms cancel or are 0"),
        Arguments.of(
            insertions("{name: j, gamma: g4, i3: 0, flavours: {u: 1}}"),
            "line 9, insertion 'j': unknown key 'i3' in an insertion: expected one of name, flavours,"
                + " gamma, displacement, momentum"),
        Arguments.of(
            insertions("{name: j, gamma: g4, displacement: a/b, flavours: {u: 1}}"),
            "line 9, insertion 'j': displacement: expected a name of the data without / and control"
                + " characters, as none, nabla_x, D_x or D_xD_y; found 'a/b'"),
        Arguments.of(
            insertions("{name: j, gamma: g4g5, displacement: conserved, flavours: {u: 1}}"),
            "line 9, insertion 'j': displacement: a conserved current has gamma g1, g2, g3 or g4,"
                + " found g4g5"),
        Arguments.of(
            insertions("{name: j, meson: omega, momentum: [0, 0, 0]}"),
            "line 9, insertion 'j': missing polarization: omega needs x, y or z"),
        Arguments.of(
            insertions("{name: j, meson: rho, polarization: x}"),
            "line 9, insertion 'j': an insertion needs the key 'i3'"),
        Arguments.of(
            insertions("{name: j, meson: a0, i3: 2}"),
            "line 9, insertion 'j': i3: a0 has isospin 1 and no component 2; expected one of 1, 0, -1"),
        Arguments.of(
            insertions("{name: j, meson: K, i3: 0}"),
            "line 9, insertion 'j': i3: K has isospin 1/2 and no component 0; expected one of 1/2, -1/2"),
        Arguments.of(
            insertions("{name: j, meson: pi, i3: 0, gamma: g5}"),
            "line 9, insertion 'j': gamma: the name of the meson says it; leave it out"),
        Arguments.of(
            insertions("{name: j, terms: []}"), "line 9, insertion 'j': terms is an empty list"),
        Arguments.of(
            terms("gamma: g4, quark: u"),
            "line 9, insertion 'j': a term of an insertion needs the key 'bar'"),
        Arguments.of(
            terms("bar: u, gamma: g4, quark: d, displacement: conserved"),
            "line 9, insertion 'j': displacement: a conserved current has one flavour, found bar u and"
                + " quark d"),
        Arguments.of(
            insertions(
                "{name: j, terms: [{bar: u, gamma: g1g2, quark: u}, {bar: u, gamma: g2g1, quark: u}]}"),
            "line 9, insertion 'j': the insertion vanishes: all of its terms cancel or are 0"));
  }

  static Stream<Arguments> balance() {
    String sink =
        "sink: {isospin: [1, 0], operators: [{name: rho, hadrons: [{meson: rho, momentum: [0, 0, 0],"
            + " polarization: x}]}]}\n";
    return Stream.of(
        Arguments.of(
            insertions("{name: j, gamma: g4, momentum: [1, 0, 0], flavours: {u: 1}}"),
            "line 9, insertion 'j': momenta do not balance: the sink has [0, 0, 1], the source [0, 0, 1]"
                + " and the current q = [1, 0, 0], but the sink's is the source's less q; q = [0, 0, 0]"
                + " would do"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {u: 1}}").replace("[1, 1]", "[1, 0]") + sink,
            "line 9, insertion 'j': momenta do not balance: the sink has [0, 0, 0], the source [0, 0, 1]"
                + " and the current q = [0, 0, 0], but the sink's is the source's less q; q = [0, 0, 1]"
                + " would do"),
        Arguments.of(
            insertions(SOUND)
                    .replace(
                        "momentum: [0, 0, 1]\n", "momentum: [0, 0, 1]\n  orientation: [0, 1, 0]\n")
                + "sink: {isospin: [1, 1], momentum: [0, 0, 1], operators: [{name: pi, hadrons: [{meson:"
                + " pi, momentum: [0, 0, 1]}]}]}\n",
            "line 10, insertion 'j': momenta do not balance: the sink has [0, 0, 1], the source"
                + " [0, 1, 0] and the current q = [0, 0, 0], but the sink's is the source's less q;"
                + " q = [0, 1, -1] would do"),
        Arguments.of(
            terms("bar: s, gamma: g4, quark: d"),
            "line 9, insertion 'j': every element vanishes identically: flavours do not balance:"
                + " operators of the sink have net 1 anti-d, 1 u, those of the source net 1 anti-d, 1 u,"
                + " and the current net 1 d, 1 anti-s, but sink and current together have to make the"
                + " source; take other flavours, or write allow_zero: true at the top if this is meant"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {u: 1}}")
                + sink.replace("[0, 0, 0]", "[0, 0, 1]")
                    .replace("[1, 0],", "[1, 0], momentum: [0, 0, 1],"),
            "line 9, insertion 'j': every element vanishes identically: flavours do not balance:"
                + " operators of the sink have no net flavour, those of the source net 1 anti-d, 1 u,"
                + " and the current no net flavour, but sink and current together have to make the"
                + " source; take other flavours, or write allow_zero: true at the top if this is meant"),
        Arguments.of(
            insertions("{name: j, gamma: g4, flavours: {s: 1}}"),
            "line 9, insertion 'j': every element vanishes identically: no flavour of the current"
                + " occurs in operators of sink and source, and its loops need disconnected: true; take"
                + " other flavours, or write allow_zero: true at the top if this is meant"));
  }

  @ParameterizedTest
  @MethodSource({"top", "insertions", "balance"})
  void parseAny_whatIsWrong_isNamedWithItsPlace(String text, String message) {
    DefinitionException e =
        assertThrows(DefinitionException.class, () -> DefinitionLoader.parseAny("x.yaml", text));
    assertEquals("x.yaml, " + message, e.getMessage());
  }
}
