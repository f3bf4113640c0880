package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every error that tetraquarks add to a definition, with its whole text. */
class TetraquarkErrorsTest {
  private static final String T =
      "antiquarks: [l, l], antidiquark: 0+, quarks: [c, c], diquark: 1+";
  private static final String TWO_VECTORS =
      "antiquarks: [l, l], antidiquark: 1+, quarks: [c, c], diquark: 1+, colour: 3bar3, isospin: 1";
  private static final String WRITTEN =
      "antiquarks: [u, d], antidiquark: Cg5, quarks: [c, c], diquark: Cg3, colour: 3bar3,"
          + " momentum: [0, 0, 0]";

  /** A tetraquark T in line 5. */
  private static String named(String fields) {
    return used("T: {" + fields + "}", "{tetraquark: T, momentum: [0, 0, 0], polarization: z}");
  }

  /** Tetraquarks in line 5, and hadrons in line 8. */
  private static String used(String tetraquarks, String hadrons) {
    return """
        name: x
        isospin: [0, 0]
        quarks: {c: charm}
        tetraquarks:
          %s
        operators:
          - name: o
            hadrons: [%s]
        """
        .formatted(tetraquarks, hadrons);
  }

  /** Tetraquark factors in line 6. */
  private static String written(String... terms) {
    return """
        name: x
        isospin: [0, 0]
        quarks: {c: charm}
        operators:
          - name: o
            terms: [%s]
        """
        .formatted(
            String.join(", ", Stream.of(terms).map(t -> "{tetraquarks: [{" + t + "}]}").toList()));
  }

  private static String sum(String... parts) {
    return "isospin: 0, parts: ["
        + String.join(", ", Stream.of(parts).map(p -> "{" + p + "}").toList())
        + "]";
  }

  static Stream<Arguments> names() {
    String t = "line 5, tetraquark 'T': ";
    String part = "antiquarks: [c, l], antidiquark: 0+, quarks: [c, l], diquark: 1+, colour: 3bar3";
    String all =
        "the parts of a tetraquark agree in flavours, isospin, spin, irrep and parity: part 1 has"
            + " antiquarks (c l) and quarks (c l), isospin 0, spin 1, irrep T1, parity +, but part 2 has ";
    return Stream.of(
        Arguments.of(named(T), t + "a tetraquark of one's own needs the key 'colour'"),
        Arguments.of(
            named(T + ", colour: 8"),
            t
                + "colour: expected 3bar3 or 66bar, the colours of diquark and antidiquark, found '8'"),
        Arguments.of(
            named(T.replace("0+", "2+") + ", colour: 3bar3"),
            t
                + "antidiquark: expected 0+, 1+, 0- or 1-, spin and parity of two quarks, found '2+'"),
        Arguments.of(
            named(T.replace("0+", "Cg5") + ", colour: 3bar3"),
            t
                + "antidiquark: expected 0+, 1+, 0- or 1-, spin and parity of two quarks, found"
                + " 'Cg5'"),
        Arguments.of(
            named(T.replace("[c, c]", "[c]") + ", colour: 3bar3"),
            t + "quarks: a tetraquark has two, found 1"),
        Arguments.of(
            named(T.replace("[l, l]", "[l, q]") + ", colour: 3bar3"),
            t
                + "antiquarks: unknown flavour 'q', expected one of u, d, s, c; more are added with"
                + " quarks: {flavour: label} at the top"),
        Arguments.of(
            named(T + ", color: 3bar3"),
            t
                + "unknown key 'color' in a tetraquark of one's own: expected one of coefficient,"
                + " antiquarks, antidiquark, quarks, diquark, colour, profile, isospin, spin, irrep; did you"
                + " mean colour?"),
        Arguments.of(
            named(T + ", parts: []"),
            t
                + "unknown key 'antiquarks' in a tetraquark of one's own: expected one of isospin,"
                + " spin, irrep, parts"),
        Arguments.of(named("parts: []"), t + "parts is an empty list"),
        // What vanishes.
        Arguments.of(
            named(T.replace("diquark: 1+", "diquark: 0+") + ", colour: 3bar3"),
            t
                + "the quarks (c c) vanish with 0+ in 3bar3, because the fields anticommute; 1+ would"
                + " do in 3bar3, or 0+ in 66bar"),
        Arguments.of(
            named(T + ", colour: 66bar"),
            t
                + "the quarks (c c) vanish with 1+ in 66bar, because the fields anticommute; 0+, 0- or"
                + " 1- would do in 66bar, or 1+ in 3bar3"),
        Arguments.of(
            named(T.replace("[l, l]", "[s, s]").replace("0+", "1-") + ", colour: 3bar3, spin: 0"),
            t
                + "the antiquarks (s s) vanish with 1- in 3bar3, because the fields anticommute; 1+"
                + " would do in 3bar3, or 1- in 66bar"),
        Arguments.of(
            named(T + ", colour: 3bar3, isospin: 1"),
            t
                + "isospin: expected 0, found 1 (antiquarks (l l) with 0+ in 3bar3: isospin 0, and"
                + " isospin 1 with 1+ in 3bar3 or 0+ in 66bar; quarks (c c) with 1+ in 3bar3: isospin"
                + " 0)"),
        // What is missing, or does not couple.
        Arguments.of(
            named(part),
            t
                + "missing isospin: expected 0 or 1 (antiquarks (c l) with 0+ in 3bar3: isospin 1/2;"
                + " quarks (c l) with 1+ in 3bar3: isospin 1/2)"),
        Arguments.of(
            named(part + ", isospin: 2"),
            t
                + "isospin: expected 0 or 1, found 2 (antiquarks (c l) with 0+ in 3bar3: isospin 1/2;"
                + " quarks (c l) with 1+ in 3bar3: isospin 1/2)"),
        Arguments.of(
            named(part + ", isospin: one"),
            t + "isospin: expected an integer or a half such as 1/2 or 0.5, found 'one'"),
        Arguments.of(named(TWO_VECTORS), t + "missing spin: expected 0, 1 or 2 (1+ and 1+)"),
        Arguments.of(
            named(TWO_VECTORS + ", spin: 3"), t + "spin: expected 0, 1 or 2, found 3 (1+ and 1+)"),
        Arguments.of(
            named(T + ", colour: 3bar3, spin: 0"), t + "spin: expected 1, found 0 (0+ and 1+)"),
        Arguments.of(
            named(TWO_VECTORS + ", spin: 2"),
            t + "missing irrep: expected T2 or E (spin 2, parity +)"),
        Arguments.of(
            named(TWO_VECTORS + ", spin: 2, irrep: T1"),
            t + "irrep: expected T2 or E, found T1 (spin 2, parity +)"),
        Arguments.of(
            named(TWO_VECTORS + ", spin: 1, irrep: A1"),
            t + "irrep: expected T1, found A1 (spin 1, parity +)"),
        // Flavours u and d are not coupled.
        Arguments.of(
            named(T.replace("[l, l]", "[u, d]").replace("0+", "1-") + ", colour: 66bar, spin: 0")
                .replace("quarks: [c, c], diquark: 1+", "quarks: [c, c], diquark: 1-"),
            t
                + "u and d are not coupled in isospin, and with them this has isospin 1, not 0; write"
                + " l for a light flavour, or write the operator out in terms"),
        // Parts that differ.
        Arguments.of(
            named(sum(part, part.replace("antiquarks: [c, l]", "antiquarks: [s, l]"))),
            t
                + all
                + "antiquarks (l s) and quarks (c l), isospin 0, spin 1, irrep T1, parity +; they differ in flavours"),
        Arguments.of(
            named(sum(part, part + ", isospin: 1")),
            t
                + all
                + "antiquarks (c l) and quarks (c l), isospin 1, spin 1, irrep T1, parity +; they differ in isospin"),
        Arguments.of(
            named(sum(part, part.replace("1+", "0+"))),
            t
                + all
                + "antiquarks (c l) and quarks (c l), isospin 0, spin 0, irrep A1, parity +; they differ in spin, irrep"),
        Arguments.of(
            named(sum(part, part.replace("0+", "0-"))),
            t
                + all
                + "antiquarks (c l) and quarks (c l), isospin 0, spin 1, irrep T1, parity -; they differ in parity"),
        Arguments.of(
            named(
                sum(
                    part.replace("0+", "1+") + ", spin: 2, irrep: E",
                    part.replace("0+", "1+") + ", spin: 2, irrep: T2")),
            t
                + all.replace("spin 1, irrep T1", "spin 2, irrep E")
                + "antiquarks (c l) and quarks (c l), isospin 0, spin 2, irrep T2, parity +; they differ in irrep"),
        Arguments.of(
            named(sum(part + ", coefficient: [1, 2, 3]")),
            t + "coefficient is a real number or [re, im], found 3 numbers"),
        // Names.
        Arguments.of(
            used("pi: {" + T + ", colour: 3bar3}", "{meson: pi, momentum: [0, 0, 0]}"),
            "line 5, tetraquark 'pi': the name 'pi' is taken: it is that of a meson; choose another"));
  }

  static Stream<Arguments> uses() {
    String t = "T: {" + T + ", colour: 3bar3}";
    String s = "T: {" + TWO_VECTORS + ", spin: 0}";
    String o = "line 8, operator 'o': ";
    return Stream.of(
        Arguments.of(
            used(t, "{tetraquark: U, momentum: [0, 0, 0]}"),
            o + "tetraquark: unknown tetraquark 'U'; the definition's tetraquarks are T"),
        Arguments.of(
            used(t, "{tetraquark: T, momentum: [0, 0, 0]}"),
            o + "missing polarization: T needs x, y or z"),
        Arguments.of(
            used(t, "{tetraquark: T, momentum: [0, 0, 0], polarization: 1}"),
            o + "polarization: expected x, y or z, found '1'"),
        Arguments.of(
            used(s, "{tetraquark: T, momentum: [0, 0, 0], polarization: z}"),
            o + "polarization: T has spin 0 and none; leave it out"),
        Arguments.of(
            used(t, "{tetraquark: T, momentum: [0, 0, 0], polarization: z, component: 1}"),
            o
                + "unknown key 'component' in a hadron: expected one of tetraquark, momentum,"
                + " polarization, profile"),
        Arguments.of(
            used(
                t,
                "{tetraquark: T, momentum: [0, 0, 0], polarization: z, profile: [{gaussian: 1}]}"),
            o + "profile: a tetraquark has one profile, or a list of 4, found 1"),
        Arguments.of(
            used(
                t.replace("3bar3", "3bar3, profile: {gaussian: 1}"),
                "{tetraquark: T, momentum: [0, 0, 0], polarization: z, profile: {gaussian: 1}}"),
            o + "profiles of T, whose definition gives it profiles already; leave them out here"),
        Arguments.of(
            used(t, "{tetraquark: T, meson: pi, momentum: [0, 0, 0]}"),
            o
                + "a hadron is a meson, a baryon, a tetraquark or a gluonic factor, found tetraquark"
                + " and meson"),
        Arguments.of(
            used(
                t,
                "{meson: pi, momentum: [0, 0, 0]}, {tetraquark: T, momentum: [0, 0, 0], polarization: z}"),
            o + "a tetraquark after a meson: tetraquarks come before mesons"),
        Arguments.of(
            used(
                t,
                "{tetraquark: T, momentum: [0, 0, 0], polarization: z}, {baryon: N, momentum: [0, 0, 0], component: 1}"),
            o + "a baryon after a tetraquark: baryons come before tetraquarks"),
        Arguments.of(
            used(
                t,
                "{tetraquark: T, momentum: [0, 0, 0], polarization: z}, {tetraquark: T, momentum:"
                    + " [0, 0, 0], polarization: x}"),
            o + "a product of 2 tetraquarks: one can be contracted"),
        Arguments.of(
            used(t, "{tetraquark: T, momentum: [0, 0, 1], polarization: z}"),
            o + "the momenta add up to [0, 0, 1], but the total momentum is [0, 0, 0]"),
        Arguments.of(
            used(t, "{tetraquark: T, momentum: [0, 0, 0], polarization: z}")
                .replace("isospin: [0, 0]", "isospin: [1, 1]"),
            "line 7, operator 'o': impossible isospin: the hadron has I = 0, the total is I = 1"));
  }

  static Stream<Arguments> writtenOut() {
    String o = "line 6, operator 'o': ";
    return Stream.of(
        Arguments.of(
            written(WRITTEN.replace("Cg3", "Cg5")),
            o
                + "the quarks (c c) vanish with Cg5 in 3bar3, because the fields anticommute; Cg1, Cg2,"
                + " Cg3, Cg4 or C with two of these would do in 3bar3, or Cg5 in 66bar"),
        Arguments.of(
            written(
                WRITTEN
                    .replace("[u, d]", "[s, s]")
                    .replace("Cg5", "Cg4g1")
                    .replace("3bar3", "66bar")
                    .replace("[c, c]", "[c, s]")),
            o
                + "the antiquarks (s s) vanish with Cg4g1 in 66bar, because the fields anticommute; C,"
                + " Cg5, Cg1g5, Cg2g5, Cg3g5 or Cg4g5 would do in 66bar, or Cg4g1 in 3bar3"),
        Arguments.of(
            written(WRITTEN.replace("Cg5", "g5")),
            o + "antidiquark: expected C followed by gammas, such as C, Cg5 or Cg1g5, found 'g5'"),
        Arguments.of(
            written(WRITTEN.replace("3bar3", "3")),
            o
                + "colour: expected 3bar3 or 66bar, the colours of diquark and antidiquark, found '3'"),
        Arguments.of(
            written(WRITTEN.replace("[u, d]", "[l, l]")),
            o
                + "antiquarks: unknown flavour 'l', expected one of u, d, s, c; more are added with"
                + " quarks: {flavour: label} at the top"),
        Arguments.of(
            written(WRITTEN.replace("[u, d]", "[u, d, d]")),
            o + "antiquarks: a tetraquark has two, found 3"),
        Arguments.of(
            written(WRITTEN + ", parity: plus"),
            o
                + "unknown key 'parity' in a tetraquark factor: expected one of antiquarks,"
                + " antidiquark, quarks, diquark, colour, profile, momentum"),
        Arguments.of(
            written(WRITTEN.replace(", momentum: [0, 0, 0]", "")),
            o + "a tetraquark factor needs the key 'momentum'"),
        Arguments.of(
            written(WRITTEN.replace("[0, 0, 0]", "[0, 0, 1]")),
            o + "the momenta add up to [0, 0, 1], but the total momentum is [0, 0, 0]"),
        // (ū d̄) with Cg5 in 3bar3 is minus (d̄ ū).
        Arguments.of(
            written(WRITTEN, WRITTEN.replace("[u, d]", "[d, u]")),
            "line 5, operator 'o': the operator vanishes: all of its terms cancel"));
  }

  @ParameterizedTest
  @MethodSource({"names", "uses", "writtenOut"})
  void parse_whatIsWrong_isNamedWithItsPlace(String text, String message) {
    DefinitionException e =
        assertThrows(DefinitionException.class, () -> DefinitionLoader.parse("x.yaml", text));
    assertEquals("x.yaml, " + message, e.getMessage());
  }

  /** The definitions that the faulty ones are made from. */
  @ParameterizedTest
  @MethodSource("sound")
  void parse_theSoundForms_areAccepted(String text) {
    assertEquals("x", DefinitionLoader.parse("x.yaml", text).name());
  }

  static Stream<String> sound() {
    return Stream.of(
        named(T + ", colour: 3bar3"),
        named(T + ", colour: 3bar3, isospin: 0, spin: 1, irrep: T1, coefficient: [0, 1]"),
        named(T.replace("[l, l]", "[u, d]") + ", colour: 3bar3"),
        named(TWO_VECTORS + ", spin: 2, irrep: T2").replace("isospin: [0, 0]", "isospin: [1, -1]"),
        written(WRITTEN));
  }
}
