package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.TetraquarkPart;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.PairCosts;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;

/** Plans with tetraquarks against the sum over all pairings of their fields. */
class TetraquarkTest {
  private static final int T = 4;
  private static final int SOURCE = 3;
  private static final Momentum ONE = new Momentum(0, 0, 1);
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "c", "charm");

  private static TetraquarkFactor tetraquark(
      String colour, String antiquarks, String antidiquark, String quarks, String diquark) {
    return new TetraquarkFactor(
        PairColour.named(colour).orElseThrow(),
        antiquarks.substring(0, 1),
        antiquarks.substring(1),
        Gamma.parse(antidiquark),
        quarks.substring(0, 1),
        quarks.substring(1),
        Gamma.parse(diquark),
        Momentum.ZERO);
  }

  private static TetraquarkFactor at(TetraquarkFactor t, Momentum momentum) {
    return new TetraquarkFactor(
        t.colour(),
        t.bar1(),
        t.bar2(),
        t.antidiquark(),
        t.quark3(),
        t.quark4(),
        t.diquark(),
        momentum);
  }

  private static Bilinear meson(String flavours, String gamma, Momentum momentum) {
    return new Bilinear(
        flavours.substring(0, 1), Gamma.parse(gamma), flavours.substring(1), momentum, "none");
  }

  private static Operator operator(Factor... factors) {
    return new Operator("o", List.of(term(1, factors)));
  }

  private static Term term(double coefficient, Factor... factors) {
    return new Term(new Complex(coefficient, 0), List.of(factors));
  }

  private static CorrelationMatrix matrix(boolean onePoint, Operator... operators) {
    return new CorrelationMatrix("test", List.of(operators), LABELS, onePoint);
  }

  /** Few vectors, and so many that a queue multiplies tetraquarks leg by leg. */
  private static final List<Integer> QUEUED_FOR = List.of(16, 200);

  /** Compares every element; returns the plan. */
  private static ContractionPlan check(int extent, CorrelationMatrix matrix) {
    DiagramSet set = WickContraction.contract(List.of(matrix));
    ContractionPlan plan = Reducer.reduce(set);
    RandomLattice lattice = new RandomLattice(extent, 5, Set.of());
    FieldContraction fields = new FieldContraction(lattice, matrix.quarkLabels());
    BoundTimes times = BoundTimes.of(T, SOURCE, List.of(0, 2));
    List<QueueEvaluation> evaluations =
        QUEUED_FOR.stream().map(n -> new QueueEvaluation(queue(plan, times, n), lattice)).toList();
    List<ExecutionQueue.Result> results = evaluations.get(0).results();
    for (ExecutionQueue.Result r : results) {
      Operator sink = matrix.operators().get(r.row());
      Complex expected =
          r.column() == ContractionPlan.NONE
              ? fields.value(sink, times.onePointTimes().get(r.index()), List.of(), 0)
              : fields.value(
                  sink,
                  (SOURCE + times.separations().get(r.index())) % T,
                  List.of(matrix.sources().get(r.column())),
                  SOURCE);
      assertTrue(expected.abs() > 0, "a contraction that vanishes says nothing: " + r);
      for (QueueEvaluation evaluation : evaluations) {
        Complex found = evaluation.value(evaluation.results().get(results.indexOf(r)));
        // Sums of products of up to six matrices.
        double difference = found.plus(expected.times(-1)).abs();
        assertEquals(0, difference, 1e-10 * expected.abs(), r.row() + " " + r.column());
      }
    }
    int n = matrix.operators().size();
    assertEquals(
        n * n * 2 + (matrix.onePoint() ? n * times.onePointTimes().size() : 0), results.size());
    return plan;
  }

  private static ExecutionQueue queue(ContractionPlan plan, BoundTimes times, int eigenvectors) {
    QueueOptions options = QueueOptions.standard().withBudget(Long.MAX_VALUE, eigenvectors);
    return TimeBinding.bind(plan, times, options, TestCosts::of);
  }

  private static long count(ExecutionQueue queue, Class<? extends ExecutionQueue.Step> kind) {
    return queue.vectors().stream()
        .flatMap(vector -> vector.steps().stream())
        .filter(kind::isInstance)
        .count();
  }

  /** 8 P² P' flops by pairs, 256 P N³ leg by leg: equal where P P' is 32 N³. */
  @Test
  void queue_multipliesLegByLeg_whereThatIsCheaper() {
    Operator[] operators = {operator(good()), operator(at(good(), ONE))};
    ContractionPlan plan =
        Reducer.reduce(WickContraction.contract(List.of(matrix(false, operators))));
    BoundTimes times = BoundTimes.of(T, SOURCE, List.of(2));
    for (int n : new int[] {64, 129, 130, 200}) {
      ExecutionQueue queue = queue(plan, times, n);
      long legs = n < 130 ? 0 : 4;
      assertEquals(legs, count(queue, ExecutionQueue.LegProduct.class));
      assertEquals(4 - legs, count(queue, ExecutionQueue.PairProduct.class));
      assertEquals(2 - legs / 2, count(queue, ExecutionQueue.FormPairs.class));
      double pairs = 0.5 * n * (n - 1);
      double traces = 4 * 8 * pairs * pairs;
      PairCosts costs = PairCosts.of(queue, n);
      double lines = 2 * 128 * Math.pow(n, 4);
      assertEquals(4 * 8 * Math.pow(pairs, 3) + lines + traces, costs.pairs());
      assertEquals(4 * 256 * pairs * Math.pow(n, 3) + traces, costs.legs());
      assertEquals(1152 * n * 2 + 2 * 128 * 36 + 4 * 72, costs.sites());
    }
  }

  private static TetraquarkFactor good() {
    return tetraquark("3bar3", "ud", "g5", "cc", "g3");
  }

  private static TetraquarkFactor sextet() {
    return tetraquark("66bar", "ud", "g3", "cc", "g5");
  }

  @Test
  void bothPairsPass_bothColoursAndMesons() {
    check(
        3,
        matrix(
            false,
            operator(good()),
            operator(sextet()),
            operator(meson("uc", "g5", ONE), meson("dc", "g3", ONE.negate())),
            operator(meson("dc", "g5", ONE), meson("uc", "g3", ONE.negate()))));
  }

  @Test
  void onePairComesBack() {
    check(
        2,
        matrix(
            false,
            operator(tetraquark("3bar3", "cu", "g5", "cd", "g3")),
            operator(tetraquark("66bar", "uc", "g1g4", "cd", "1")),
            operator(meson("cc", "g3", ONE), meson("ud", "g5", ONE.negate())),
            operator(meson("ud", "g5", ONE)),
            operator(meson("cd", "g5", Momentum.ZERO), meson("uc", "g2", ONE))));
  }

  @Test
  void everyLineMayComeBack_withOnePointFunctions() {
    check(
        2,
        matrix(
            true,
            operator(tetraquark("3bar3", "cu", "g5", "uc", "g5")),
            new Operator(
                "sum",
                List.of(
                    term(1, tetraquark("66bar", "cu", "g5", "cu", "g5")),
                    new Term(
                        new Complex(0, -2), List.of(tetraquark("66bar", "cu", "g3", "cu", "g2"))))),
            operator(meson("uu", "1", Momentum.ZERO))));
  }

  @Test
  void fourQuarksOfOneFlavour() {
    check(
        2,
        matrix(
            false,
            operator(tetraquark("3bar3", "uu", "g3", "uu", "g2")),
            operator(tetraquark("66bar", "uu", "g5", "uu", "1")),
            operator(meson("uu", "g5", ONE))));
  }

  @Test
  void mesonsBesideATetraquark() {
    check(
        2,
        matrix(
            false,
            operator(at(good(), ONE), meson("ud", "g5", Momentum.ZERO)),
            operator(tetraquark("3bar3", "ud", "g3", "cc", "g1"), meson("ud", "g5", ONE))));
  }

  @Test
  void pairThatVanishesByItsSymmetry_leavesNoDiagram() {
    TetraquarkFactor vanishing = tetraquark("3bar3", "ud", "g5", "cc", "g5");
    assertEquals(
        0, WickContraction.contract(List.of(matrix(false, operator(vanishing)))).diagramCount());
  }

  @Test
  void equalFlavours_areOneDiagramWithAFactor() {
    DiagramSet set = WickContraction.contract(List.of(matrix(false, operator(good()))));
    assertEquals(1, set.diagramCount());
    assertEquals(2, set.element(0, 0, 0).terms().values().iterator().next().abs(), 0);
  }

  private static long count(List<TetraquarkPart.Step> steps, TetraquarkPart.Kind kind) {
    return steps.stream().filter(step -> step.kind() == kind).count();
  }

  /** Each elemental is multiplied once with each matrix of pairs of lines. */
  @Test
  void largeProducts_growWithOperatorsNotWithPairsOfThem() {
    for (int n = 1; n <= 6; n++) {
      Operator[] operators = new Operator[n];
      for (int k = 0; k < n; k++) {
        operators[k] = operator(at(good(), new Momentum(0, 0, k)));
      }
      ContractionPlan plan =
          Reducer.reduce(WickContraction.contract(List.of(matrix(false, operators))));
      List<TetraquarkPart.Step> steps = plan.tetraquarkPart().steps();
      assertEquals(2L * n, count(steps, TetraquarkPart.Kind.PRODUCT));
      assertEquals(2, count(steps, TetraquarkPart.Kind.PAIRS));
      assertEquals(n * n, plan.traces().size());
    }
  }

  /** Sums over spins with one flavour structure close a tetraquark once, and are one node. */
  @Test
  void termsThatDifferInSpin_areAddedUpFirst() {
    List<Term> terms = new ArrayList<>();
    for (String gammas : List.of("g1", "g2", "g3")) {
      terms.add(term(0.5, tetraquark("3bar3", "cu", gammas, "cd", gammas)));
    }
    ContractionPlan plan =
        check(
            2,
            matrix(
                false, new Operator("scalar", terms), operator(meson("ud", "g5", Momentum.ZERO))));
    List<TetraquarkPart.Step> steps = plan.tetraquarkPart().steps();
    assertEquals(2, count(steps, TetraquarkPart.Kind.CLOSED));
    assertEquals(2, count(steps, TetraquarkPart.Kind.OPENED));
  }

  /**
   * A tetraquark is a sum of products of mesons at one site, {@code q̄¹ q̄² q³ q⁴ = -(q̄¹ q³)(q̄²
   * q⁴) = (q̄¹ q⁴)(q̄² q³)}.
   */
  @Test
  void tetraquark_isASumOfProductsOfMesons() {
    for (TetraquarkFactor t :
        List.of(
            tetraquark("3bar3", "ud", "g5", "cc", "g3"),
            tetraquark("66bar", "cu", "g4g5", "dc", "g1g3"))) {
      List<Term> products = new ArrayList<>();
      for (int a = 0; a < 16; a++) {
        for (int b = 0; b < 16; b++) {
          for (String site : RandomLattice.SITES) {
            addProduct(products, t, a, b, site, false);
            addProduct(products, t, a, b, site, true);
          }
        }
      }
      CorrelationMatrix both = matrix(false, operator(t), new Operator("mesons", products));
      ContractionPlan plan = Reducer.reduce(WickContraction.contract(List.of(both)));
      QueueEvaluation evaluation =
          new QueueEvaluation(
              TimeBinding.bind(
                  plan,
                  BoundTimes.of(T, SOURCE, List.of(1)),
                  QueueOptions.standard(),
                  TestCosts::of),
              new RandomLattice(2, 9, Set.of()));
      Complex first = evaluation.value(evaluation.results().get(0));
      for (ExecutionQueue.Result r : evaluation.results()) {
        Complex difference = evaluation.value(r).plus(first.times(-1));
        assertEquals(0, difference.abs(), 1e-10 * first.abs(), r.row() + " " + r.column());
      }
    }
  }

  /** Adds the part of a tetraquark with Γa and Γb, {@code Σ D̄ D Γa* Γb* / 16}. */
  private static void addProduct(
      List<Term> products, TetraquarkFactor t, int a, int b, String site, boolean exchanged) {
    SpinMatrix dBar = QueueEvaluation.antidiquark(t.antidiquark().mask());
    SpinMatrix d = QueueEvaluation.diquark(t.diquark().mask());
    Complex sum = Complex.ZERO;
    for (int s = 0; s < 256; s++) {
      int[] spin = {s & 3, s >> 2 & 3, s >> 4 & 3, s >> 6};
      Complex first = SpinMatrix.gamma(a, 1).at(spin[0], spin[exchanged ? 3 : 2]).conjugate();
      Complex second = SpinMatrix.gamma(b, 1).at(spin[1], spin[exchanged ? 2 : 3]).conjugate();
      sum =
          sum.plus(
              dBar.at(spin[0], spin[1])
                  .times(d.at(spin[2], spin[3]))
                  .times(first)
                  .times(second)
                  .times(1.0 / 16));
    }
    if (sum.abs() > 1e-12) {
      int sign = (exchanged ? t.colour().sign() : -1) * t.antidiquark().sign() * t.diquark().sign();
      products.add(
          new Term(
              sum.times(sign),
              List.of(
                  new Bilinear(
                      t.bar1(),
                      new Gamma(a, 1),
                      exchanged ? t.quark4() : t.quark3(),
                      t.momentum(),
                      site),
                  new Bilinear(
                      t.bar2(),
                      new Gamma(b, 1),
                      exchanged ? t.quark3() : t.quark4(),
                      t.momentum(),
                      site))));
    }
  }

  @Test
  void whatIsNotContracted_isRefusedByName() {
    IllegalArgumentException two =
        assertThrows(
            IllegalArgumentException.class,
            () -> WickContraction.contract(List.of(matrix(false, operator(good(), good())))));
    assertTrue(two.getMessage().contains("operator 'o'"), two.getMessage());
    BaryonFactor nucleon = new BaryonFactor("u", "d", "d", Gamma.G5, 1, 1, Momentum.ZERO, "none");
    IllegalArgumentException baryon =
        assertThrows(
            IllegalArgumentException.class,
            () -> WickContraction.contract(List.of(matrix(false, operator(nucleon, good())))));
    assertTrue(baryon.getMessage().contains("operators 'o' and 'o'"), baryon.getMessage());
  }

  @Test
  void currentOnALineOfATetraquark_isRefused() {
    Operator t = operator(good());
    CorrelationMatrix.Flavours light = new CorrelationMatrix.Flavours("u", "u");
    CorrelationMatrix current =
        new CorrelationMatrix("test", List.of(t), List.of(t), LABELS, false, light);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> WickContraction.contract(List.of(current)));
    assertTrue(
        e.getMessage()
            .contains("'o' and 'o': the current meets a quark line of a tetraquark, of flavour u,"),
        e.getMessage());
  }

  /** The value is that of the baryon times that of the tetraquark. */
  @Test
  void baryonOfOtherFlavours_mayStandBesideATetraquark() {
    BaryonFactor baryon = new BaryonFactor("s", "s", "s", Gamma.g(3), 1, 1, Momentum.ZERO, "none");
    CorrelationMatrix matrix =
        new CorrelationMatrix(
            "test",
            List.of(operator(baryon, good())),
            Map.of("u", "light", "d", "light", "c", "charm", "s", "strange"),
            false);
    ContractionPlan plan = Reducer.reduce(WickContraction.contract(List.of(matrix)));
    assertEquals(4, plan.tetraquarkPart().steps().size());
    assertTrue(!plan.baryonPart().pairs().isEmpty());
    for (ContractionPlan.Monomial monomial : plan.outputs().get(0).monomials()) {
      assertEquals(2, monomial.factors().size());
    }
  }
}
