package org.starlingqcd.graph.wick;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TimeSlot;

class WickContractionTest {
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange");

  private static Bilinear pi(String bar, String quark, int n) {
    return new Bilinear(bar, Gamma.G5, quark, new Momentum(0, 0, n), "none");
  }

  private static CorrelationMatrix matrix(Operator... operators) {
    return new CorrelationMatrix("test", List.of(operators), LABELS, false);
  }

  private static Operator operator(String name, Term... terms) {
    return new Operator(name, List.of(terms));
  }

  private static Term term(double coefficient, Factor... factors) {
    return new Term(new Complex(coefficient, 0), List.of(factors));
  }

  @Test
  void chargedPion_hasOneConnectedDiagram() {
    DiagramSet set =
        WickContraction.contract(List.of(matrix(operator("pi", term(1, pi("u", "d", 1))))));
    assertEquals(1, set.diagramCount());
    assertEquals(1, set.cycleCount());
    int[] letters = set.cycleAt(0);
    assertEquals(2, letters.length);
    NodeRef sink =
        new NodeRef(
            ElementalRef.of("none", new Momentum(0, 0, 1), false),
            TimeSlot.SINK,
            "light",
            TimeSlot.SOURCE);
    assertEquals(sink, set.nodeAt(letters[0] / 16));
    assertEquals(new Momentum(0, 0, -1), set.nodeAt(letters[1] / 16).elemental().momentum());
    // One cycle gives -1; g4 g5 g4 = -g5 gives another -1.
    assertEquals(new Complex(1, 0), set.element(0, 0, 0).terms().get(0));
  }

  @Test
  void neutralIsovector_annihilationCancels() {
    double h = Math.sqrt(0.5);
    DiagramSet set =
        WickContraction.contract(
            List.of(matrix(operator("pi0", term(h, pi("u", "u", 0)), term(-h, pi("d", "d", 0))))));
    assertEquals(1, set.diagramCount());
    assertEquals(1, set.element(0, 0, 0).terms().get(0).re(), 1e-15);
    assertEquals(2, set.nodeCount());
  }

  @Test
  void isoscalar_keepsAnnihilationAndOnePoint() {
    double h = Math.sqrt(0.5);
    Operator eta = operator("eta", term(h, pi("u", "u", 0)), term(h, pi("d", "d", 0)));
    DiagramSet set =
        WickContraction.contract(
            List.of(new CorrelationMatrix("test", List.of(eta), LABELS, true)));
    assertEquals(2, set.element(0, 0, 0).terms().size());
    assertEquals(1, set.onePoint(0, 0).terms().size());
    double single = set.onePoint(0, 0).terms().values().iterator().next().re();
    assertEquals(-Math.sqrt(2), single, 1e-15);
  }

  @Test
  void sixNeutralBilinearsOfOneFlavour_giveEveryPermutationOnce() {
    Factor[] sink = new Factor[3];
    for (int k = 0; k < 3; k++) {
      sink[k] = pi("u", "u", k);
    }
    DiagramSet set = WickContraction.contract(List.of(matrix(operator("three", term(1, sink)))));
    double total = 0;
    for (Complex c : set.element(0, 0, 0).terms().values()) {
      total += c.abs();
    }
    assertEquals(720, total, 1e-9);
  }

  @Test
  void firstOfSeveralMatrices_hasTheDiagramsThatItHasAlone() {
    double h = Math.sqrt(0.5);
    Operator eta = operator("eta", term(h, pi("u", "u", 0)), term(h, pi("d", "d", 0)));
    Operator etaPi = operator("etaPi", term(2, pi("u", "u", 1), pi("u", "d", -1), pi("d", "u", 0)));
    CorrelationMatrix first = new CorrelationMatrix("first", List.of(etaPi, eta), LABELS, true);
    CorrelationMatrix second =
        matrix(operator("pi", term(1, pi("u", "d", 1))), operator("other", etaPi.terms().get(0)));
    DiagramSet alone = WickContraction.contract(List.of(first));
    DiagramSet ofBoth = WickContraction.of(List.of(first, second)).firstDiagrams();
    assertEquals(List.of(first), ofBoth.matrices());
    assertEquals(alone.diagramCount(), ofBoth.diagramCount());
    for (int d = 0; d < alone.diagramCount(); d++) {
      assertEquals(describe(alone, d), describe(ofBoth, d));
    }
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        assertEquals(alone.element(0, i, j).terms(), ofBoth.element(0, i, j).terms());
      }
      assertEquals(alone.onePoint(0, i).terms(), ofBoth.onePoint(0, i).terms());
    }
    assertTrue(alone.diagramCount() > 4);
  }

  @Test
  void randomFlavours_agreeWithEveryPermutation() {
    Random random = new Random(7);
    String[] flavours = {"u", "d", "s"};
    for (int trial = 0; trial < 200; trial++) {
      List<Operator> operators = new ArrayList<>();
      for (int o = 0; o < 2; o++) {
        List<Term> terms = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int t = 0; t < count; t++) {
          Factor[] factors = new Factor[1 + random.nextInt(3)];
          for (int k = 0; k < factors.length; k++) {
            factors[k] =
                new Bilinear(
                    flavours[random.nextInt(3)],
                    new Gamma(random.nextInt(16), random.nextBoolean() ? 1 : -1),
                    flavours[random.nextInt(3)],
                    new Momentum(random.nextInt(2), 0, 0),
                    random.nextInt(4) == 0 ? "nabla_x" : "none");
          }
          terms.add(
              new Term(
                  new Complex(random.nextGaussian(), random.nextGaussian()), List.of(factors)));
        }
        operators.add(new Operator("o" + o, terms));
      }
      CorrelationMatrix matrix = new CorrelationMatrix("random", operators, LABELS, false);
      DiagramSet set = WickContraction.contract(List.of(matrix));
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
          Map<String, Complex> expected = permutations(matrix, i, j);
          expected.values().removeIf(c -> c.abs() < 1e-10);
          Map<String, Complex> actual = new HashMap<>();
          set.element(0, i, j).terms().forEach((d, c) -> actual.put(describe(set, d), c));
          assertEquals(expected.keySet(), actual.keySet());
          expected.forEach(
              (key, c) -> assertTrue(c.plus(actual.get(key).times(-1)).abs() < 1e-10, key));
        }
      }
    }
  }

  /** n mesons d̄…u with different momenta: every way of joining sinks to sources, twice over. */
  @ParameterizedTest
  @CsvSource({"3,36", "4,576"})
  void sixAndEightChargedMesons_giveEveryPairOfPermutationsOnce(int mesons, int diagrams) {
    Factor[] factors = new Factor[mesons];
    for (int k = 0; k < mesons; k++) {
      factors[k] = pi("d", "u", k);
    }
    DiagramSet set = WickContraction.contract(List.of(matrix(operator("pions", term(1, factors)))));
    assertEquals(diagrams, set.diagramCount());
  }

  /** One flavour: all 8! permutations, equal ones merged where momenta are equal. */
  @Test
  void eightNeutralMesonsOfOneFlavour_mergeEqualDiagrams() {
    Factor[] different = {pi("u", "u", 0), pi("u", "u", 1), pi("u", "u", 2), pi("u", "u", 3)};
    Factor[] equal = {pi("u", "u", 1), pi("u", "u", 1), pi("u", "u", 1), pi("u", "u", 1)};
    DiagramSet all = WickContraction.contract(List.of(matrix(operator("o", term(1, different)))));
    DiagramSet few = WickContraction.contract(List.of(matrix(operator("o", term(1, equal)))));
    assertEquals(40_320, all.diagramCount());
    assertTrue(few.diagramCount() < 1_000, "diagrams=" + few.diagramCount());
    double sum = few.element(0, 0, 0).terms().values().stream().mapToDouble(c -> c.abs()).sum();
    assertEquals(40_320, sum, 1e-6);
  }

  /**
   * Noise in the flavours: 630 terms over 36 flavours, each of which contracts with itself alone.
   */
  @Test
  void hundredsOfTermsOverDozensOfFlavours_meetTheirOwnKindOnly() {
    Map<String, String> labels = new HashMap<>();
    List<Term> terms = new ArrayList<>();
    int flavours = 36;
    for (int a = 0; a < flavours; a++) {
      labels.put("q" + a, "noise_" + a);
      for (int b = 0; b < a; b++) {
        terms.add(term(1 + a, pi("q" + a, "q" + b, 1), pi("q" + a, "q" + b, -1)));
      }
    }
    assertEquals(630, terms.size());
    CorrelationMatrix matrix =
        new CorrelationMatrix("noise", List.of(new Operator("o", terms)), labels, false);
    DiagramSet set = WickContraction.contract(List.of(matrix));
    // Two ways for the quarks times two for the antiquarks.
    assertEquals(4 * 630, set.diagramCount());
  }

  @Test
  void missingLabel_isNamed() {
    CorrelationMatrix matrix =
        new CorrelationMatrix("x", List.of(operator("c", term(1, pi("c", "u", 0)))), LABELS, false);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> WickContraction.contract(List.of(matrix)));
    assertTrue(e.getMessage().contains("c"), e.getMessage());
  }

  /** Every permutation on its own; a diagram is written as the sorted list of its cycles. */
  private static Map<String, Complex> permutations(CorrelationMatrix matrix, int i, int j) {
    Map<String, Complex> sum = new HashMap<>();
    for (Term a : matrix.operators().get(i).terms()) {
      for (Term b : matrix.operators().get(j).terms()) {
        List<String[]> fields = new ArrayList<>();
        double sign = 1;
        for (Factor f : a.factors()) {
          Bilinear x = (Bilinear) f;
          sign *= x.gamma().sign();
          fields.add(field(x, x.gamma(), x.bar(), x.quark(), false));
        }
        for (Factor f : b.factors()) {
          Bilinear x = (Bilinear) f;
          sign *= x.gamma().bar().sign();
          fields.add(field(x, x.gamma().bar(), x.quark(), x.bar(), true));
        }
        Complex c = a.coefficient().times(b.coefficient().conjugate()).times(sign);
        permute(fields, new int[fields.size()], 0, c, sum);
      }
    }
    return sum;
  }

  private static String[] field(Bilinear x, Gamma g, String bar, String quark, boolean adjoint) {
    ElementalRef e = ElementalRef.of(x.displacement(), x.momentum(), adjoint);
    return new String[] {bar, quark, e + "|" + g.mask(), adjoint ? "SOURCE" : "SINK"};
  }

  private static void permute(
      List<String[]> fields, int[] sigma, int k, Complex c, Map<String, Complex> sum) {
    int n = fields.size();
    if (k < n) {
      for (int l = 0; l < n; l++) {
        boolean taken = false;
        for (int m = 0; m < k; m++) {
          taken |= sigma[m] == l;
        }
        if (!taken && fields.get(k)[1].equals(fields.get(l)[0])) {
          sigma[k] = l;
          permute(fields, sigma, k + 1, c, sum);
        }
      }
      return;
    }
    List<String> cycles = new ArrayList<>();
    boolean[] seen = new boolean[n];
    for (int start = 0; start < n; start++) {
      if (seen[start]) {
        continue;
      }
      List<String> letters = new ArrayList<>();
      for (int at = start; !seen[at]; at = sigma[at]) {
        seen[at] = true;
        String[] f = fields.get(at);
        letters.add(f[2] + "|" + f[3] + "|" + LABELS.get(f[1]) + "|" + fields.get(sigma[at])[3]);
      }
      cycles.add(rotation(letters));
    }
    cycles.sort(null);
    sum.merge(
        String.join(" x ", cycles), c.times((cycles.size() & 1) == 0 ? 1 : -1), Complex::plus);
  }

  private static String describe(DiagramSet set, int diagram) {
    List<String> cycles = new ArrayList<>();
    for (int cycle : set.diagramAt(diagram)) {
      List<String> letters = new ArrayList<>();
      for (int letter : set.cycleAt(cycle)) {
        NodeRef node = set.nodeAt(letter / 16);
        letters.add(
            node.elemental()
                + "|"
                + letter % 16
                + "|"
                + node.time()
                + "|"
                + node.label()
                + "|"
                + node.next());
      }
      cycles.add(rotation(letters));
    }
    cycles.sort(null);
    return String.join(" x ", cycles);
  }

  private static String rotation(List<String> letters) {
    String[] rotations = new String[letters.size()];
    for (int r = 0; r < rotations.length; r++) {
      List<String> turned = new ArrayList<>(letters.subList(r, letters.size()));
      turned.addAll(letters.subList(0, r));
      rotations[r] = String.join(" . ", turned);
    }
    Arrays.sort(rotations);
    return rotations[0];
  }
}
