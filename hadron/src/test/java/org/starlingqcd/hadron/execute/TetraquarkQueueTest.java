package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.TetraquarkPart.VertexSpin;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.ClosePair;
import org.starlingqcd.graph.schedule.ExecutionQueue.FormPairs;
import org.starlingqcd.graph.schedule.ExecutionQueue.LegProduct;
import org.starlingqcd.graph.schedule.ExecutionQueue.OpenVertex;
import org.starlingqcd.graph.schedule.ExecutionQueue.PairBlocks;
import org.starlingqcd.graph.schedule.ExecutionQueue.PairMatrix;
import org.starlingqcd.graph.schedule.ExecutionQueue.PairProduct;
import org.starlingqcd.graph.schedule.ExecutionQueue.Step;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;

/** Queues with tetraquarks, written by hand, against sums over all indices. */
class TetraquarkQueueTest {
  private static final int N = 4;

  /** Random numbers in [-1, 1) for every input, as the data give them. */
  private static final class RandomBlocks implements InputBlocks {
    private final Map<Input, double[]> numbers = new HashMap<>();
    private final Random random = new Random(39);
    private final int extent;

    RandomBlocks(int extent) {
      this.extent = extent;
    }

    double[] of(Input input) {
      return numbers.computeIfAbsent(
          input,
          key ->
              random
                  .doubles(key.bytes(extent) / Double.BYTES, -1, 1)
                  .map(number -> (float) number)
                  .toArray());
    }

    @Override
    public synchronized void load(Input input, Rows rows, HostMemory target, long offset) {
      double[] values = of(input);
      int from =
          rows.isAll() ? 0 : (int) rows.offset(input, extent, Precision.DOUBLE) / Double.BYTES;
      int count = (int) rows.bytes(input, extent) / Double.BYTES;
      target.put(offset / Double.BYTES, values, from, count);
    }

    @Override
    public GammaBasis gammaBasis() {
      return GammaBasis.DEGRAND_ROSSI;
    }
  }

  private RandomBlocks blocks = new RandomBlocks(N);

  private static Input.Perambulator line(String label, int sink, int source) {
    return new Input.Perambulator(label, sink, source);
  }

  private static Input.Tetraquark tetraquark(PairColour colour, int time) {
    return new Input.Tetraquark(colour, Momentum.ZERO, time, time == 0);
  }

  private static ExecutionQueue queue(
      List<ExecutionQueue.Element> elements, List<Step> steps, int traces) {
    List<ExecutionQueue.Result> results = new ArrayList<>();
    for (int k = 0; k < traces; k++) {
      ContractionPlan.Monomial one =
          new ContractionPlan.Monomial(Complex.ONE, List.of(new ContractionPlan.Factor(k, false)));
      results.add(new ExecutionQueue.Result(0, k, 0, 0, List.of(one)));
    }
    return new ExecutionQueue(
        elements,
        steps.stream().map(step -> new ExecutionQueue.Vector(List.of(step))).toList(),
        traces,
        results);
  }

  private QueueResult run(ExecutionQueue queue, Precision precision, long budget) {
    DeviceOptions options = new DeviceOptions(0, 2, 0, false).in(precision);
    try (Device device = new CpuBackend().open(options);
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budget))) {
      QueueResult result =
          executor.run(executor.prepare(queue, blocks.extent), blocks, ExecutionControl.NONE);
      executor.audit();
      return result;
    }
  }

  /** D or D̄ of a mask, from the definition. */
  private static Complex[][] spin(int mask, boolean bar) {
    SpinMatrix d = GammaBasis.DEGRAND_ROSSI.matrix(GammaBasis.C.times(new Gamma(mask, 1)));
    SpinMatrix g4 = SpinMatrix.deGrandRossi(Gamma.G4);
    Complex[][] made = new Complex[4][4];
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        made[a][b] = Complex.ZERO;
        for (int k = 0; k < 16 && bar; k++) {
          Complex g = number(g4, a, k / 4).times(number(g4, b, k % 4));
          made[a][b] = made[a][b].plus(number(d, k / 4, k % 4).conjugate().times(g));
        }
        made[a][b] = bar ? made[a][b] : number(d, a, b);
      }
    }
    return made;
  }

  private static Complex number(SpinMatrix m, int row, int column) {
    return new Complex(m.re(row, column), m.im(row, column));
  }

  private Complex line(Input line, int row, int column, int i, int j) {
    return at(blocks.of(line), ((4 * row + column) * N + i) * N + j);
  }

  private static Complex at(double[] numbers, int index) {
    return new Complex(numbers[2 * index], numbers[2 * index + 1]);
  }

  private Complex tetraquark(Input.Tetraquark k, int i, int j, int m, int n) {
    PairColour colour = k.colour();
    int sign = colour.sign(i, j) * colour.sign(m, n);
    return sign == 0
        ? Complex.ZERO
        : at(blocks.of(k), colour.place(i, j) * colour.pairs(N) + colour.place(m, n)).times(sign);
  }

  /** Two lines between the pairs of all vectors, [k][l][k'][l']. */
  private Complex[] pairs(Input first, Input second, int diquark, int antidiquark) {
    Complex[][] d = spin(diquark, false);
    Complex[][] bar = spin(antidiquark, true);
    Complex[] z = new Complex[N * N * N * N];
    for (int k = 0; k < z.length; k++) {
      z[k] = Complex.ZERO;
      for (int s = 0; s < 256; s++) {
        Complex factor = d[s >> 6][s >> 4 & 3].times(bar[s >> 2 & 3][s & 3]);
        if (factor.abs() > 0) {
          Complex a = line(first, s >> 6, s >> 2 & 3, k / (N * N * N), k / N % N);
          Complex b = line(second, s >> 4 & 3, s & 3, k / (N * N) % N, k % N);
          z[k] = z[k].plus(factor.times(a).times(b));
        }
      }
    }
    return z;
  }

  private Complex[] times(Input.Tetraquark k, Complex[] z) {
    Complex[] made = new Complex[z.length];
    for (int at = 0; at < made.length; at++) {
      made[at] = Complex.ZERO;
      for (int m = 0; m < N * N; m++) {
        Complex left = tetraquark(k, at / (N * N * N), at / (N * N) % N, m / N, m % N);
        made[at] = made[at].plus(left.times(z[m * N * N + at % (N * N)]));
      }
    }
    return made;
  }

  private static Complex trace(Complex[] a, Complex[] b) {
    Complex sum = Complex.ZERO;
    for (int k = 0; k < a.length; k++) {
      sum = sum.plus(a[k].times(b[k % (N * N) * N * N + k / (N * N)]));
    }
    return sum;
  }

  /** The same traces, one leg after the other or with matrices of pairs. */
  private static ExecutionQueue openFlavour(PairColour sink, PairColour source, boolean byLegs) {
    List<ExecutionQueue.Element> elements =
        List.of(
            tetraquark(sink, 1),
            tetraquark(source, 0),
            line("c", 1, 0),
            line("b", 1, 0),
            line("u", 0, 1),
            line("d", 0, 1),
            new PairMatrix(sink, source, false),
            new PairMatrix(source, sink, false),
            new PairMatrix(sink, source, true),
            new PairMatrix(source, sink, true));
    Traces traces = new Traces(0, List.of(8), 0, List.of(9), 0);
    if (byLegs) {
      FormPairs quarks = new FormPairs(8, 2, 3, 0b1111, 0b0010, sink, source, 0);
      FormPairs bars = new FormPairs(9, 4, 5, 0b0001, 0b1011, source, sink, 0);
      return queue(
          elements, List.of(new LegProduct(0, quarks), new LegProduct(1, bars), traces), 1);
    }
    List<Step> steps =
        List.of(
            new FormPairs(6, 2, 3, 0b1111, 0b0010, sink, source, 0),
            new FormPairs(7, 4, 5, 0b0001, 0b1011, source, sink, 0),
            new PairProduct(8, 0, 6, sink, source, 0),
            new PairProduct(9, 1, 7, source, sink, 0),
            traces);
    return queue(elements, steps, 1);
  }

  private Complex expected(PairColour sink, PairColour source) {
    Complex[] x = pairs(line("c", 1, 0), line("b", 1, 0), 0b1111, 0b0010);
    Complex[] y = pairs(line("u", 0, 1), line("d", 0, 1), 0b0001, 0b1011);
    return trace(times(tetraquark(sink, 1), x), times(tetraquark(source, 0), y));
  }

  private static void assertClose(Complex expected, Complex actual, double relative) {
    assertTrue(
        expected.plus(actual.times(-1)).abs() <= relative * expected.abs(),
        actual + " instead of " + expected);
  }

  @ParameterizedTest
  @CsvSource({"TRIPLET,TRIPLET", "SEXTET,SEXTET", "TRIPLET,SEXTET", "SEXTET,TRIPLET"})
  void run_byPairsAndLegByLeg_agreesWithTheSumOverAllIndices(PairColour sink, PairColour source) {
    Complex expected = expected(sink, source);
    for (boolean byLegs : new boolean[] {false, true}) {
      ExecutionQueue queue = openFlavour(sink, source, byLegs);
      assertClose(expected, run(queue, Precision.DOUBLE, 1 << 24).value(0), 1e-13);
      assertClose(expected, run(queue, Precision.SINGLE, 1 << 24).value(0), 1e-4);
    }
  }

  /** A matrix of pairs fits, with a strip of a tetraquark and of the product. */
  @ParameterizedTest
  @CsvSource({"TRIPLET,TRIPLET", "SEXTET,SEXTET", "TRIPLET,SEXTET"})
  void run_smallestBudget_holdsAMatrixAndTwoStrips_withTheSameBits(
      PairColour sink, PairColour source) {
    int n = 28;
    blocks = new RandomBlocks(n);
    ExecutionQueue queue = openFlavour(sink, source, false);
    int width = PairPacking.of(n, sink == PairColour.SEXTET || sink != source).rows();
    PairPacking packing = new PairPacking(n, source == PairColour.SEXTET, width);
    long least =
        packing.matrixShape(source.pairs(n), Precision.DOUBLE).bytes()
            + packing.stripShape(Precision.DOUBLE).bytes()
            + packing.productShape(Precision.DOUBLE).bytes();
    assertTrue(least < 1.6 * TensorShape.COMPLEX_BYTES * Math.pow(source.pairs(n), 2));
    assertEquals(
        least, MemoryForecast.of(queue, n, Precision.DOUBLE, 1 << 28).smallestBudgetBytes());
    MemoryBudgetException tooSmall =
        assertThrows(MemoryBudgetException.class, () -> run(queue, Precision.DOUBLE, least - 1));
    assertEquals(least, tooSmall.smallestBudgetBytes());
    ExecutionQueue byLegs = openFlavour(sink, source, true);
    long leastByLegs =
        MemoryForecast.of(byLegs, n, Precision.DOUBLE, 1 << 28).smallestBudgetBytes();
    for (Precision precision : Precision.values()) {
      Complex all = run(queue, precision, 1 << 28).value(0);
      Complex legs = run(byLegs, precision, 1 << 28).value(0);
      assertClose(all, legs, precision == Precision.DOUBLE ? 1e-12 : 1e-3);
      for (double factor : new double[] {1, 1.2, 2}) {
        assertEquals(all, run(queue, precision, (long) (least * factor)).value(0));
        assertEquals(legs, run(byLegs, precision, (long) (leastByLegs * factor)).value(0));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(PairColour.class)
  void run_closedPair_isANode(PairColour colour) {
    Complex half = new Complex(0.5, -0.25);
    List<VertexSpin> terms =
        List.of(new VertexSpin(0b1111, 0b0001, Complex.ONE), new VertexSpin(0b0010, 0b1111, half));
    Input.Tetraquark k = tetraquark(colour, 1);
    List<ExecutionQueue.Element> elements =
        List.of(
            k,
            line("c", 1, 1),
            line("u", 1, 1),
            new PairBlocks(16),
            new ExecutionQueue.Intermediate());
    List<Step> steps =
        List.of(
            new ClosePair(3, 0, 1, List.of(), colour, 0),
            new OpenVertex(4, 3, terms),
            new Traces(0, List.of(4), 0, List.of(2), 0));
    Complex expected = Complex.ZERO;
    for (VertexSpin term : terms) {
      Complex[][] bar = spin(term.antidiquark(), true);
      Complex[][] d = spin(term.diquark(), false);
      for (int s = 0; s < 256; s++) {
        Complex factor =
            term.coefficient().times(bar[s >> 6][s >> 4 & 3]).times(d[s >> 2 & 3][s & 3]);
        for (int x = 0; x < N * N * N * N && factor.abs() > 0; x++) {
          int i = x / (N * N * N);
          int j = x / (N * N) % N;
          Complex closing = line(line("c", 1, 1), s & 3, s >> 4 & 3, x % N, j);
          Complex other = line(line("u", 1, 1), s >> 2 & 3, s >> 6, x / N % N, i);
          expected =
              expected.plus(
                  factor.times(tetraquark(k, i, j, x / N % N, x % N)).times(closing).times(other));
        }
      }
    }
    ExecutionQueue queue = queue(elements, steps, 1);
    assertClose(expected, run(queue, Precision.DOUBLE, 1 << 24).value(0), 1e-13);
    assertClose(expected, run(queue, Precision.SINGLE, 1 << 24).value(0), 1e-4);
  }
}
