package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every error a definition can have, with its whole text. */
class DefinitionErrorsTest {
  private static final String PION =
      "  - name: pi\n    hadrons: [{meson: pi, momentum: [0, 0, 0]}]\n";
  private static final String RHO =
      "  - name: rho\n    hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: z}]\n";
  private static final String WRITTEN =
      "  - name: w\n    terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]\n";
  private static final String NUCLEON =
      "  - name: N\n    hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1}]\n";

  /** A definition with isospin 1 and the operators appended; they begin in line 4. */
  private static String isovector(String operators) {
    return "name: x\nisospin: [1, -1]\noperators:\n" + operators;
  }

  /** One hadron operator named o in line 4, with its hadrons in line 5. */
  private static String hadrons(String hadrons) {
    return isovector("  - name: o\n    hadrons: [" + hadrons + "]\n");
  }

  /** One written-out operator named o in line 4, with its terms in line 5. */
  private static String terms(String terms) {
    return isovector("  - name: o\n    terms: [" + terms + "]\n");
  }

  private static String mesons(String mesons) {
    return terms("{mesons: [{" + mesons + "}]}");
  }

  static Stream<Arguments> header() {
    return Stream.of(
        Arguments.of("", "line 1: the text is empty"),
        Arguments.of("- 1\n", "line 1: expected a definition as key: value pairs, found a list"),
        Arguments.of(
            "just text\n",
            "line 1: expected a definition as key: value pairs, found a single value"),
        Arguments.of("operators: []\n", "line 1: a definition needs the key 'name'"),
        Arguments.of("name: x\n", "line 1: a definition needs the key 'operators'"),
        Arguments.of("name: x\noperators: []\n", "line 2: operators is an empty list"),
        Arguments.of(
            "name: x\noperators: none\n",
            "line 2: expected operators to be a list, found a single value"),
        Arguments.of(
            "name: x\noperators:\n  - pi\n",
            "line 3, operator 1: expected an operator as key: value pairs, found a single value"),
        Arguments.of(
            "name: x\nname: y\n",
            "line 2: duplicate key 'name' in a definition, first given in line 1"),
        Arguments.of(
            "name: x\nirep: A1+\n",
            "line 2: unknown key 'irep' in a definition: expected one of name, isospin, momentum,"
                + " orientation, irrep, row, g_parity, c_parity, quarks, vev, allow_zero, mesons, baryons, tetraquarks, profiles,"
                + " operators, quantum_numbers, stochastic, noise_subsets; did you mean irrep?"),
        Arguments.of(
            "name: a b\n",
            "line 1: name: expected letters, digits, _ and - (at most 200), because it names the"
                + " result file; found 'a b'"),
        Arguments.of(
            "name: ../x\n",
            "line 1: name: expected letters, digits, _ and - (at most 200), because it names the"
                + " result file; found '../x'"),
        Arguments.of("name:\n", "line 1: expected name to be a single value, found nothing"),
        Arguments.of(
            "name: ''\n", "line 1: expected name to be a single value, found an empty text"),
        Arguments.of("name: [x]\n", "line 1: expected name to be a single value, found a list"),
        Arguments.of(
            "name: x\nisospin: [1]\n",
            "line 2: isospin has two values, the total I and I3, found 1"),
        Arguments.of(
            "name: x\nisospin: 1\n", "line 2: expected isospin to be a list, found a single value"),
        Arguments.of(
            "name: x\nisospin: [1/3, 1]\n",
            "line 2: isospin: expected an integer or a half such as 1/2 or 0.5, found '1/3'"),
        Arguments.of(
            "name: x\nisospin: [1, 2]\n",
            "line 2: impossible isospin: I3 = 2 is no component of I = 1"),
        Arguments.of(
            "name: x\nisospin: [3/2, 1]\n",
            "line 2: impossible isospin: I3 = 1 is no component of I = 3/2"),
        Arguments.of(
            "name: x\nisospin: [-1, -1]\n",
            "line 2: impossible isospin: I3 = -1 is no component of I = -1"),
        Arguments.of(
            "name: x\nmomentum: [0, 1]\n", "line 2: momentum has three components, found 2"),
        Arguments.of(
            "name: x\nmomentum: [0, 1, 0.5]\n",
            "line 2: momentum: expected an integer from -1000000 to 1000000, found '0.5'"),
        Arguments.of(
            "name: x\nmomentum: [0, 1, 9999999999]\n",
            "line 2: momentum: expected an integer from -1000000 to 1000000, found '9999999999'"),
        Arguments.of(
            "name: x\nirrep: T1\nrow: z\n",
            "line 2: irrep: unknown irrep 'T1': the little group O_h of the total momentum [0, 0, 0]"
                + " has A1 A2 E T1 T2, each with + or -, and for an odd number of baryons G1 G2 H,"
                + " each with g or u; did you mean T1+ or T1-?"),
        Arguments.of(
            "name: x\nmomentum: [0, 0, 1]\nirrep: A1+\n",
            "line 3: irrep: unknown irrep 'A1+': the little group C4v of the total momentum"
                + " [0, 0, 1] has A1 A2 B1 B2 E, and for an odd number of baryons G1 G2 (without a"
                + " parity sign); did you mean A1?"),
        Arguments.of(
            "name: x\nmomentum: [0, 0, 1]\nirrep: G1g\nrow: 1\n",
            "line 3: irrep: unknown irrep 'G1g': the little group C4v of the total momentum"
                + " [0, 0, 1] has A1 A2 B1 B2 E, and for an odd number of baryons G1 G2 (without a"
                + " parity sign); did you mean G1?"),
        Arguments.of(
            "name: x\nmomentum: [1, 2, 3]\nirrep: F1\n",
            "line 3: irrep: unknown irrep 'F1': the little group C1 of the total momentum [1, 2, 3]"
                + " has A1 A2 (without a parity sign), and none for an odd number of baryons"),
        Arguments.of(
            """
            name: x
            irrep: G9
            operators:
              - name: Npi
                hadrons:
                  - {baryon: N, momentum: [0, 0, 1], component: 1}
                  - {meson: pi, momentum: [0, 0, -1]}
            """,
            "line 2: irrep: unknown irrep 'G9': the little group O_h of the total momentum [0, 0, 0]"
                + " has A1 A2 E T1 T2, each with + or -, and for an odd number of baryons G1 G2 H,"
                + " each with g or u; the product of operator 'Npi' contains G1g (rows 1 2), G1u"
                + " (rows 1 2), Hg (rows 1 2 3 4), Hu (rows 1 2 3 4)"),
        Arguments.of("name: x\nirrep: Hu\n", "line 2: irrep Hu needs a row: 1, 2, 3, 4"),
        Arguments.of(
            "name: x\nirrep: G1u\nrow: 3\n",
            "line 3: row: irrep G1u has no row '3': expected one of 1, 2"),
        Arguments.of(
            "name: x\nmomentum: [1, 1, 1]\nirrep: F2\nrow: 1\n",
            "line 4: irrep F2 has one dimension: leave row out"),
        Arguments.of(
            "name: x\norientation: [0, 0, 1]\n",
            "line 2: orientation: the total momentum is 0, so there is nothing to turn; leave it"
                + " out"),
        Arguments.of(
            "name: x\nmomentum: [0, 0, 1]\norientation: [0, 1, 1]\n",
            "line 3: orientation [0, 1, 1] is not equivalent to momentum [0, 0, 1]: no rotation of"
                + " the cube takes one to the other"),
        Arguments.of(
            "name: x\nallow_zero: 1\n", "line 2: allow_zero: expected true or false, found '1'"),
        Arguments.of("name: x\nirrep: T1+\n", "line 2: irrep T1+ needs a row: x, y, z"),
        Arguments.of(
            "name: x\nirrep: E-\nrow: x\n",
            "line 3: row: irrep E- has no row 'x': expected one of 1, 2"),
        Arguments.of(
            "name: x\nirrep: A1+\nrow: 1\n", "line 3: irrep A1+ has one dimension: leave row out"),
        Arguments.of("name: x\nrow: z\n", "line 2: row without irrep"),
        Arguments.of("name: x\nvev: 1\n", "line 2: vev: expected true or false, found '1'"),
        Arguments.of(
            "name: x\nquarks: light\n",
            "line 2: expected quarks as key: value pairs, found a single value"),
        Arguments.of(
            "name: x\nquarks: {u: a/b}\n",
            "line 2: quarks: flavours and perambulator labels are names without / and control"
                + " characters, found 'a/b'"),
        Arguments.of(
            "name: x\nquarks:\n  c: charm\n  c: c\n",
            "line 4: duplicate key 'c' in quarks, first given in line 3"));
  }

  static Stream<Arguments> chargeParity() {
    String vanish =
        ", and elements between them vanish on average; put them into different definitions, or"
            + " write allow_zero: true at the top if this is meant";
    return Stream.of(
        Arguments.of(
            "name: x\ng_parity: even\n", "line 2: g_parity: expected + or -, found 'even'"),
        Arguments.of(
            "name: x\ng_parity: +\nc_parity: +\n",
            "line 3: expected g_parity or c_parity, found both"),
        Arguments.of(
            "name: x\nisospin: [1, 0]\nc_parity: -\n",
            "line 3: c_parity is for isospin 0, and the isospin is 1: write g_parity, which is"
                + " (-1)^I times C of the neutral member"),
        Arguments.of(
            "name: x\nquarks: {d: down}\ng_parity: -\n",
            "line 3: g_parity needs one perambulator label for u and d; with two labels only"
                + " c_parity of neutral operators is left"),
        Arguments.of(
            isovector(PION + RHO),
            "line 6, operator 'rho': cannot mix with operator 'pi': it has G parity +, the other -"
                + vanish),
        Arguments.of(
            """
            name: x
            quarks: {d: down}
            operators:
              - {name: a, terms: [{mesons: [{bar: u, gamma: g5, quark: u, momentum: [0, 0, 0]}]}]}
              - {name: b, terms: [{mesons: [{bar: d, gamma: g3, quark: d, momentum: [0, 0, 0]}]}]}
            """,
            "line 5, operator 'b': cannot mix with operator 'a': it has C parity -, the other +"
                + vanish),
        Arguments.of(
            "g_parity: +\n" + isovector(PION),
            "line 5, operator 'pi': the operator has G parity -, and the definition asks for +:"
                + " nothing is left of it"),
        Arguments.of(
            "g_parity: +\nname: x\nisospin: [1/2, 1/2]\noperators:\n" + NUCLEON,
            "line 5, operator 'N': the definition asks for G parity +, and that of the operator is"
                + " none: net 1 d, 2 u"),
        Arguments.of(
            "g_parity: +\n"
                + terms(
                    "{mesons: [{bar: u, gamma: g5, quark: s, momentum: [0, 0, 0]}, {bar: s, gamma:"
                        + " g3, quark: d, momentum: [0, 0, 0]}]}"),
            "line 5, operator 'o': the definition asks for G parity +, and the operator, which is"
                + " used as it stands, is no eigenstate: write the terms of its partner out too"),
        Arguments.of(
            isovector(PION + "    coefficient: 0\n"),
            "line 6, operator 'pi': coefficient: the operator vanishes with 0"),
        Arguments.of(
            isovector(WRITTEN + "    coefficient: 2\n"),
            "line 6, operator 'w': coefficient belongs to hadrons; terms are used as they stand,"
                + " each with its own coefficient"));
  }

  static Stream<Arguments> operators() {
    return Stream.of(
        Arguments.of(
            isovector("  - hadrons: []\n"), "line 4, operator 1: an operator needs the key 'name'"),
        Arguments.of(
            isovector(PION + PION.replace("pi", "\"a\\tb\"")),
            "line 6, operator 'a\\u0009b': the name of an operator has no control characters"),
        Arguments.of(
            isovector(PION + WRITTEN + PION),
            "line 8, operator 'pi': duplicate operator name, first given to the operator in line 4"),
        Arguments.of(
            isovector("  - name: o\n    hadron: []\n"),
            "line 5, operator 'o': unknown key 'hadron' in an operator: expected one of name,"
                + " coefficient, hadrons, seed_row, intermediate_isospin, terms; did you mean hadrons?"),
        Arguments.of(
            isovector("  - name: o\n    hadrons: []\n    hadrons: []\n"),
            "line 6, operator 'o': duplicate key 'hadrons' in an operator, first given in line 5"),
        Arguments.of(
            isovector("  - name: o\n"),
            "line 4, operator 'o': an operator has either hadrons or terms, found neither"),
        Arguments.of(
            isovector("  - name: o\n    hadrons: []\n    terms: []\n"),
            "line 4, operator 'o': an operator has either hadrons or terms, found both"),
        Arguments.of(
            isovector(WRITTEN + "    seed_row: z\n"),
            "line 6, operator 'w': seed_row belongs to hadrons; terms are used as they stand"),
        Arguments.of(
            isovector(WRITTEN + "    intermediate_isospin: []\n"),
            "line 6, operator 'w': intermediate_isospin belongs to hadrons; terms are used as they"
                + " stand"),
        Arguments.of(
            "name: x\noperators:\n" + PION,
            "line 4, operator 'pi': hadrons need the total isospin: write isospin: [I, I3] at the"
                + " top"),
        Arguments.of(
            "quarks: {d: down}\n" + isovector(PION),
            "line 6, operator 'pi': isospin needs one perambulator label for u and d, but quarks has"
                + " u: light, d: down; write the operator out in terms instead"),
        Arguments.of(hadrons(""), "line 5, operator 'o': hadrons is an empty list"),
        Arguments.of(
            hadrons("{meson: pion, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': meson: unknown meson 'pion', expected one of pi, a0, rho, a1, b1,"
                + " pi_2, b_0, rho_2, eta, f0, omega, f1, h1, eta_2, h_0, omega_2, eta_s, f0_s, phi,"
                + " K, Kstar, Kbar, Kstarbar, or one with derivatives, as rhoxD1_J2_T2"),
        Arguments.of(
            hadrons("{meson: pi}"), "line 5, operator 'o': a hadron needs the key 'momentum'"),
        Arguments.of(
            hadrons("{momentum: [0, 0, 0]}"),
            "line 5, operator 'o': a hadron needs the key 'meson'"),
        Arguments.of(
            hadrons("{meson: pi, baryon: N}"),
            "line 5, operator 'o': a hadron is a meson, a baryon, a tetraquark or a gluonic factor, found"
                + " baryon and meson"),
        Arguments.of(
            hadrons("{meson: pi, momentum: [0, 0, 0], spin: 0}"),
            "line 5, operator 'o': unknown key 'spin' in a hadron: expected one of meson, momentum,"
                + " polarization, profile, quark_profile, antiquark_profile"),
        Arguments.of(
            hadrons("{meson: rho, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': missing polarization: rho needs x, y or z"),
        Arguments.of(
            hadrons("{meson: rho, momentum: [0, 0, 0], polarization: t}"),
            "line 5, operator 'o': polarization: expected x, y or z, found 't'"),
        Arguments.of(
            hadrons("{meson: pi, momentum: [0, 0, 0], polarization: z}"),
            "line 5, operator 'o': polarization: pi has spin 0 and none; leave it out"),
        Arguments.of(
            hadrons("{meson: pi, momentum: [0, 0, 1]}"),
            "line 5, operator 'o': the momenta add up to [0, 0, 1], but the total momentum is"
                + " [0, 0, 0]"),
        Arguments.of(
            hadrons("{meson: K, momentum: [0, 0, 0]}"),
            "line 4, operator 'o': impossible isospin: the hadron has I = 1/2, the total is I = 1"),
        Arguments.of(
            hadrons("{meson: pi, momentum: [0, 0, 0]}, {meson: K, momentum: [0, 0, 0]}"),
            "line 4, operator 'o': impossible isospin: hadron 1 with I = 1 and hadron 2 with I = 1/2"
                + " couple to I = 1/2, 3/2, not to I = 1"),
        Arguments.of(
            isovector(PION + "    intermediate_isospin: [1]\n"),
            "line 6, operator 'pi': intermediate_isospin: 1 hadron needs 0 values, one per coupling"
                + " before the last, found 1"),
        Arguments.of(
            hadrons("&p {meson: pi, momentum: [0, 0, 0]}, *p, *p"),
            "line 4, operator 'o': intermediate_isospin: 3 hadrons need 1 value, one per coupling"
                + " before the last, found 0"),
        Arguments.of(
            hadrons("&p {meson: pi, momentum: [0, 0, 0]}, *p, *p")
                + "    intermediate_isospin: [3]\n",
            "line 4, operator 'o': impossible isospin: hadron 1 with I = 1 and hadron 2 with I = 1"
                + " couple to I = 0, 1, 2, not to I = 3"),
        Arguments.of(
            hadrons("&p {meson: pi, momentum: [0, 0, 0]}, *p"),
            "line 4, operator 'o': the operator vanishes: all of its terms cancel"),
        Arguments.of(
            isovector(PION + "    seed_row: z\n"), "line 6, operator 'pi': seed_row without irrep"),
        Arguments.of(
            "irrep: A1-\n" + isovector(PION + "    seed_row: 1\n"),
            "line 7, operator 'pi': irrep A1- has one dimension: leave seed_row out"),
        Arguments.of(
            "irrep: T1-\nrow: z\n" + isovector(RHO + "    seed_row: t\n"),
            "line 8, operator 'rho': seed_row: irrep T1- has no row 't': expected one of x, y, z"),
        Arguments.of(
            "irrep: A1+\n" + isovector(PION),
            "line 5, operator 'pi': the projection vanishes: the seed has no part in irrep A1+;"
                + " it has a part in A1-; with all components and polarizations the product contains"
                + " A1-"),
        Arguments.of(
            "irrep: T1-\nrow: x\n" + isovector(RHO),
            "line 6, operator 'rho': the projection vanishes: the seed in row x has no part in irrep"
                + " T1-, row x; it has a part in T1- (seed row z); with all components and"
                + " polarizations the product contains T1- (rows x y z)"));
  }

  static Stream<Arguments> writtenOut() {
    return Stream.of(
        Arguments.of(terms(""), "line 5, operator 'o': terms is an empty list"),
        Arguments.of(
            terms("5"),
            "line 5, operator 'o': expected a term as key: value pairs, found a single" + " value"),
        Arguments.of(
            terms("{}"),
            "line 5, operator 'o': a term needs mesons, baryons, tetraquarks or gluonic factors"),
        Arguments.of(
            terms("{mesons: []}"),
            "line 5, operator 'o': a term needs mesons, baryons, tetraquarks or gluonic factors"),
        Arguments.of(
            terms("{meson: []}"),
            "line 5, operator 'o': unknown key 'meson' in a term: expected one of coefficient,"
                + " baryons, tetraquarks, mesons, gluonic; did you mean mesons?"),
        Arguments.of(
            mesons("bar: u, gamma: g5, quark: d"),
            "line 5, operator 'o': a meson factor needs the key 'momentum'"),
        Arguments.of(
            mesons("bar: u, gamma: g6, quark: d, momentum: [0, 0, 0]"),
            "line 5, operator 'o': gamma: unknown gamma structure 'g6', expected 1 or a product of"
                + " g1 … g5 such as g5 or g3g5"),
        Arguments.of(
            mesons("bar: c, gamma: g5, quark: d, momentum: [0, 0, 0]"),
            "line 5, operator 'o': bar: unknown flavour 'c', expected one of u, d, s; more are added"
                + " with quarks: {flavour: label} at the top"),
        Arguments.of(
            mesons("bar: u, gamma: g5, quark: d, momentum: [0, 0, 0], displacement: a/b"),
            "line 5, operator 'o': displacement: expected a name of the data without / and control"
                + " characters, as none, nabla_x, D_x or D_xD_y; found 'a/b'"),
        Arguments.of(
            mesons("bar: u, gamma: g5, quark: d, momentum: [1, 0, 0]"),
            "line 5, operator 'o': the momenta add up to [1, 0, 0], but the total momentum is"
                + " [0, 0, 0]"),
        Arguments.of(
            WrittenTerms.with("coefficient: one"),
            "line 4, operator 'o': coefficient: expected a number (at most 1e100), found 'one'"),
        Arguments.of(
            WrittenTerms.with("coefficient: .nan"),
            "line 4, operator 'o': coefficient: expected a number (at most 1e100), found '.nan'"),
        Arguments.of(
            WrittenTerms.with("coefficient: 1e999"),
            "line 4, operator 'o': coefficient: expected a number (at most 1e100), found '1e999'"),
        Arguments.of(
            WrittenTerms.with("coefficient: [1, 2, 3]"),
            "line 4, operator 'o': coefficient is a real number or [re, im], found 3 numbers"),
        Arguments.of(
            WrittenTerms.with("coefficient: 0"),
            "line 3, operator 'o': the operator vanishes: all of its terms cancel"),
        // Mesons commute.
        Arguments.of(
            terms(
                "{mesons: [&a {bar: u, gamma: g5, quark: d, momentum: [0, 0, 1]}, "
                    + "&b {bar: d, gamma: 1, quark: s, momentum: [0, 0, -1]}]}, "
                    + "{coefficient: -1, mesons: [*b, *a]}"),
            "line 4, operator 'o': the operator vanishes: all of its terms cancel"),
        Arguments.of(
            terms(
                "{mesons: [{bar: u, gamma: g3g1, quark: d, momentum: [0, 0, 0]}]}, "
                    + "{mesons: [{bar: u, gamma: g1g3, quark: d, momentum: [0, 0, 0]}]}"),
            "line 4, operator 'o': the operator vanishes: all of its terms cancel"));
  }

  static Stream<Arguments> baryons() {
    String baryon = "{quarks: [u, d, s], component: 1, momentum: [0, 0, 0]}";
    String odd =
        "irrep A1+ is single-valued, for an even number of baryons, and the operator has an odd"
            + " number; ";
    return Stream.of(
        Arguments.of(
            hadrons("{meson: pi, momentum: [0, 0, 0]}, {baryon: N, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': a baryon after a meson: baryons come before mesons"),
        Arguments.of(
            hadrons("{baryon: Deltastar, component: 1, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': baryon: unknown baryon 'Deltastar', expected one of N, Delta,"
                + " Lambda, Sigma, Xi, Sigmastar, Xistar, Omega; or write the operator out in terms"),
        Arguments.of(
            hadrons("{baryon: Lambda, component: 3, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': component 3 of Lambda: expected 1 or 2, spin +1/2 or -1/2"),
        Arguments.of(
            "irrep: G1g\nrow: 1\n"
                + hadrons(
                    "{baryon: N, component: 3, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 0]}"),
            "line 7, operator 'o': component 3 of N is a copy of component 1: with irrep expected 1 or"
                + " 2"),
        Arguments.of(
            "irrep: G1u\nrow: 1\n" + isovector(PION),
            "line 6, operator 'pi': irrep G1u is double-valued, for an odd number of baryons, and the"
                + " operator has an even number; the product contains A1-"),
        Arguments.of(
            "irrep: Hg\nrow: 2\nname: x\nisospin: [3/2, 3/2]\noperators:\n"
                + "  - name: o\n    hadrons: [{baryon: N, momentum: [0, 0, 1], component: 2},"
                + " {meson: pi, momentum: [0, 0, -1]}]\n",
            "line 6, operator 'o': the projection vanishes: the seed in row 2 has no part in irrep Hg,"
                + " row 2; it has a part in G1g (seed row 2), G1u (seed row 2), Hg (seed row 3), Hu (seed"
                + " row 3); with all components and polarizations the product contains G1g (rows 1 2),"
                + " G1u (rows 1 2), Hg (rows 1 2 3 4), Hu (rows 1 2 3 4)"),
        Arguments.of(
            """
            name: x
            momentum: [0, 0, 1]
            orientation: [1, 0, 0]
            operators:
              - name: o
                terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 1]}]}]
            """,
            "line 6, operator 'o': terms with orientation: an operator that is written out cannot be"
                + " turned"),
        Arguments.of(
            "name: x\nisospin: [0, 0]\noperators:\n"
                + "  - {name: Sigmapi, hadrons: [{baryon: Sigma, momentum: [0, 0, 0], component: 1},"
                + " {meson: pi, momentum: [0, 0, 0]}]}\n"
                + "  - {name: NK, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1},"
                + " {meson: K, momentum: [0, 0, 0]}]}\n",
            "line 5, operator 'NK': cannot mix with operator 'Sigmapi': it creates net 2 d, 1"
                + " anti-s, 2 u, the other creates net 1 d, 1 s, 1 u, and elements between them vanish"
                + " identically; put them into different definitions, or write allow_zero: true at the"
                + " top if this is meant"),
        Arguments.of(
            hadrons("{baryon: N, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': a hadron needs the key 'component'"),
        Arguments.of(
            hadrons("{baryon: N, momentum: [0, 0, 0], component: 5}"),
            "line 5, operator 'o': component: expected an integer from 1 to 4, found '5'"),
        Arguments.of(
            hadrons("{baryon: N, momentum: [0, 0, 0], component: 1, parity: odd}"),
            "line 5, operator 'o': parity: expected plus or minus, found 'odd'"),
        Arguments.of(
            hadrons("{baryon: N, momentum: [0, 0, 0], component: 1, polarization: z}"),
            "line 5, operator 'o': unknown key 'polarization' in a hadron: expected one of baryon,"
                + " momentum, component, parity, profile"),
        Arguments.of(
            "name: x\nisospin: [1/2, 1/2]\nirrep: A1+\noperators:\n" + NUCLEON,
            "line 5, operator 'N': " + odd + "the product contains G1g (rows 1 2)"),
        Arguments.of(
            "irrep: A1+\n" + terms("{baryons: [" + baryon + "]}"),
            "line 5, operator 'o': " + odd + "expected one of G1g, G1u, G2g, G2u, Hg, Hu"),
        Arguments.of(
            "name: x\nisospin: [1/2, 1/2]\nvev: true\noperators:\n" + NUCLEON,
            "line 5, operator 'N': vev: true with a baryon: operators with baryons have no one-point"
                + " functions"),
        Arguments.of(
            terms("{baryons: [" + String.join(", ", baryon, baryon, baryon) + "]}"),
            "line 5, operator 'o': a product of 3 baryons: products of at most two baryons are"
                + " supported"),
        Arguments.of(
            hadrons(
                "{baryon: N, component: 1, momentum: [0, 0, 0]}, {baryon: N, component: 2, momentum:"
                    + " [0, 0, 0]}, {baryon: N, component: 1, momentum: [0, 0, 0]}"),
            "line 5, operator 'o': a product of 3 baryons: products of at most two baryons are"
                + " supported"),
        Arguments.of(
            terms("{baryons: [{quarks: [u, d], component: 1, momentum: [0, 0, 0]}]}"),
            "line 5, operator 'o': a baryon has three quarks, found 2"),
        Arguments.of(
            terms("{baryons: [{quarks: [u, d, x], component: 1, momentum: [0, 0, 0]}]}"),
            "line 5, operator 'o': quarks: unknown flavour 'x', expected one of u, d, s; more are"
                + " added with quarks: {flavour: label} at the top"),
        Arguments.of(
            terms(
                "{baryons: [{quarks: [u, d, s], diquark: g5, component: 1, momentum: [0, 0, 0]}]}"),
            "line 5, operator 'o': diquark: expected C followed by gammas, such as C, Cg5 or Cg1g5,"
                + " found 'g5'"),
        Arguments.of(
            terms("{baryons: [{quarks: [u, d, s], component: 1, momentum: [0, 0, 1]}]}"),
            "line 5, operator 'o': the momenta add up to [0, 0, 1], but the total momentum is"
                + " [0, 0, 0]"),
        Arguments.of(
            terms(
                "{baryons: [{quarks: [u, d, s], component: 1, momentum: [0, 0, 0],"
                    + " displacement: none}]}"),
            "line 5, operator 'o': unknown key 'displacement' in a baryon factor: expected one of"
                + " quarks, diquark, parity, component, basis, momentum, profile"),
        // Baryons anticommute, so two equal ones vanish, and so does a sum with its exchange.
        Arguments.of(
            terms("{baryons: [&b " + baryon + ", *b]}"),
            "line 4, operator 'o': the operator vanishes: all of its terms cancel"),
        Arguments.of(
            terms(
                "{baryons: [&a "
                    + baryon
                    + ", &b "
                    + baryon.replace("1", "2")
                    + "]}, "
                    + "{baryons: [*b, *a]}"),
            "line 4, operator 'o': the operator vanishes: all of its terms cancel"));
  }

  /** A definition with one written-out operator whose term has another key. */
  private static final class WrittenTerms {
    static String with(String key) {
      return "name: x\noperators:\n  - name: o\n    terms: [{"
          + key
          + ", mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]\n";
    }
  }

  @ParameterizedTest
  @MethodSource({"header", "chargeParity", "operators", "writtenOut", "baryons"})
  void parse_whatIsWrong_isNamedWithItsPlace(String text, String message) {
    DefinitionException e =
        assertThrows(DefinitionException.class, () -> DefinitionLoader.parse("x.yaml", text));
    assertEquals("x.yaml, " + message, e.getMessage());
  }

  @ParameterizedTest
  @MethodSource("sound")
  void parse_theSoundForms_areAccepted(String text) {
    assertEquals("x", DefinitionLoader.parse("x.yaml", text).name());
  }

  /** The definitions that the faulty ones are made from. */
  static Stream<String> sound() {
    return Stream.of(
        isovector(PION + WRITTEN),
        isovector(RHO),
        "allow_zero: true\n" + isovector(PION + RHO + WRITTEN),
        "name: x\nisospin: [1/2, 1/2]\noperators:\n" + NUCLEON,
        WrittenTerms.with("coefficient: [0.5, -1e-3]"),
        terms("{baryons: [{quarks: [u, d, s], diquark: C, component: 4, momentum: [0, 0, 0]}]}"));
  }
}
