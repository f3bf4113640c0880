package org.starlingqcd.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Random calls on random ranges, host reads and host writes, and the same on plain arrays, on a
 * device with room for little more than the operands of one call.
 */
final class RandomCalls {
  private static final List<Form> FORMS = List.of(Form.values());
  private static final int LENGTH = 320;
  private static final int ARRAYS = 6;

  private final Random random;
  private final ArrayCache cache;
  private final ArrayBlas blas;
  private final NumberKind kind;
  private final int width;
  private final List<HostArray> arrays = new ArrayList<>();
  private final List<double[]> plain = new ArrayList<>();

  private RandomCalls(
      Device device, CoherenceProtocol protocol, String policy, NumberKind kind, long seed) {
    random = new Random(seed);
    this.kind = kind;
    width = kind.bytes() / Double.BYTES;
    // Three whole arrays and a little: others have to leave for them.
    long budget = (3L * LENGTH + 40) * kind.bytes();
    cache =
        ArrayCache.open(
            device,
            MemHCOptions.ofBudget(budget).withPolicy(policy),
            protocol,
            random.nextBoolean(),
            random.nextBoolean() ? 0 : 256);
    blas = new ArrayBlas(cache);
    for (int k = 0; k < ARRAYS; k++) {
      HostArray array = cache.array("array " + k, kind, LENGTH);
      double[] numbers = draw(LENGTH);
      array.put(0, numbers, LENGTH);
      arrays.add(array);
      plain.add(numbers);
    }
  }

  /** Runs {@code steps} steps; returns how many records were evicted. */
  static long run(
      Device device,
      CoherenceProtocol protocol,
      String policy,
      NumberKind kind,
      long seed,
      int steps) {
    RandomCalls test = new RandomCalls(device, protocol, policy, kind, seed);
    try (ArrayCache closing = test.cache) {
      for (int step = 0; step < steps; step++) {
        test.step();
        test.cache.audit();
      }
      for (int k = 0; k < ARRAYS; k++) {
        test.compare(k, 0, LENGTH);
      }
      assertTrue(closing.statistics().merges() > 0, "ranges were merged");
      return closing.statistics().memory().evictions();
    }
  }

  private double[] draw(int count) {
    double[] numbers = new double[width * count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextDouble() - 0.5;
    }
    return numbers;
  }

  private void step() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> product();
      case 3 -> add();
      case 4 -> copy();
      case 5 -> scale();
      case 6 -> rows();
      case 7 -> transpose();
      case 8 -> hostWrites();
      default -> {
        int k = random.nextInt(ARRAYS);
        int first = random.nextInt(LENGTH);
        compare(k, first, 1 + random.nextInt(LENGTH - first));
      }
    }
  }

  private void compare(int k, int first, int count) {
    double[] actual = new double[width * count];
    arrays.get(k).get(first, actual, count);
    for (int i = 0; i < actual.length; i++) {
      double expected = plain.get(k)[width * first + i];
      assertEquals(expected, actual[i], 1e-11 * Math.max(1, Math.abs(expected)), "array " + k);
    }
  }

  private void hostWrites() {
    int k = random.nextInt(ARRAYS);
    int count = 1 + random.nextInt(40);
    int first = random.nextInt(LENGTH - count);
    double[] numbers = draw(count);
    arrays.get(k).put(first, numbers, count);
    System.arraycopy(numbers, 0, plain.get(k), width * first, numbers.length);
  }

  private Scalar scalar() {
    return new Scalar(random.nextInt(3) - 1, kind == NumberKind.REAL ? 0 : random.nextInt(3) - 1);
  }

  /** A small matrix somewhere in an array. */
  private record Spot(int array, int first, MatrixShape shape) {}

  private Spot spot(int rows, int columns, int apartFrom) {
    int array =
        apartFrom < 0
            ? random.nextInt(ARRAYS)
            : (apartFrom + 1 + random.nextInt(ARRAYS - 1)) % ARRAYS;
    MatrixShape shape = new MatrixShape(kind, rows, columns, columns + random.nextInt(3));
    int span = (int) (shape.bytes() / kind.bytes());
    return new Spot(array, random.nextInt(LENGTH - span), shape);
  }

  private double[] get(Spot spot, int i, int j) {
    int at = width * (spot.first() + i * spot.shape().leading() + j);
    double[] numbers = plain.get(spot.array());
    return new double[] {numbers[at], width == 1 ? 0 : numbers[at + 1]};
  }

  private void set(Spot spot, int i, int j, double re, double im) {
    int at = width * (spot.first() + i * spot.shape().leading() + j);
    plain.get(spot.array())[at] = re;
    if (width == 2) {
      plain.get(spot.array())[at + 1] = im;
    }
  }

  private static double[] times(double[] a, double[] b) {
    return new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  }

  private static double[] times(Scalar factor, double[] b) {
    return times(new double[] {factor.re(), factor.im()}, b);
  }

  private void product() {
    int m = 1 + random.nextInt(8);
    int n = 1 + random.nextInt(8);
    int k = 1 + random.nextInt(8);
    Form formA = FORMS.get(random.nextInt(FORMS.size()));
    Form formB = FORMS.get(random.nextInt(FORMS.size()));
    Spot c = spot(m, n, -1);
    Spot a = spot(formA.exchanges() ? k : m, formA.exchanges() ? m : k, c.array());
    Spot b = spot(formB.exchanges() ? n : k, formB.exchanges() ? k : n, c.array());
    Scalar alpha = scalar();
    Scalar beta = random.nextBoolean() ? Scalar.ZERO : scalar();
    blas.gemm(
        new ProductShape(
            kind,
            formA,
            formB,
            m,
            n,
            k,
            a.shape().leading(),
            b.shape().leading(),
            c.shape().leading(),
            alpha,
            beta),
        Strides.ONE,
        arrays.get(a.array()),
        a.first(),
        arrays.get(b.array()),
        b.first(),
        arrays.get(c.array()),
        c.first());
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        double re = 0;
        double im = 0;
        for (int l = 0; l < k; l++) {
          double[] x = formA.exchanges() ? get(a, l, i) : get(a, i, l);
          double[] y = formB.exchanges() ? get(b, j, l) : get(b, l, j);
          x[1] *= formA == Form.ADJOINT ? -1 : 1;
          y[1] *= formB == Form.ADJOINT ? -1 : 1;
          double[] p = times(x, y);
          re += p[0];
          im += p[1];
        }
        double[] sum = times(alpha, new double[] {re, im});
        double[] old = times(beta, get(c, i, j));
        set(c, i, j, sum[0] + old[0], sum[1] + old[1]);
      }
    }
  }

  private void add() {
    int n = 1 + random.nextInt(30);
    int stepX = 1 + random.nextInt(3);
    int stepY = 1 + random.nextInt(3);
    Spot x = vector(n, stepX, -1);
    Spot y = vector(n, stepY, x.array());
    Scalar alpha = scalar();
    if (kind == NumberKind.REAL) {
      blas.daxpy(
          n,
          alpha.re(),
          arrays.get(x.array()),
          x.first(),
          stepX,
          arrays.get(y.array()),
          y.first(),
          stepY);
    } else {
      blas.zaxpy(
          n,
          alpha,
          arrays.get(x.array()),
          x.first(),
          stepX,
          arrays.get(y.array()),
          y.first(),
          stepY);
    }
    for (int i = 0; i < n; i++) {
      double[] scaled = times(alpha, get(x, i, 0));
      double[] old = get(y, i, 0);
      set(y, i, 0, old[0] + scaled[0], old[1] + scaled[1]);
    }
  }

  private Spot vector(int n, int step, int apartFrom) {
    Spot any = spot(1, 1, apartFrom);
    MatrixShape shape = MatrixShape.vector(kind, n, step);
    return new Spot(any.array(), random.nextInt(LENGTH - (n - 1) * step - 1), shape);
  }

  private void copy() {
    int n = 1 + random.nextInt(30);
    Spot x = vector(n, 1 + random.nextInt(3), -1);
    Spot y = vector(n, 1 + random.nextInt(3), x.array());
    blas.copy(
        n,
        arrays.get(x.array()),
        x.first(),
        x.shape().leading(),
        arrays.get(y.array()),
        y.first(),
        y.shape().leading());
    for (int i = 0; i < n; i++) {
      double[] number = get(x, i, 0);
      set(y, i, 0, number[0], number[1]);
    }
  }

  private void scale() {
    int n = 1 + random.nextInt(30);
    Spot x = vector(n, 1 + random.nextInt(3), -1);
    Scalar alpha = scalar();
    blas.scal(n, alpha, arrays.get(x.array()), x.first(), x.shape().leading());
    for (int i = 0; i < n; i++) {
      double[] scaled = times(alpha, get(x, i, 0));
      set(x, i, 0, scaled[0], scaled[1]);
    }
  }

  private void rows() {
    int rows = 1 + random.nextInt(6);
    Spot y = spot(rows, 1 + random.nextInt(6), -1);
    Spot x = spot(rows, y.shape().columns(), y.array());
    Spot d = vector(rows, 1 + random.nextInt(3), y.array());
    blas.scaleRows(
        x.shape(),
        arrays.get(d.array()),
        d.first(),
        d.shape().leading(),
        arrays.get(x.array()),
        x.first(),
        arrays.get(y.array()),
        y.first(),
        y.shape().leading());
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < y.shape().columns(); j++) {
        double[] scaled = times(get(d, i, 0), get(x, i, j));
        set(y, i, j, scaled[0], scaled[1]);
      }
    }
  }

  private void transpose() {
    Spot x = spot(1 + random.nextInt(6), 1 + random.nextInt(6), -1);
    Form form = FORMS.get(random.nextInt(FORMS.size()));
    boolean exchanges = form.exchanges();
    Spot y =
        spot(
            exchanges ? x.shape().columns() : x.shape().rows(),
            exchanges ? x.shape().rows() : x.shape().columns(),
            x.array());
    blas.transpose(
        x.shape(),
        form,
        arrays.get(x.array()),
        x.first(),
        arrays.get(y.array()),
        y.first(),
        y.shape().leading());
    for (int i = 0; i < y.shape().rows(); i++) {
      for (int j = 0; j < y.shape().columns(); j++) {
        double[] number = exchanges ? get(x, j, i) : get(x, i, j);
        set(y, i, j, number[0], form == Form.ADJOINT ? -number[1] : number[1]);
      }
    }
  }
}
