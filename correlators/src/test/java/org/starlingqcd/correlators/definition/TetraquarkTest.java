package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.definition.hadrons.Diquark;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Tetraquark;
import org.starlingqcd.correlators.definition.hadrons.TetraquarkHadron;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Tetraquarks by name and written out, against their spin tensors and isospin generators. */
class TetraquarkTest {
  private static final double ROUNDING = 1e-14;
  private static final SpinMatrix C = matrix(Gamma.g(2).times(Gamma.G4));
  private static final SpinMatrix G4 = matrix(Gamma.G4);

  private static SpinMatrix matrix(Gamma gamma) {
    return SpinMatrix.deGrandRossi(gamma);
  }

  private static SpinMatrix conjugate(SpinMatrix m) {
    return m.adjoint().transposed();
  }

  private static SpinMatrix diquark(Gamma gamma) {
    return C.times(matrix(gamma));
  }

  private static SpinMatrix antidiquark(Gamma gamma) {
    return G4.times(conjugate(diquark(gamma))).times(G4.transposed());
  }

  private static Stream<Gamma> gammas() {
    return IntStream.range(0, 16).mapToObj(mask -> new Gamma(mask, 1));
  }

  private static void assertClose(SpinMatrix expected, SpinMatrix actual) {
    assertEquals(0, expected.minus(actual).largest(), ROUNDING);
  }

  @Test
  void exchangeSign_isThatOfColourMatrixAndFields() {
    gammas()
        .forEach(
            gamma -> {
              for (PairColour colour : PairColour.values()) {
                double sign = -colour.sign() * TetraquarkFactor.exchangeSign(colour, gamma);
                assertClose(diquark(gamma).times(sign), diquark(gamma).transposed());
                assertClose(antidiquark(gamma).times(sign), antidiquark(gamma).transposed());
              }
            });
  }

  private static TetraquarkFactor factor(Gamma antidiquark, Gamma diquark) {
    return new TetraquarkFactor(
        PairColour.TRIPLET, "a", "b", antidiquark, "e", "f", diquark, new Momentum(0, 1, 2));
  }

  /**
   * {@code q → C⁻¹ q̄ᵀ, q̄ → -qᵀ C}: {@code D̄} becomes the diquark {@code C D̄ Cᵀ} of the former
   * antiquarks, {@code D} the antidiquark {@code C⁻ᵀ D C⁻¹}.
   */
  @Test
  void chargeConjugated_isThatOfTheFields() {
    SpinMatrix inverse = C.adjoint();
    gammas()
        .forEach(
            bar ->
                gammas()
                    .forEach(
                        gamma -> {
                          Term image =
                              OperatorSymmetries.chargeConjugated(
                                      List.of(new Term(Complex.ONE, List.of(factor(bar, gamma)))),
                                      false)
                                  .terms()
                                  .get(0);
                          assertEquals(
                              new TetraquarkFactor(
                                  PairColour.TRIPLET,
                                  "e",
                                  "f",
                                  gamma,
                                  "a",
                                  "b",
                                  bar,
                                  new Momentum(0, 1, 2)),
                              image.factors().get(0));
                          SpinMatrix ofQuarks = C.times(antidiquark(bar)).times(C.transposed());
                          SpinMatrix ofAntiquarks =
                              inverse.transposed().times(diquark(gamma)).times(inverse);
                          double sign =
                              sign(diquark(bar), ofQuarks) * sign(antidiquark(gamma), ofAntiquarks);
                          assertEquals(sign, image.coefficient().re());
                        }));
  }

  /** {@code D → (Kᵀ D K)*}, {@code D̄ → (K⁻¹ D̄ K⁻ᵀ)*} with {@code K = g4 C⁻¹ g5ᵀ}. */
  @Test
  void conjugated_isThatOfTheFields() {
    SpinMatrix k = G4.times(C.adjoint()).times(matrix(Gamma.G5).transposed());
    SpinMatrix inverse = k.adjoint();
    gammas()
        .forEach(
            bar ->
                gammas()
                    .forEach(
                        gamma -> {
                          Term term = new Term(new Complex(0, 1), List.of(factor(bar, gamma)));
                          Term image = OperatorSymmetries.conjugated(List.of(term)).get(0);
                          assertEquals(term.factors(), image.factors());
                          SpinMatrix ofQuarks =
                              conjugate(k.transposed().times(diquark(gamma)).times(k));
                          SpinMatrix ofAntiquarks =
                              conjugate(
                                  inverse.times(antidiquark(bar)).times(inverse.transposed()));
                          double sign =
                              sign(diquark(gamma), ofQuarks) * sign(antidiquark(bar), ofAntiquarks);
                          assertEquals(-sign, image.coefficient().im());
                        }));
  }

  private static int sign(SpinMatrix of, SpinMatrix image) {
    int sign = of.minus(image).largest() < ROUNDING ? 1 : -1;
    assertClose(of.times(sign), image);
    return sign;
  }

  /** All couplings of spins and parities, with flavours that do not restrict them. */
  static Stream<Tetraquark> couplings() {
    List<Tetraquark> all = new ArrayList<>();
    for (Diquark.Kind bar : Diquark.Kind.values()) {
      for (Diquark.Kind kind : Diquark.Kind.values()) {
        boolean vectors = bar.toString().startsWith("1") && kind.toString().startsWith("1");
        for (String coupled : vectors ? "0 A1,1 T1,2 E,2 T2".split(",") : new String[] {""}) {
          String[] spin = coupled.split(" ");
          Diquark antidiquark = new Diquark(true, List.of("a", "b"), bar, PairColour.TRIPLET);
          Diquark diquark = new Diquark(false, List.of("e", "f"), kind, PairColour.TRIPLET);
          all.add(
              tetraquark(
                  Tetraquark.Part.of(
                      Complex.ONE,
                      antidiquark,
                      diquark,
                      null,
                      vectors ? spin[0] : null,
                      vectors ? spin[1] : null)));
        }
      }
    }
    assertEquals(12 + 4 * 4, all.size());
    return all.stream();
  }

  private static Tetraquark tetraquark(Tetraquark.Part part) {
    return new Tetraquark("T", List.of(part));
  }

  /** S[α,β,γ,δ] of hadrons of one flavour structure. */
  private static Complex[] spinTensor(List<HadronFactor.Part> parts) {
    Complex[] s = new Complex[256];
    Arrays.fill(s, Complex.ZERO);
    for (HadronFactor.Part part : parts) {
      TetraquarkFactor t = (TetraquarkFactor) part.factor();
      SpinMatrix bar = antidiquark(t.antidiquark());
      SpinMatrix d = diquark(t.diquark());
      for (int k = 0; k < 256; k++) {
        Complex product = element(bar, k >> 4).times(element(d, k & 15));
        s[k] = s[k].plus(product.times(part.spin()).times(part.flavour().doubleValue()));
      }
    }
    return s;
  }

  private static Complex element(SpinMatrix m, int pair) {
    return new Complex(m.re(pair >> 2, pair & 3), m.im(pair >> 2, pair & 3));
  }

  /** Λ = exp(-θ n̂·s/2) with s_1 = g2g3 …, times g4 for improper R. */
  private static SpinMatrix lambda(CubicRotation rotation) {
    SpinMatrix lambda =
        SpinMatrix.ONE
            .times(rotation.spinor().w())
            .minus(matrix(Gamma.parse("g2g3")).times(rotation.spinor().x()))
            .minus(matrix(Gamma.parse("g3g1")).times(rotation.spinor().y()))
            .minus(matrix(Gamma.parse("g1g2")).times(rotation.spinor().z()));
    return rotation.determinant() < 0 ? lambda.times(G4) : lambda;
  }

  /** {@code q̄ → q̄ Λ, q → Λ⁻¹ q}, one leg after the other. */
  private static Complex[] rotated(Complex[] s, SpinMatrix lambda) {
    Complex[] image = s;
    for (int leg = 0; leg < 4; leg++) {
      SpinMatrix m = leg < 2 ? lambda.transposed() : lambda.adjoint();
      int shift = 6 - 2 * leg;
      Complex[] next = new Complex[256];
      for (int k = 0; k < 256; k++) {
        next[k] = Complex.ZERO;
        for (int old = 0; old < 4; old++) {
          int from = (k & ~(3 << shift)) | (old << shift);
          next[k] = next[k].plus(element(m, (old << 2) | ((k >> shift) & 3)).times(image[from]));
        }
      }
      image = next;
    }
    return image;
  }

  /** S_i goes to Σ_j S_j D_ji, and factors of terms turn likewise. */
  @ParameterizedTest
  @MethodSource("couplings")
  void spinTensor_rotatesByTheIrrep(Tetraquark tetraquark) {
    Irrep irrep = tetraquark.irrep();
    List<List<HadronFactor.Part>> rows =
        IntStream.range(0, irrep.dimension())
            .mapToObj(row -> tetraquark.row(row, 0, Momentum.ZERO))
            .toList();
    int count = 0;
    for (CubicRotation rotation : LittleGroup.of(Momentum.ZERO).elements()) {
      count++;
      Complex[][] d = irrep.matrix(rotation);
      for (int i = 0; i < rows.size(); i++) {
        Complex[] expected = new Complex[256];
        Arrays.fill(expected, Complex.ZERO);
        for (int j = 0; j < rows.size(); j++) {
          Complex[] s = spinTensor(rows.get(j));
          for (int k = 0; k < 256; k++) {
            expected[k] = expected[k].plus(s[k].times(d[j][i]));
          }
        }
        assertTensor(expected, rotated(spinTensor(rows.get(i)), lambda(rotation)));
        TermSum turned = new TermSum();
        OperatorSymmetries.addRotated(rotation, terms(rows.get(i)), Complex.ONE, turned);
        assertTensor(expected, spinTensor(parts(turned.terms())));
      }
    }
    assertEquals(48, count);
  }

  private static void assertTensor(Complex[] expected, Complex[] actual) {
    for (int k = 0; k < 256; k++) {
      assertEquals(0, expected[k].plus(actual[k].times(-1)).abs(), ROUNDING);
    }
  }

  private static List<Term> terms(List<HadronFactor.Part> parts) {
    return parts.stream()
        .map(p -> new Term(p.spin().times(p.flavour().doubleValue()), List.of(p.factor())))
        .toList();
  }

  private static List<HadronFactor.Part> parts(List<Term> terms) {
    return terms.stream()
        .map(t -> new HadronFactor.Part(t.coefficient(), SignedRoot.ONE, t.factors().get(0)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("couplings")
  void rows_areOrthonormal(Tetraquark tetraquark) {
    int rows = tetraquark.irrep().dimension();
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        Map<Object, Complex> other = new HashMap<>();
        tetraquark.row(j, 0, Momentum.ZERO).forEach(p -> other.put(p.factor(), p.spin()));
        Complex overlap = Complex.ZERO;
        for (HadronFactor.Part part : tetraquark.row(i, 0, Momentum.ZERO)) {
          overlap =
              overlap.plus(part.spin().times(other.getOrDefault(part.factor(), Complex.ZERO)));
        }
        assertEquals(i == j ? 1 : 0, overlap.re(), ROUNDING);
      }
    }
  }

  /** Spin and parity of E and T2 at rest are those of the axes' products. */
  @Test
  void images_areThoseOfTheIrrep() {
    Tetraquark e = couplings().filter(t -> t.irrep().name().equals("E+")).findFirst().orElseThrow();
    TetraquarkHadron hadron = new TetraquarkHadron(e, new Momentum(0, 0, 1), 1, List.of());
    CubicRotation turn =
        LittleGroup.of(Momentum.ZERO).elements().stream()
            .filter(r -> r.apply(new Momentum(0, 0, 1)).equals(new Momentum(1, 0, 0)))
            .findFirst()
            .orElseThrow();
    assertEquals(2, hadron.images(turn).size());
    hadron.images(turn).forEach(i -> assertEquals(new Momentum(1, 0, 0), i.hadron().momentum()));
    assertEquals(List.of("1", "2"), hadron.spinStates().stream().map(HadronFactor::spin).toList());
  }

  /**
   * Flavours and colours, with isospins of antidiquark and diquark and those that they couple to.
   */
  @ParameterizedTest
  @CsvSource({
    "l l, 0+, l l, 0+, 3bar3, 0, 0, 0",
    "l l, 0+, l l, 0+, 66bar, 2, 2, 0 1 2",
    "l l, 1+, l l, 0+, 3bar3, 2, 0, 1",
    "l l, 1+, c c, 0+, 66bar, 0, 0, 0",
    "l l, 0-, l l, 1-, 66bar, 2, 2, 0 1 2",
    "c l, 0+, l c, 1+, 3bar3, 1, 1, 0 1",
    "s l, 1-, l l, 1+, 3bar3, 1, 2, 1/2 3/2",
    "l s, 0+, c b, 1+, 66bar, 1, 0, 1/2",
  })
  void isospin_isThatOfTheGenerators(
      String bars,
      String bar,
      String quarks,
      String kind,
      String colourName,
      int twiceFirst,
      int twiceSecond,
      String totals) {
    PairColour colour = PairColour.named(colourName).orElseThrow();
    Diquark antidiquark =
        new Diquark(true, List.of(bars.split(" ")), Diquark.Kind.named(bar), colour);
    Diquark diquark =
        new Diquark(false, List.of(quarks.split(" ")), Diquark.Kind.named(kind), colour);
    boolean vectors = bar.startsWith("1") && kind.startsWith("1");
    List<String> isospins = new ArrayList<>();
    for (int twice = 0; twice <= 6; twice++) {
      HalfInteger total = new HalfInteger(twice);
      Tetraquark.Part coupling;
      try {
        coupling =
            Tetraquark.Part.of(
                Complex.ONE, antidiquark, diquark, total, vectors ? "1" : null, null);
      } catch (IllegalArgumentException e) {
        continue;
      }
      isospins.add(total.toString());
      Tetraquark tetraquark = tetraquark(coupling);
      int row = tetraquark.irrep().dimension() - 1;
      for (int third = -twice; third <= twice; third += 2) {
        List<HadronFactor.Part> parts = tetraquark.row(row, third, Momentum.ZERO);
        double square =
            parts.stream()
                .mapToDouble(p -> Math.pow(p.spin().abs() * p.flavour().doubleValue(), 2))
                .sum();
        assertEquals(1, square, ROUNDING);
        List<Term> terms = TermSum.of(terms(parts)).terms();
        assertFalse(terms.isEmpty());
        assertEquals(Optional.of(Set.of(total)), IsospinContent.of(terms));
        List<Term> lower = FlavourIsospin.step(terms, false);
        if (third == -twice) {
          assertTrue(lower.isEmpty());
        } else {
          double factor = 0.5 * Math.sqrt((twice + third) * (twice - third + 2.0));
          Complex lambda =
              TermSum.of(lower)
                  .multipleOf(terms(tetraquark.row(row, third - 2, Momentum.ZERO)))
                  .orElseThrow();
          assertEquals(factor, lambda.re(), ROUNDING);
          assertEquals(0, lambda.im(), ROUNDING);
        }
      }
    }
    assertEquals(List.of(totals.split(" ")), isospins);
    assertEquals(
        twiceFirst + twiceSecond, 2 * Double.parseDouble(largest(isospins)), "the sum of both");
  }

  private static String largest(List<String> isospins) {
    String last = isospins.get(isospins.size() - 1);
    return last.endsWith("/2")
        ? Double.toString(Integer.parseInt(last.substring(0, 1)) / 2.0)
        : last;
  }

  private static Definition example(String name) {
    return new DefinitionLoader(Engine.examples()).load("definitions/" + name + ".yaml");
  }

  private static Operator operator(Definition definition, String name) {
    return definition.toCorrelationMatrix().operators().stream()
        .filter(o -> o.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** (ū d̄ - d̄ ū)/√2 = √2 ū d̄, because both orders are one factor up to a sign. */
  @Test
  void tccInFlight_isTheOneWrittenOut() {
    Definition definition = example("tcc_flight");
    Complex lambda =
        TermSum.of(operator(definition, "T3").terms())
            .multipleOf(operator(definition, "written_out").terms())
            .orElseThrow();
    assertEquals(0, lambda.re(), ROUNDING);
    assertEquals(-Math.sqrt(2), lambda.im(), ROUNDING);
  }

  /** Sums keep their coefficients; the parts have the flavours in the order given. */
  @Test
  void sum_isThatOfItsParts() {
    Definition definition = example("zc");
    List<Term> expected =
        List.of(
            new Term(new Complex(0.6, 0), List.of(hiddenCharm(PairColour.TRIPLET, 5, 1))),
            new Term(new Complex(-0.8, 0), List.of(hiddenCharm(PairColour.TRIPLET, 1, 5))));
    assertEquals(expected, operator(definition, "Z").terms());
    double half = Math.sqrt(0.5);
    assertEquals(
        Map.of(
            hiddenCharm(PairColour.SEXTET, 2, 3), half,
            hiddenCharm(PairColour.SEXTET, 3, 2), -half),
        Map.of(
            operator(definition, "Z6").terms().get(0).factors().get(0),
            operator(definition, "Z6").terms().get(0).coefficient().re(),
            operator(definition, "Z6").terms().get(1).factors().get(0),
            operator(definition, "Z6").terms().get(1).coefficient().re()));
  }

  private static TetraquarkFactor hiddenCharm(PairColour colour, int bar, int gamma) {
    return new TetraquarkFactor(
        colour, "c", "d", Gamma.g(bar), "c", "u", Gamma.g(gamma), Momentum.ZERO);
  }

  /** C of the neutral member is that of (1+ ⊗ 1+) with spin 0, 1, 2: +, -, +. */
  @ParameterizedTest
  @CsvSource({"0, A1+, '', +", "1, T1+, z, -", "2, E+, 1, +", "2, T2+, x, +"})
  void hiddenFlavour_hasItsChargeParity(String spin, String irrep, String row, String c) {
    String stem = irrep.substring(0, irrep.length() - 1);
    Definition definition =
        DefinitionLoader.parse(
            "x.yaml",
            """
            name: x
            isospin: [1, 0]
            irrep: %s
            %s
            quarks: {c: charm}
            tetraquarks:
              X: {isospin: 1, antiquarks: [c, l], antidiquark: 1+, quarks: [c, l], diquark: 1+, spin: %s, irrep: %s, colour: 66bar}
            operators:
              - {name: X, hadrons: [{tetraquark: X, momentum: [0, 0, 0]%s}]}
            """
                .formatted(
                    irrep,
                    row.isEmpty() ? "" : "row: " + row,
                    spin,
                    stem,
                    row.isEmpty() ? "" : ", polarization: " + row));
    QuantumNumbers numbers = QuantumNumbers.of(definition).get(0);
    assertEquals(c, numbers.cParity());
    assertEquals(c.equals("+") ? "-" : "+", numbers.gParity());
    List<Term> terms = operator(definition, "X").terms();
    assertEquals(
        irrep + (row.isEmpty() ? "" : " (row " + row + ")"),
        RowContent.text(terms, Momentum.ZERO, false));
  }

  /** One-point functions of isospin 0 in A1+ at rest, as for any hadron. */
  @Test
  void hiddenFlavourInTheVacuumChannel_hasOnePointFunctions() {
    String text =
        """
        name: x
        isospin: [0, 0]
        irrep: A1+
        quarks: {c: charm}
        tetraquarks:
          X: {antiquarks: [c, l], antidiquark: 0+, quarks: [c, l], diquark: 0+, isospin: 0, colour: 3bar3}
        operators:
          - {name: X, hadrons: [{tetraquark: X, momentum: [0, 0, 0]}]}
        """;
    assertTrue(DefinitionLoader.parse("x.yaml", text).header().onePoint());
    assertEquals(2, operator(DefinitionLoader.parse("x.yaml", text), "X").terms().size());
  }

  /** Beside other hadrons it is coupled in isospin and projected; every product is in its row. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | A1+ | | {tetraquark: T, momentum: [0, 0, 1], polarization: z}, {meson: pi, momentum: [0, 0, -1]}",
        "1 | T1- | y | {tetraquark: T, momentum: [0, 0, 0], polarization: y}, {meson: pi, momentum: [0, 0, 0]}",
        "1/2 | G1g | 1 | {baryon: N, momentum: [0, 0, 0], component: 1}, {tetraquark: T, momentum: [0, 0, 0], polarization: z}",
      })
  void product_isInItsRowWithItsIsospin(String isospin, String irrep, String row, String hadrons) {
    Definition definition =
        DefinitionLoader.parse(
            "x.yaml",
            """
            name: x
            isospin: [%s, %s]
            irrep: %s
            %s
            quarks: {c: charm}
            tetraquarks:
              T: {antiquarks: [l, l], antidiquark: 0+, quarks: [c, c], diquark: 1+, colour: 3bar3}
            operators:
              - {name: o, hadrons: [%s]}
            """
                .formatted(isospin, isospin, irrep, row == null ? "" : "row: " + row, hadrons));
    List<Term> terms = operator(definition, "o").terms();
    assertEquals(
        irrep + (row == null ? "" : " (row " + row + ")"),
        RowContent.text(terms, Momentum.ZERO, irrep.startsWith("G")));
    assertEquals(
        Optional.of(Set.of(HalfInteger.parse(isospin).orElseThrow())), IsospinContent.of(terms));
  }

  /** What `expand --json` writes has the same terms when it is read. */
  @ParameterizedTest
  @ValueSource(strings = {"tcc", "tcc_flight", "zc"})
  void expanded_isADefinitionOfTheSameTerms(String name) throws Exception {
    Definition definition = example(name);
    String json =
        new ObjectMapper().writeValueAsString(new ExpandedDefinition(definition).describe());
    assertEquals(
        definition.toCorrelationMatrix().operators(),
        DefinitionLoader.parse("x.json", json).toCorrelationMatrix().operators());
  }
}
