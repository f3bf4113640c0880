package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.reference.NaiveCorrelator;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/** Whole queues on random data against the naive evaluation of every permutation on its own. */
class QueueExecutorTest {
  private static final int T = 4;
  private static final long BUDGET = 1 << 24;
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange");

  /** Flavours of products that survive their own contraction or that with their adjoint. */
  private static final String[][] FLAVOURS = {
    {"uu"}, {"ud"}, {"ss"}, {"us"}, {"ud", "du"}, {"ud", "uu"}, {"us", "su"}, {"us", "ud"}
  };

  @TempDir Path folder;
  private static Device device;

  @BeforeAll
  static void openDevice() {
    device = new CpuBackend().open(new DeviceOptions(0, 1, 0, false));
  }

  @AfterAll
  static void closeDevice() {
    device.close();
  }

  private static Factor factor(String flavours, Random random) {
    boolean displaced = random.nextInt(4) == 0;
    return new Bilinear(
        flavours.substring(0, 1),
        new Gamma(random.nextInt(16), random.nextBoolean() ? 1 : -1),
        flavours.substring(1, 2),
        TestData.MOMENTA.get(random.nextInt(TestData.MOMENTA.size())),
        displaced ? "nabla_z" : "none");
  }

  private static CorrelationMatrix randomMatrix(Random random) {
    List<Operator> operators = new ArrayList<>();
    String[] first = FLAVOURS[random.nextInt(FLAVOURS.length)];
    for (int k = 0; k < 2; k++) {
      List<Term> terms = new ArrayList<>();
      for (int t = 0; t <= random.nextInt(2); t++) {
        String[] flavours = t == 0 ? first : FLAVOURS[random.nextInt(FLAVOURS.length)];
        List<Factor> factors = new ArrayList<>();
        for (String flavour : flavours) {
          factors.add(factor(flavour, random));
        }
        terms.add(new Term(new Complex(random.nextGaussian(), random.nextGaussian()), factors));
      }
      operators.add(new Operator("operator " + k, terms));
    }
    return new CorrelationMatrix("random", operators, LABELS, true);
  }

  private static ExecutionQueue bind(CorrelationMatrix matrix, int source, int vectorSize) {
    ContractionPlan plan = Reducer.reduce(WickContraction.contract(List.of(matrix)));
    return TimeBinding.bind(
        plan,
        BoundTimes.of(T, source, List.of(0, 1, 2, 3)),
        new QueueOptions(vectorSize),
        QueueCost::of);
  }

  private static QueueResult run(ExecutionQueue queue, DistillationData data, long budget) {
    try (QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budget))) {
      PreparedQueue prepared = executor.prepare(queue, data.header().eigenvectors());
      QueueResult result = executor.run(prepared, data, ExecutionControl.NONE);
      executor.audit();
      return result;
    }
  }

  @Test
  @Tag("slow")
  void run_randomMatricesAgreeWithNaiveEvaluation() {
    for (int seed = 0; seed < 16; seed++) {
      Random random = new Random(seed);
      int n = 2 + seed % 3;
      Path path = TestData.write(folder.resolve("seed" + seed), T, n, seed);
      if (seed % 4 == 3) {
        TestData.changeBasis(path, seed);
      }
      CorrelationMatrix matrix = randomMatrix(random);
      int source = random.nextInt(T);
      ExecutionQueue queue = bind(matrix, source, 1 + random.nextInt(20));
      try (DistillationData data = DistillationData.open(List.of(path));
          NaiveCorrelator naive = new NaiveCorrelator(path)) {
        data.check(queue.inputs());
        QueueResult result = run(queue, data, BUDGET);
        compare(result, matrix, naive, source, "seed=" + seed);
      }
    }
  }

  private static void compare(
      QueueResult result, CorrelationMatrix matrix, NaiveCorrelator naive, int source, String at) {
    double[] correlator = result.correlator(0, 2, T);
    for (int dt = 0; dt < T; dt++) {
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
          Complex expected = naive.element(matrix, i, j, (source + dt) % T, source);
          assertClose(expected, correlator, (dt * 2 + i) * 2 + j, at);
        }
      }
    }
    double[] onePoint = result.onePoint(0, 2, T);
    for (int t = 0; t < T; t++) {
      for (int i = 0; i < 2; i++) {
        Complex expected = naive.onePoint(matrix, i, t);
        assertClose(expected, onePoint, t * 2 + i, at);
      }
    }
  }

  /**
   * Coefficients are of order one and traces of order one to ten, of up to 8 factors of
   * 16-dimensional sums; 1e-12 leaves three digits.
   */
  private static void assertClose(Complex expected, double[] actual, int place, String at) {
    double tolerance = 1e-12 * Math.max(1, expected.abs());
    assertEquals(expected.re(), actual[2 * place], tolerance, at);
    assertEquals(expected.im(), actual[2 * place + 1], tolerance, at);
  }

  @Test
  void run_anyBudgetDownToTheSmallest() {
    Path path = TestData.write(folder, T, 3, 1);
    CorrelationMatrix matrix = rhoPi();
    ExecutionQueue queue = bind(matrix, 1, 16);
    long node = TensorShape.mesonNode(3).bytes();
    try (DistillationData data = DistillationData.open(List.of(path))) {
      double[] expected = run(queue, data, BUDGET).correlator(0, 2, T);
      for (long slots : new long[] {3, 4, 5, 7, 12, 30}) {
        assertArrayEquals(expected, run(queue, data, slots * node).correlator(0, 2, T), 1e-14);
      }
      MemoryBudgetException tooSmall =
          assertThrows(MemoryBudgetException.class, () -> run(queue, data, 3 * node - 1));
      assertEquals(3 * node, tooSmall.smallestBudgetBytes());
    }
  }

  /** Nodes and products that have to leave are computed again where that moves fewer bytes. */
  @Test
  void run_recomputingIsCheaper_sameResults() {
    Path path = TestData.write(folder, T, 3, 1);
    ExecutionQueue queue = bind(rhoPi(), 1, 16);
    long node = TensorShape.mesonNode(3).bytes();
    try (DistillationData data = DistillationData.open(List.of(path))) {
      long recomputations = 0;
      long[] traffic = new long[2];
      for (long slots : new long[] {3, 4, 5, 7, 12, 16, 20}) {
        MemHCOptions options = MemHCOptions.ofBudget(slots * node);
        MemoryStatistics[] memory = new MemoryStatistics[2];
        double[][] results = new double[2][];
        for (int k = 0; k < 2; k++) {
          // Computing costs nothing, or is never chosen.
          try (QueueExecutor executor =
              QueueExecutor.open(device, options.withRecomputation(k == 0 ? 1L << 40 : 0))) {
            QueueResult result =
                executor.run(executor.prepare(queue, 3), data, ExecutionControl.NONE);
            executor.audit();
            results[k] = result.correlator(0, 2, T);
            memory[k] = executor.memory();
          }
        }
        assertArrayEquals(results[1], results[0], "slots=" + slots);
        traffic[0] += memory[0].trafficBytes();
        traffic[1] += memory[1].trafficBytes();
        recomputations += memory[0].recomputations();
        assertEquals(0, memory[1].recomputations(), "slots=" + slots);
      }
      assertTrue(recomputations > 20, "recomputations=" + recomputations);
      assertTrue(traffic[0] < 0.97 * traffic[1], traffic[0] + " against " + traffic[1]);
    }
  }

  private static CorrelationMatrix rhoPi() {
    Random random = new Random(5);
    List<Factor> two = List.of(factor("ud", random), factor("uu", random));
    List<Factor> one = List.of(factor("ud", random));
    return new CorrelationMatrix(
        "rho_pi",
        List.of(
            new Operator("two", List.of(new Term(new Complex(0.5, 1), two))),
            new Operator("one", List.of(new Term(Complex.ONE, one)))),
        LABELS,
        false);
  }

  /** One block of traces, cut in every way that small budgets ask for. */
  @Test
  void run_blocksOfTracesAreCut() {
    int n = 3;
    List<ExecutionQueue.Element> elements = new ArrayList<>();
    List<ExecutionQueue.Step> builds = new ArrayList<>();
    List<Integer> nodes = new ArrayList<>();
    elements.add(new Input.Elemental(ElementalRef.of("none", new Momentum(0, 0, 1), false), 0));
    for (int source = 0; source < T; source++) {
      elements.add(new Input.Perambulator("light", 0, source));
      elements.add(new ExecutionQueue.Node());
      nodes.add(2 * source + 2);
      builds.add(new ExecutionQueue.Build(2 * source + 2, 0, 2 * source + 1));
    }
    ExecutionQueue.Traces pairs = new ExecutionQueue.Traces(1, nodes, 4, nodes, 0);
    ExecutionQueue.Traces singles = new ExecutionQueue.Traces(15, nodes, 0, List.of(), T * T);
    List<ExecutionQueue.Result> results = new ArrayList<>();
    for (int k = 0; k < T * T + T; k++) {
      results.add(
          new ExecutionQueue.Result(
              0,
              k,
              ContractionPlan.NONE,
              0,
              List.of(
                  new ContractionPlan.Monomial(
                      Complex.ONE, List.of(new ContractionPlan.Factor(k, false))))));
    }
    ExecutionQueue queue =
        new ExecutionQueue(
            elements,
            List.of(
                new ExecutionQueue.Vector(builds),
                new ExecutionQueue.Vector(List.of(pairs, singles))),
            T * T + T,
            results);
    Path path = TestData.write(folder, T, n, 2);
    long node = TensorShape.mesonNode(n).bytes();
    try (DistillationData data = DistillationData.open(List.of(path))) {
      double[] expected = run(queue, data, BUDGET).onePoint(0, T * T + T, 1);
      for (int slots = 3; slots < 9; slots++) {
        double[] actual = run(queue, data, slots * node).onePoint(0, T * T + T, 1);
        assertArrayEquals(expected, actual, 1e-14, "slots=" + slots);
      }
      // Tr[g1 X g3 Y] = Tr[g3 Y g1 X], and the left gamma is not the inner one.
      assertTrue(Math.abs(expected[2]) > 1e-6);
    }
  }

  @Test
  void run_missingPerambulatorsFollowFromGamma5Hermiticity() {
    Path whole = TestData.write(folder.resolve("whole"), T, 3, 3);
    Path column = TestData.write(folder.resolve("column"), T, 3, 3);
    Path shuffled = TestData.write(folder.resolve("shuffled"), T, 3, 3);
    TestData.keepSources(column, "light", 0);
    TestData.keepSources(shuffled, "light", 2, 3, 1);
    ExecutionQueue fromZero = bind(connected(), 0, 16);
    ExecutionQueue fromTwo = bind(rhoPi(), 2, 16);
    try (DistillationData all = DistillationData.open(List.of(whole));
        DistillationData one = DistillationData.open(List.of(column));
        DistillationData three = DistillationData.open(List.of(shuffled))) {
      one.check(fromZero.inputs());
      assertArrayEquals(correlator(fromZero, all), correlator(fromZero, one));
      // Lines from the sink to itself need τ(0,0), which three of the four source times do not
      // supply.
      assertThrows(DistillationException.class, () -> three.check(fromTwo.inputs()));
      ExecutionQueue connectedFromTwo = bind(connected(), 2, 16);
      three.check(connectedFromTwo.inputs());
      assertArrayEquals(correlator(connectedFromTwo, all), correlator(connectedFromTwo, three));
    }
  }

  private static double[] correlator(ExecutionQueue queue, DistillationData data) {
    return run(queue, data, BUDGET).correlator(0, 2, T);
  }

  /** Needs lines between source and sink only. */
  private static CorrelationMatrix connected() {
    Random random = new Random(4);
    return new CorrelationMatrix(
        "connected",
        List.of(
            new Operator("a", List.of(new Term(Complex.ONE, List.of(factor("ud", random))))),
            new Operator("b", List.of(new Term(Complex.ONE, List.of(factor("ud", random)))))),
        LABELS,
        false);
  }

  @Test
  void run_oneExecutorServesManyConfigurationsAndQueues() {
    SyntheticEnsemble ensemble = TestData.ensemble(T, 2, 9);
    CorrelationMatrix matrix = rhoPi();
    try (QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(BUDGET))) {
      List<PreparedQueue> queues =
          List.of(
              executor.prepare(bind(matrix, 0, 16), 2),
              executor.prepare(bind(connected(), 2, 3), 2),
              executor.prepare(bind(matrix, 3, 16), 2));
      long allocations = 0;
      for (int configuration = 1; configuration <= 3; configuration++) {
        Path path = SyntheticData.write(ensemble, configuration, folder, bytes -> {});
        try (DistillationData data = DistillationData.open(List.of(path))) {
          for (PreparedQueue queue : queues) {
            QueueResult result = executor.run(queue, data, ExecutionControl.NONE);
            executor.audit();
            assertArrayEquals(
                run(queue.queue(), data, BUDGET).correlator(0, 2, T), result.correlator(0, 2, T));
          }
        }
        if (configuration == 1) {
          allocations = executor.memory().allocations();
        }
      }
      assertEquals(allocations, executor.memory().allocations());
    }
  }

  @Test
  void run_eachBlockIsReadOnce() {
    Path path = TestData.write(folder, T, 2, 1);
    ExecutionQueue queue = bind(rhoPi(), 0, 16);
    long inputs = queue.elements().stream().filter(element -> element instanceof Input).count();
    long node = TensorShape.mesonNode(2).bytes();
    for (long budget : new long[] {BUDGET, 6 * node, 3 * node}) {
      try (DistillationData data = DistillationData.open(List.of(path))) {
        assertEquals(0, data.blocksRead());
        ExecutionStatistics statistics = run(queue, data, budget).statistics();
        assertEquals(inputs, data.blocksRead(), "budget=" + budget);
        assertEquals(inputs, statistics.blocksRead());
        assertEquals(data.bytesRead(), statistics.bytesRead());
      }
    }
  }

  @Test
  void peakBytes_isWhatSufficesWithoutEvictions() {
    Path path = TestData.write(folder, T, 2, 1);
    ExecutionQueue queue = bind(rhoPi(), 0, 16);
    try (DistillationData data = DistillationData.open(List.of(path));
        QueueExecutor wide = QueueExecutor.open(device, MemHCOptions.ofBudget(BUDGET))) {
      PreparedQueue prepared = wide.prepare(queue, 2);
      long peak = prepared.peakBytes();
      wide.run(prepared, data, ExecutionControl.NONE);
      // Step by step: a batch holds on to what its steps need until it is launched.
      assertTrue(wide.memory().peakDeviceBytes() >= peak);
      assertEquals(0, wide.memory().evictions());
      try (QueueExecutor narrow =
          QueueExecutor.open(device, MemHCOptions.ofBudget(peak - 1).withPrefetch(0))) {
        narrow.run(narrow.prepare(queue, 2), data, ExecutionControl.NONE);
        assertTrue(narrow.memory().evictions() > 0);
      }
    }
  }

  @Test
  void run_countsFlops() {
    Path path = TestData.write(folder, T, 2, 1);
    ExecutionQueue queue = bind(rhoPi(), 0, 16);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      ExecutionStatistics statistics = run(queue, data, BUDGET).statistics();
      long products =
          queue.vectors().stream()
              .flatMap(vector -> vector.steps().stream())
              .filter(step -> step instanceof ExecutionQueue.Multiply)
              .count();
      assertEquals(products, statistics.work().products());
      assertEquals(queue.traceCount(), statistics.work().traces());
      assertEquals(products + queue.traceCount(), statistics.work().contractions());
      // All traces of this queue are of two nodes: 16 pairs of spins, N² products each.
      assertEquals(
          64.0 * (16 * statistics.work().builds() + 64 * products)
              + 32.0 * 16 * twoNodeTraces(queue),
          statistics.work().flops());
    }
  }

  private static long twoNodeTraces(ExecutionQueue queue) {
    long traces = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Traces block) {
          traces += (long) block.lefts().size() * block.rights().size();
        }
      }
    }
    return traces;
  }

  @Test
  void run_stopsBetweenVectorsAndCanGoOn() {
    Path path = TestData.write(folder, T, 2, 1);
    ExecutionQueue queue = bind(rhoPi(), 0, 4);
    try (DistillationData data = DistillationData.open(List.of(path));
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(BUDGET))) {
      PreparedQueue prepared = executor.prepare(queue, 2);
      for (int after = 0; after < 6; after++) {
        Stop stop = new Stop(after);
        assertThrows(CancellationException.class, () -> executor.run(prepared, data, stop));
        assertEquals(after, stop.vectors);
        executor.audit();
      }
      assertArrayEquals(
          run(queue, data, BUDGET).correlator(0, 2, T),
          executor.run(prepared, data, ExecutionControl.NONE).correlator(0, 2, T));
    }
  }

  private static final class Stop implements ExecutionControl {
    private final int after;
    private int vectors;

    Stop(int after) {
      this.after = after;
    }

    @Override
    public boolean isCancelled() {
      return vectors == after;
    }

    @Override
    public void progress(long done, long total) {
      assertTrue(done >= 0 && done <= total);
      vectors++;
    }
  }

  /** Sound input, but products overflow: nothing of it may be handed out. */
  @Test
  void run_overflowIsAnError() {
    ExecutionQueue queue = bind(rhoPi(), 0, 16);
    InputBlocks huge =
        new InputBlocks() {
          @Override
          public void load(Input input, Rows rows, HostMemory target, long offset) {
            double[] values = new double[(int) (rows.bytes(input, 2) / Double.BYTES)];
            Arrays.fill(values, 1e200);
            target.put(offset / Double.BYTES, values, 0, values.length);
          }

          @Override
          public GammaBasis gammaBasis() {
            return GammaBasis.DEGRAND_ROSSI;
          }
        };
    try (QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(BUDGET))) {
      PreparedQueue prepared = executor.prepare(queue, 2);
      String message =
          String.valueOf(
              assertThrows(
                      ContractionException.class,
                      () -> executor.run(prepared, huge, ExecutionControl.NONE))
                  .getMessage());
      assertTrue(message.startsWith("the result for operators ("), message);
      assertTrue(message.contains("is not finite"), message);
    }
  }
}
