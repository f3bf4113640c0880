package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expect;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;
import static org.starlingqcd.backend.contract.DeviceUnderTest.toleranceInDouble;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TriangularShape;

/**
 * Matrix calls against loops over plain arrays. Every matrix lies at an offset and has gaps between
 * its rows, and what a call may not touch is compared bit for bit. A device without matrix calls
 * fulfills the contract.
 *
 * <p>This class has more than 400 lines because each call is compared with loops of its own.
 */
final class MatrixContract {
  private static final List<Form> FORMS = List.of(Form.values());
  private static final int[][] SIZES = {{1, 1, 1}, {5, 3, 7}, {70, 41, 130}, {9, 130, 3}};

  private MatrixContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (NumberKind kind : NumberKind.values()) {
      String numbers = kind.name().toLowerCase(Locale.ROOT) + " matrices: ";
      checks.add(new ContractCheck(numbers + "products in all forms", t -> products(t, kind)));
      checks.add(new ContractCheck(numbers + "products at strides", t -> strided(t, kind)));
      checks.add(new ContractCheck(numbers + "sums, multiples, copies", t -> level1(t, kind)));
      checks.add(new ContractCheck(numbers + "transposes and adjoints", t -> transposes(t, kind)));
      checks.add(new ContractCheck(numbers + "scaled rows", t -> scaledRows(t, kind)));
      checks.add(new ContractCheck(numbers + "triangular systems", t -> triangular(t, kind)));
    }
    checks.add(new ContractCheck("matrices: sums of determinants", MatrixContract::determinants));
    checks.add(new ContractCheck("matrices: copies keep every bit", MatrixContract::copies));
    checks.add(new ContractCheck("matrices: places outside a block", MatrixContract::refusals));
    return checks;
  }

  /** Numbers on the host and on the device, somewhere within a block. */
  private static final class Held {
    final NumberKind kind;
    final double[] numbers;
    final DeviceMemory memory;
    final int before;

    Held(Bench bench, MatrixShape shape, long more) {
      kind = shape.kind();
      before = 2 * (1 + bench.test.random().nextInt(5));
      int count = Math.toIntExact(shape.bytes() / Double.BYTES + more) + before + 2;
      numbers = new double[count];
      for (int k = 0; k < count; k++) {
        numbers[k] = 2 * bench.test.random().nextDouble() - 1;
      }
      // Device memory of a check is allocated in complex numbers of the device's precision.
      int complex = bench.test.precision().complexBytes();
      memory =
          bench.test.allocate(
              new TensorShape(1, 1, (count * Double.BYTES + complex - 1) / complex));
      bench.up(this);
    }

    Place place() {
      return Place.of(memory).plus((long) before * Double.BYTES);
    }

    int at(long number) {
      return Math.toIntExact(before + number * kind.bytes() / Double.BYTES);
    }

    double re(long number) {
      return numbers[at(number)];
    }

    double im(long number) {
      return kind == NumberKind.REAL ? 0 : numbers[at(number) + 1];
    }

    void set(long number, double re, double im) {
      numbers[at(number)] = re;
      if (kind == NumberKind.COMPLEX) {
        numbers[at(number) + 1] = im;
      }
    }
  }

  /** A device with matrix calls. */
  private record Bench(DeviceUnderTest test, MatrixOperations calls) {
    Held matrix(MatrixShape shape) {
      return new Held(this, shape, 0);
    }

    void up(Held held) {
      long bytes = (long) held.numbers.length * Double.BYTES;
      try (HostMemory host = test.device().allocateHost(bytes + 8)) {
        host.put(1, held.numbers, 0, held.numbers.length);
        calls.toDevice(host, 8, Place.of(held.memory), bytes, test.stream());
        test.device().synchronize(test.stream());
      }
    }

    double[] down(Held held) {
      double[] numbers = new double[held.numbers.length];
      long bytes = (long) numbers.length * Double.BYTES;
      try (HostMemory host = test.device().allocateHost(bytes + 8)) {
        calls.toHost(Place.of(held.memory), host, 8, bytes, test.stream());
        test.device().synchronize(test.stream());
        host.get(1, numbers, 0, numbers.length);
      }
      return numbers;
    }

    /** Compares a block with the numbers that are expected in it, gaps included. */
    void expectEqual(Held expected, double bound, String what) {
      double[] actual = down(expected);
      for (int k = 0; k < actual.length; k++) {
        int number = k;
        test.expectClose(expected.numbers[k], actual[k], bound, () -> what + " double " + number);
      }
    }

    MatrixShape shape(NumberKind kind, int rows, int columns) {
      return new MatrixShape(kind, rows, columns, columns + test.random().nextInt(4));
    }

    Scalar scalar(NumberKind kind) {
      double re = test.random().nextInt(5) - 2;
      return new Scalar(re, kind == NumberKind.REAL ? 0 : test.random().nextInt(3) - 1);
    }
  }

  private interface Check {
    void run(Bench bench);
  }

  private static void with(DeviceUnderTest test, Check check) {
    test.device().matrices().ifPresent(calls -> check.run(new Bench(test, calls)));
  }

  private static void products(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (int[] size : SIZES) {
            for (Form a : Form.values()) {
              for (Form b : Form.values()) {
                product(bench, kind, a, b, size, Strides.ONE);
              }
            }
          }
        });
  }

  private static void strided(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (Form form : Form.values()) {
            // Rank one, as row-wise products of matrices need it; the first operand is shared.
            product(bench, kind, form, Form.PLAIN, new int[] {3, 8, 1}, new Strides(9, 0, 8, 40));
            product(bench, kind, form, form, new int[] {6, 5, 4}, new Strides(5, 99, 77, 88));
            product(bench, kind, form, form, new int[] {19, 7, 2}, new Strides(3, 150, 90, 250));
            product(bench, kind, form, form, new int[] {6, 5, 11}, new Strides(2, 200, 0, 99));
          }
        });
  }

  private static void product(
      Bench bench, NumberKind kind, Form formA, Form formB, int[] size, Strides strides) {
    int m = size[0];
    int n = size[1];
    int k = size[2];
    MatrixShape a = bench.shape(kind, formA.exchanges() ? k : m, formA.exchanges() ? m : k);
    MatrixShape b = bench.shape(kind, formB.exchanges() ? n : k, formB.exchanges() ? k : n);
    MatrixShape c = bench.shape(kind, m, n);
    Scalar beta = bench.test.random().nextBoolean() ? Scalar.ZERO : bench.scalar(kind);
    ProductShape shape =
        new ProductShape(
            kind,
            formA,
            formB,
            m,
            n,
            k,
            a.leading(),
            b.leading(),
            c.leading(),
            bench.scalar(kind),
            beta);
    int width = kind.bytes() / Double.BYTES;
    long last = (strides.count() - 1L) * width;
    Held left = new Held(bench, a, last * strides.a());
    Held right = new Held(bench, b, last * strides.b());
    Held sum = new Held(bench, c, last * strides.c());
    if (beta.isZero()) {
      poison(sum, c, strides);
      bench.up(sum);
    }
    if (strides.count() == 1) {
      bench.calls.multiply(shape, left.place(), right.place(), sum.place(), bench.test.stream());
    } else {
      bench.calls.multiplyAll(
          shape, strides, left.place(), right.place(), sum.place(), bench.test.stream());
    }
    for (int p = 0; p < strides.count(); p++) {
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
          double re = 0;
          double im = 0;
          for (int l = 0; l < k; l++) {
            double[] x = read(left, a, formA, p * strides.a(), i, l);
            double[] y = read(right, b, formB, p * strides.b(), l, j);
            re += x[0] * y[0] - x[1] * y[1];
            im += x[0] * y[1] + x[1] * y[0];
          }
          long at = p * strides.c() + (long) i * c.leading() + j;
          double[] scaled = times(shape.alpha(), re, im);
          double[] old = beta.isZero() ? new double[2] : times(beta, sum.re(at), sum.im(at));
          sum.set(at, scaled[0] + old[0], scaled[1] + old[1]);
        }
      }
    }
    bench.expectEqual(
        sum, 3 * toleranceInDouble(k + 2), formA + " " + formB + " " + Arrays.toString(size));
  }

  /** Sets the result to NaN, which a factor of 0 must not keep. */
  private static void poison(Held sum, MatrixShape c, Strides strides) {
    for (int p = 0; p < strides.count(); p++) {
      for (int i = 0; i < c.rows(); i++) {
        for (int j = 0; j < c.columns(); j++) {
          sum.set(p * strides.c() + (long) i * c.leading() + j, Double.NaN, Double.NaN);
        }
      }
    }
  }

  private static double[] read(Held held, MatrixShape shape, Form form, long first, int i, int j) {
    long at =
        first
            + (form.exchanges() ? (long) j * shape.leading() + i : (long) i * shape.leading() + j);
    return new double[] {held.re(at), form == Form.ADJOINT ? -held.im(at) : held.im(at)};
  }

  private static double[] times(Scalar factor, double re, double im) {
    return new double[] {factor.re() * re - factor.im() * im, factor.re() * im + factor.im() * re};
  }

  private static void level1(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (int[] size : new int[][] {{1, 1}, {40, 1}, {6, 11}, {300, 90}}) {
            MatrixShape x = bench.shape(kind, size[0], size[1]);
            MatrixShape y = bench.shape(kind, size[0], size[1]);
            Held from = bench.matrix(x);
            Held to = bench.matrix(y);
            Scalar factor = bench.scalar(kind);
            bench.calls.add(x, factor, from.place(), y.leading(), to.place(), bench.test.stream());
            each(
                x,
                y,
                (source, target) -> {
                  double[] scaled = times(factor, from.re(source), from.im(source));
                  to.set(target, to.re(target) + scaled[0], to.im(target) + scaled[1]);
                });
            bench.expectEqual(to, toleranceInDouble(4), "sum");
            Scalar twice = new Scalar(2, factor.im());
            bench.calls.scale(y, twice, to.place(), bench.test.stream());
            each(
                y,
                y,
                (source, target) -> {
                  double[] scaled = times(twice, to.re(target), to.im(target));
                  to.set(target, scaled[0], scaled[1]);
                });
            bench.expectEqual(to, toleranceInDouble(12), "multiple");
            bench.up(to);
            bench.calls.copy(x, from.place(), y.leading(), to.place(), bench.test.stream());
            each(x, y, (source, target) -> to.set(target, from.re(source), from.im(source)));
            expectSame(to.numbers, bench.down(to), "copy");
          }
        });
  }

  private interface Each {
    void run(long source, long target);
  }

  private static void each(MatrixShape x, MatrixShape y, Each each) {
    for (int i = 0; i < x.rows(); i++) {
      for (int j = 0; j < x.columns(); j++) {
        each.run((long) i * x.leading() + j, (long) i * y.leading() + j);
      }
    }
  }

  private static void transposes(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (int[] size : new int[][] {{1, 1}, {3, 17}, {130, 70}}) {
            for (Form form : Form.values()) {
              MatrixShape x = bench.shape(kind, size[0], size[1]);
              MatrixShape y =
                  form.exchanges()
                      ? bench.shape(kind, size[1], size[0])
                      : bench.shape(kind, size[0], size[1]);
              Held from = bench.matrix(x);
              Held to = bench.matrix(y);
              bench.calls.transpose(
                  x, form, from.place(), y.leading(), to.place(), bench.test.stream());
              for (int i = 0; i < y.rows(); i++) {
                for (int j = 0; j < y.columns(); j++) {
                  double[] number = read(from, x, form, 0, i, j);
                  to.set((long) i * y.leading() + j, number[0], number[1]);
                }
              }
              bench.expectEqual(to, 0, "transpose");
            }
          }
        });
  }

  private static void scaledRows(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (int[] size : new int[][] {{1, 1, 1}, {7, 5, 3}, {200, 60, 1}}) {
            MatrixShape x = bench.shape(kind, size[0], size[1]);
            MatrixShape y = bench.shape(kind, size[0], size[1]);
            int step = size[2];
            Held factors = bench.matrix(MatrixShape.vector(kind, size[0], step));
            Held from = bench.matrix(x);
            Held to = bench.matrix(y);
            bench.calls.scaleRows(
                x,
                factors.place(),
                step,
                from.place(),
                y.leading(),
                to.place(),
                bench.test.stream());
            for (int i = 0; i < size[0]; i++) {
              Scalar d = new Scalar(factors.re((long) i * step), factors.im((long) i * step));
              for (int j = 0; j < size[1]; j++) {
                long source = (long) i * x.leading() + j;
                double[] scaled = times(d, from.re(source), from.im(source));
                to.set((long) i * y.leading() + j, scaled[0], scaled[1]);
              }
            }
            bench.expectEqual(to, toleranceInDouble(2), "scaled rows");
            bench.calls.scaleRows(
                y, factors.place(), step, to.place(), y.leading(), to.place(), bench.test.stream());
            each(
                y,
                y,
                (source, target) -> {
                  long i = target / y.leading();
                  Scalar d = new Scalar(factors.re(i * step), factors.im(i * step));
                  double[] scaled = times(d, to.re(target), to.im(target));
                  to.set(target, scaled[0], scaled[1]);
                });
            bench.expectEqual(to, toleranceInDouble(6), "rows scaled in place");
          }
        });
  }

  private static void triangular(DeviceUnderTest test, NumberKind kind) {
    with(
        test,
        bench -> {
          for (int variant = 0; variant < 24; variant++) {
            Form form = FORMS.get(variant % FORMS.size());
            boolean left = variant / 3 % 2 == 0;
            boolean lower = variant / 6 % 2 == 0;
            boolean unit = variant / 12 == 0;
            triangular(bench, kind, form, left, lower, unit);
          }
        });
  }

  /** Draws a solution and multiplies it by the matrix; the call must give the solution back. */
  private static void triangular(
      Bench bench, NumberKind kind, Form form, boolean left, boolean lower, boolean unit) {
    int rows = 11;
    int columns = 6;
    int order = left ? rows : columns;
    MatrixShape a = bench.shape(kind, order, order);
    MatrixShape b = bench.shape(kind, rows, columns);
    Held matrix = bench.matrix(a);
    double[][][] used = new double[order][order][2];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j < order; j++) {
        long at = (long) i * a.leading() + j;
        boolean half = lower ? j < i : j > i;
        if (half) {
          matrix.set(at, matrix.re(at) / order, matrix.im(at) / order);
        } else if (i == j && !unit) {
          matrix.set(at, 2 + matrix.re(at), matrix.im(at));
        } else {
          matrix.set(at, Double.NaN, Double.NaN); // must not be read
        }
        int r = form.exchanges() ? j : i;
        int c = form.exchanges() ? i : j;
        if (half || (i == j && !unit)) {
          used[r][c] =
              new double[] {matrix.re(at), form == Form.ADJOINT ? -matrix.im(at) : matrix.im(at)};
        } else if (i == j) {
          used[r][c] = new double[] {1, 0};
        }
      }
    }
    bench.up(matrix);
    Held solution = bench.matrix(b);
    Held sides = bench.matrix(b);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double re = 0;
        double im = 0;
        for (int l = 0; l < order; l++) {
          double[] u = left ? used[i][l] : used[l][j];
          long at = left ? (long) l * b.leading() + j : (long) i * b.leading() + l;
          re += u[0] * solution.re(at) - u[1] * solution.im(at);
          im += u[0] * solution.im(at) + u[1] * solution.re(at);
        }
        sides.set((long) i * b.leading() + j, re / 2, im / 2);
      }
    }
    bench.up(sides);
    TriangularShape system =
        new TriangularShape(
            kind, left, lower, form, unit, rows, columns, a.leading(), b.leading(), Scalar.of(2));
    bench.calls.solveTriangular(system, matrix.place(), sides.place(), bench.test.stream());
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        long at = (long) i * b.leading() + j;
        sides.set(at, solution.re(at), solution.im(at));
      }
    }
    // Diagonals of 1 or more and small other entries: the condition is below 10.
    bench.expectEqual(sides, 10 * toleranceInDouble(order), "solution");
  }

  /** Sites that are one chunk, less, and some and a part; numbers that fill vectors or not. */
  private static void determinants(DeviceUnderTest test) {
    with(
        test,
        bench ->
            bench
                .calls
                .determinants()
                .ifPresent(
                    sums -> {
                      for (int[] size : new int[][] {{1, 1}, {3, 2}, {48, 8}, {50, 13}, {101, 3}}) {
                        determinants(bench, sums, size[0], size[1]);
                      }
                    }));
  }

  private static void determinants(
      Bench bench, MatrixOperations.DeterminantSums sums, int sites, int n) {
    NumberKind kind = NumberKind.COMPLEX;
    Held vectors = bench.matrix(MatrixShape.dense(kind, 3 * sites, n));
    Held phases = bench.matrix(MatrixShape.vector(kind, sites, 1));
    Held result = bench.matrix(MatrixShape.dense(kind, n * n, n));
    sums.sum(sites, n, vectors.place(), phases.place(), result.place(), bench.test.stream());
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          double re = 0;
          double im = 0;
          for (int site = 0; site < sites; site++) {
            Scalar phase = new Scalar(phases.re(site), phases.im(site));
            int[][] orders = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
            for (int order = 0; order < orders.length; order++) {
              Scalar term = phase;
              int[] which = {i, j, k};
              for (int leg = 0; leg < 3; leg++) {
                long at = (3L * site + orders[order][leg]) * n + which[leg];
                double[] product = times(term, vectors.re(at), vectors.im(at));
                term = new Scalar(product[0], product[1]);
              }
              re += order < 3 ? term.re() : -term.re();
              im += order < 3 ? term.im() : -term.im();
            }
          }
          result.set(((long) i * n + j) * n + k, re, im);
        }
      }
    }
    bench.expectEqual(result, toleranceInDouble(6.0 * sites), "determinants of " + n);
  }

  private static void copies(DeviceUnderTest test) {
    with(
        test,
        bench -> {
          Held held = bench.matrix(MatrixShape.dense(NumberKind.COMPLEX, 300, 500));
          expectSame(held.numbers, bench.down(held), "copy there and back");
          // A part of the block, to another place of the host.
          double[] part = new double[100];
          try (HostMemory host = test.device().allocateHost(2000)) {
            bench.calls.toHost(held.place().plus(240), host, 16, 800, test.stream());
            test.device().synchronize(test.stream());
            host.get(2, part, 0, part.length);
          }
          int first = held.before + 30;
          expectSame(
              Arrays.copyOfRange(held.numbers, first, first + part.length), part, "part of it");
        });
  }

  private static void refusals(DeviceUnderTest test) {
    with(
        test,
        bench -> {
          DeviceMemory memory = test.allocate(new TensorShape(1, 1, 4));
          MatrixShape shape = MatrixShape.dense(NumberKind.COMPLEX, 2, 2);
          expectRefusal(
              IllegalArgumentException.class,
              "a matrix beyond the end of its block",
              () -> bench.calls.scale(shape, Scalar.ONE, Place.of(memory).plus(16), test.stream()));
          try (HostMemory host = test.device().allocateHost(64)) {
            expectRefusal(
                IllegalArgumentException.class,
                "a copy beyond the end of host memory",
                () -> bench.calls.toDevice(host, 8, Place.of(memory), 64, test.stream()));
          }
          expect(
              test.device().matrices().orElseThrow() == bench.calls,
              "the same matrix calls every time");
        });
  }
}
