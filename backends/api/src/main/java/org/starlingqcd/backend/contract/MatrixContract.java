package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expect;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;
import static org.starlingqcd.backend.contract.DeviceUnderTest.toleranceInDouble;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
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
 */
final class MatrixContract {
  private static final Scalar NAN = new Scalar(Double.NaN, Double.NaN);
  private static final int[][] SIZES = {{1, 1, 1}, {5, 3, 7}, {70, 41, 130}, {9, 130, 3}};

  private MatrixContract() {}

  static void addTo(DeviceContract.Checks checks) {
    for (NumberKind kind : NumberKind.values()) {
      String numbers = kind.name().toLowerCase(Locale.ROOT) + " matrices: ";
      add(checks, numbers + "products in all forms", bench -> products(bench, kind));
      add(checks, numbers + "products at strides", bench -> strided(bench, kind));
      add(checks, numbers + "sums, multiples, copies", bench -> level1(bench, kind));
      add(checks, numbers + "transposes and adjoints", bench -> transposes(bench, kind));
      add(checks, numbers + "scaled rows", bench -> scaledRows(bench, kind));
      add(checks, numbers + "triangular systems", bench -> triangular(bench, kind));
    }
    add(checks, "matrices: sums of determinants", MatrixContract::determinants);
    add(checks, "matrices: copies keep every bit", MatrixContract::copies);
    add(checks, "matrices: places outside a block", MatrixContract::refusals);
  }

  private static void add(DeviceContract.Checks checks, String name, Consumer<Bench> body) {
    checks.add(
        name,
        test -> test.device().matrices().ifPresent(calls -> body.accept(new Bench(test, calls))));
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
      numbers = bench.test.random().doubles(count, -1, 1).toArray();
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

    private int at(long number) {
      return Math.toIntExact(before + number * kind.bytes() / Double.BYTES);
    }

    Scalar get(long number) {
      int at = at(number);
      return new Scalar(numbers[at], kind == NumberKind.REAL ? 0 : numbers[at + 1]);
    }

    void set(long number, Scalar value) {
      numbers[at(number)] = value.re();
      if (kind == NumberKind.COMPLEX) {
        numbers[at(number) + 1] = value.im();
      }
    }

    /** Number (i, j) of a form of a matrix that begins at number {@code first}. */
    Scalar get(MatrixShape shape, Form form, long first, int i, int j) {
      long leading = shape.leading();
      Scalar number = get(first + (form.exchanges() ? j * leading + i : i * leading + j));
      return form == Form.ADJOINT ? number.conjugate() : number;
    }
  }

  /** A device with matrix calls. */
  private record Bench(DeviceUnderTest test, MatrixOperations calls) {
    Held matrix(MatrixShape shape) {
      return new Held(this, shape, 0);
    }

    DeviceStream stream() {
      return test.stream();
    }

    void up(Held held) {
      long bytes = (long) held.numbers.length * Double.BYTES;
      try (HostMemory host = test.device().allocateHost(bytes + 8)) {
        host.put(1, held.numbers, 0, held.numbers.length);
        calls.toDevice(host, 8, Place.of(held.memory), bytes, stream());
        test.device().synchronize(stream());
      }
    }

    double[] down(Held held) {
      double[] numbers = new double[held.numbers.length];
      long bytes = (long) numbers.length * Double.BYTES;
      try (HostMemory host = test.device().allocateHost(bytes + 8)) {
        calls.toHost(Place.of(held.memory), host, 8, bytes, stream());
        test.device().synchronize(stream());
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

    /** The shape of a matrix whose form has these rows and columns. */
    MatrixShape stored(NumberKind kind, Form form, int rows, int columns) {
      return form.exchanges() ? shape(kind, columns, rows) : shape(kind, rows, columns);
    }

    Scalar scalar(NumberKind kind) {
      double re = test.random().nextInt(5) - 2;
      return new Scalar(re, kind == NumberKind.REAL ? 0 : test.random().nextInt(3) - 1);
    }
  }

  private interface Each {
    void run(int i, int j);
  }

  private static void each(int rows, int columns, Each each) {
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        each.run(i, j);
      }
    }
  }

  private static void products(Bench bench, NumberKind kind) {
    for (int[] size : SIZES) {
      for (Form a : Form.values()) {
        for (Form b : Form.values()) {
          product(bench, kind, a, b, size, Strides.ONE);
        }
      }
    }
  }

  private static void strided(Bench bench, NumberKind kind) {
    for (Form form : Form.values()) {
      // Rank one, as row-wise products of matrices need it; the first operand is shared.
      product(bench, kind, form, Form.PLAIN, new int[] {3, 8, 1}, new Strides(9, 0, 8, 40));
      product(bench, kind, form, form, new int[] {6, 5, 4}, new Strides(5, 99, 77, 88));
      product(bench, kind, form, form, new int[] {19, 7, 2}, new Strides(3, 150, 90, 250));
      product(bench, kind, form, form, new int[] {6, 5, 11}, new Strides(2, 200, 0, 99));
      product(bench, kind, form, Form.PLAIN, new int[] {9, 15, 11}, new Strides(4, 250, 250, 399));
      product(bench, kind, form, Form.PLAIN, new int[] {1, 1, 600}, new Strides(6, 0, 990, 9));
      product(
          bench, kind, form, Form.TRANSPOSED, new int[] {9, 8, 12}, new Strides(4, 300, 0, 399));
    }
  }

  private static void product(
      Bench bench, NumberKind kind, Form formA, Form formB, int[] size, Strides strides) {
    int m = size[0];
    int n = size[1];
    int k = size[2];
    MatrixShape a = bench.stored(kind, formA, m, k);
    MatrixShape b = bench.stored(kind, formB, k, n);
    MatrixShape c = bench.shape(kind, m, n);
    Scalar beta = bench.test.random().nextBoolean() ? Scalar.ZERO : bench.scalar(kind);
    Scalar alpha = bench.scalar(kind);
    ProductShape shape =
        new ProductShape(
            kind, formA, formB, m, n, k, a.leading(), b.leading(), c.leading(), alpha, beta);
    long last = (strides.count() - 1L) * kind.bytes() / Double.BYTES;
    Held left = new Held(bench, a, last * strides.a());
    Held right = new Held(bench, b, last * strides.b());
    Held sum = new Held(bench, c, last * strides.c());
    if (beta.isZero()) {
      // A factor of 0 must not keep NaN.
      for (int p = 0; p < strides.count(); p++) {
        long first = p * strides.c();
        each(m, n, (i, j) -> sum.set(first + (long) i * c.leading() + j, NAN));
      }
      bench.up(sum);
    }
    if (strides.count() % 2 == 0) {
      long[] places = new long[3 * strides.count()];
      for (int p = 0; p < strides.count(); p++) {
        places[3 * p] = p * strides.a();
        places[3 * p + 1] = p * strides.b();
        places[3 * p + 2] = p * strides.c();
      }
      bench.calls.multiplyEach(
          shape, places, left.place(), right.place(), sum.place(), bench.stream());
    } else if (strides.count() == 1) {
      bench.calls.multiply(shape, left.place(), right.place(), sum.place(), bench.stream());
    } else {
      bench.calls.multiplyAll(
          shape, strides, left.place(), right.place(), sum.place(), bench.stream());
    }
    for (int p = 0; p < strides.count(); p++) {
      int number = p;
      each(
          m,
          n,
          (i, j) -> {
            Scalar total = Scalar.ZERO;
            for (int l = 0; l < k; l++) {
              Scalar x = left.get(a, formA, number * strides.a(), i, l);
              total = total.plus(x.times(right.get(b, formB, number * strides.b(), l, j)));
            }
            long at = number * strides.c() + (long) i * c.leading() + j;
            Scalar old = beta.isZero() ? Scalar.ZERO : beta.times(sum.get(at));
            sum.set(at, alpha.times(total).plus(old));
          });
    }
    bench.expectEqual(
        sum, 3 * toleranceInDouble(k + 2), formA + " " + formB + " " + Arrays.toString(size));
  }

  private static void level1(Bench bench, NumberKind kind) {
    for (int[] size : new int[][] {{1, 1}, {40, 1}, {6, 11}, {300, 90}}) {
      MatrixShape x = bench.shape(kind, size[0], size[1]);
      MatrixShape y = bench.shape(kind, size[0], size[1]);
      Held from = bench.matrix(x);
      Held to = bench.matrix(y);
      Scalar factor = bench.scalar(kind);
      bench.calls.add(x, factor, from.place(), y.leading(), to.place(), bench.stream());
      rows(x, y, (i, j) -> to.set(j, to.get(j).plus(factor.times(from.get(i)))));
      bench.expectEqual(to, toleranceInDouble(4), "sum");
      Scalar twice = new Scalar(2, factor.im());
      bench.calls.scale(y, twice, to.place(), bench.stream());
      rows(y, y, (i, j) -> to.set(j, twice.times(to.get(j))));
      bench.expectEqual(to, toleranceInDouble(12), "multiple");
      bench.up(to);
      bench.calls.copy(x, from.place(), y.leading(), to.place(), bench.stream());
      rows(x, y, (i, j) -> to.set(j, from.get(i)));
      expectSame(to.numbers, bench.down(to), "copy");
    }
  }

  /** Each number of a matrix, and the number in the same place of another. */
  private static void rows(MatrixShape x, MatrixShape y, Each each) {
    each(x.rows(), x.columns(), (i, j) -> each.run(i * x.leading() + j, i * y.leading() + j));
  }

  private static void transposes(Bench bench, NumberKind kind) {
    for (int[] size : new int[][] {{1, 1}, {3, 17}, {130, 70}}) {
      for (Form form : Form.values()) {
        MatrixShape x = bench.shape(kind, size[0], size[1]);
        MatrixShape y = bench.stored(kind, form, size[0], size[1]);
        Held from = bench.matrix(x);
        Held to = bench.matrix(y);
        bench.calls.transpose(x, form, from.place(), y.leading(), to.place(), bench.stream());
        each(
            y.rows(),
            y.columns(),
            (i, j) -> to.set((long) i * y.leading() + j, from.get(x, form, 0, i, j)));
        bench.expectEqual(to, 0, "transpose");
      }
    }
  }

  private static void scaledRows(Bench bench, NumberKind kind) {
    for (int[] size : new int[][] {{1, 1, 1}, {7, 5, 3}, {200, 60, 1}}) {
      MatrixShape x = bench.shape(kind, size[0], size[1]);
      MatrixShape y = bench.shape(kind, size[0], size[1]);
      int step = size[2];
      Held factors = bench.matrix(MatrixShape.vector(kind, size[0], step));
      Held from = bench.matrix(x);
      Held to = bench.matrix(y);
      bench.calls.scaleRows(
          x, factors.place(), step, from.place(), y.leading(), to.place(), bench.stream());
      rows(
          x, y, (i, j) -> to.set(j, factors.get((long) i / x.leading() * step).times(from.get(i))));
      bench.expectEqual(to, toleranceInDouble(2), "scaled rows");
      bench.calls.scaleRows(
          y, factors.place(), step, to.place(), y.leading(), to.place(), bench.stream());
      rows(y, y, (i, j) -> to.set(j, factors.get((long) j / y.leading() * step).times(to.get(j))));
      bench.expectEqual(to, toleranceInDouble(6), "rows scaled in place");
    }
  }

  private static void triangular(Bench bench, NumberKind kind) {
    for (Form form : Form.values()) {
      for (int variant = 0; variant < 8; variant++) {
        triangular(bench, kind, form, variant % 2 == 0, variant / 2 % 2 == 0, variant / 4 == 0);
      }
    }
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
    Scalar[][] used = new Scalar[order][order];
    each(
        order,
        order,
        (i, j) -> {
          long at = (long) i * a.leading() + j;
          Scalar drawn = matrix.get(at);
          Scalar counts = Scalar.ZERO;
          // What must not be read is no number.
          matrix.set(at, NAN);
          if (lower ? j < i : j > i) {
            matrix.set(at, new Scalar(drawn.re() / order, drawn.im() / order));
            counts = matrix.get(at);
          } else if (i == j && !unit) {
            matrix.set(at, new Scalar(2 + drawn.re(), drawn.im()));
            counts = matrix.get(at);
          } else if (i == j) {
            counts = Scalar.ONE;
          }
          used[form.exchanges() ? j : i][form.exchanges() ? i : j] =
              form == Form.ADJOINT ? counts.conjugate() : counts;
        });
    bench.up(matrix);
    Held solution = bench.matrix(b);
    Held sides = bench.matrix(b);
    each(
        rows,
        columns,
        (i, j) -> {
          Scalar sum = Scalar.ZERO;
          for (int l = 0; l < order; l++) {
            Scalar x = solution.get(b, Form.PLAIN, 0, left ? l : i, left ? j : l);
            sum = sum.plus((left ? used[i][l] : used[l][j]).times(x));
          }
          sides.set((long) i * b.leading() + j, new Scalar(sum.re() / 2, sum.im() / 2));
        });
    bench.up(sides);
    TriangularShape system =
        new TriangularShape(
            kind, left, lower, form, unit, rows, columns, a.leading(), b.leading(), Scalar.of(2));
    bench.calls.solveTriangular(system, matrix.place(), sides.place(), bench.stream());
    rows(b, b, (i, j) -> sides.set(i, solution.get(i)));
    // Diagonals of 1 or more and small other entries: the condition is below 10.
    bench.expectEqual(sides, 10 * toleranceInDouble(order), "solution");
  }

  /** Sites that are one chunk, less, and some and a part; numbers that fill vectors or not. */
  private static void determinants(Bench bench) {
    bench
        .calls
        .determinants()
        .ifPresent(
            sums -> {
              for (int[] size : new int[][] {{1, 1}, {3, 2}, {48, 8}, {50, 13}, {101, 3}}) {
                determinants(bench, sums, size[0], size[1]);
              }
            });
  }

  private static void determinants(
      Bench bench, MatrixOperations.DeterminantSums sums, int sites, int n) {
    NumberKind kind = NumberKind.COMPLEX;
    Held vectors = bench.matrix(MatrixShape.dense(kind, 3 * sites, n));
    Held phases = bench.matrix(MatrixShape.vector(kind, sites, 1));
    Held result = bench.matrix(MatrixShape.dense(kind, n * n, n));
    sums.sum(sites, n, vectors.place(), phases.place(), result.place(), bench.stream());
    int[][] orders = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    each(
        n * n,
        n,
        (ij, k) -> {
          int[] which = {ij / n, ij % n, k};
          Scalar sum = Scalar.ZERO;
          for (int site = 0; site < sites; site++) {
            for (int order = 0; order < orders.length; order++) {
              Scalar term = order < 3 ? Scalar.ONE : Scalar.MINUS_ONE;
              term = term.times(phases.get(site));
              for (int leg = 0; leg < 3; leg++) {
                long at = (3L * site + orders[order][leg]) * n + which[leg];
                term = term.times(vectors.get(at));
              }
              sum = sum.plus(term);
            }
          }
          result.set((long) ij * n + k, sum);
        });
    bench.expectEqual(result, toleranceInDouble(6.0 * sites), "determinants of " + n);
  }

  private static void copies(Bench bench) {
    DeviceUnderTest test = bench.test;
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
    expectSame(Arrays.copyOfRange(held.numbers, first, first + part.length), part, "part of it");
  }

  private static void refusals(Bench bench) {
    DeviceUnderTest test = bench.test;
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
        test.device().matrices().orElseThrow() == bench.calls, "the same matrix calls every time");
  }
}
