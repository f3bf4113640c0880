package org.starlingqcd.backend.tck;

import static org.starlingqcd.backend.tck.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.tck.DeviceUnderTest.expectSame;
import static org.starlingqcd.backend.tck.DeviceUnderTest.tolerance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;

/** Two quark lines between two baryons, and sums of their spin components. */
final class DiquarkContract {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;

  private DiquarkContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (int[] size : new int[][] {{1, 1}, {2, 2}, {3, 1}, {5, 2}, {6, 6}, {9, 4}}) {
      checks.add(
          new ContractCheck(
              "diquark block, N " + size[0] + " in slices of " + size[1],
              device -> block(device, size[0], size[1])));
    }
    checks.add(new ContractCheck("symmetric diquark block", DiquarkContract::symmetric));
    checks.add(new ContractCheck("slices do not change a diquark block", DiquarkContract::slices));
    for (int extent : new int[] {1, 5, 70}) {
      checks.add(
          new ContractCheck(
              "spin sums of an uploaded block, N " + extent,
              device -> sum(device, extent, uploadedBlock(device, extent))));
    }
    for (int extent : new int[] {5, 34}) {
      checks.add(
          new ContractCheck(
              "spin sums of a computed block, N " + extent,
              device -> sum(device, extent, computedBlock(device, extent))));
    }
    checks.add(
        new ContractCheck("a workspace too small is refused", DiquarkContract::smallWorkspace));
    return checks;
  }

  private static TensorShape baryon(int extent) {
    return new TensorShape(1, 3, extent);
  }

  private static DeviceMemory scratch(DeviceUnderTest test, int extent, int rows) {
    long bytes = DiquarkContraction.workspaceBytes(extent, rows);
    return test.allocate(new TensorShape((int) (bytes / TensorShape.COMPLEX_BYTES), 1, 1));
  }

  private static void contract(
      DeviceUnderTest test,
      DeviceMemory sink,
      DeviceMemory first,
      DeviceMemory second,
      DeviceMemory source,
      DeviceMemory block,
      int extent,
      int rows,
      boolean symmetric) {
    DeviceMemory scratch = scratch(test, extent, rows);
    test.device()
        .contractDiquark(
            new DiquarkContraction(sink, first, second, source, block, scratch, extent, symmetric),
            test.stream());
  }

  private static void block(DeviceUnderTest test, int n, int rows) {
    HostTensor sink = test.randomTensor(baryon(n));
    HostTensor source = test.randomTensor(baryon(n));
    HostTensor first = test.randomTensor(TensorShape.mesonNode(n));
    HostTensor second = test.randomTensor(TensorShape.mesonNode(n));
    DeviceMemory block = test.allocate(DiquarkContraction.shape(n));
    contract(
        test,
        test.upload(sink),
        test.upload(first),
        test.upload(second),
        test.upload(source),
        block,
        n,
        rows,
        false);
    HostTensor actual = test.download(block, DiquarkContraction.shape(n));
    double bound = tolerance(4 * Math.pow(n, 4));
    Random random = test.random();
    for (int sample = 0; sample < 60; sample++) {
      int p = random.nextInt(SPINS);
      int q = random.nextInt(SPINS);
      int i = random.nextInt(n);
      int j = random.nextInt(n);
      double[] sum = new double[2];
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
          for (int m = 0; m < n; m++) {
            for (int o = 0; o < n; o++) {
              double[] product =
                  times(
                      times(at(sink, 0, (i * n + k) * n + l), at(first, p, k * n + m)),
                      times(at(second, q, l * n + o), at(source, 0, (j * n + m) * n + o)));
              sum[0] += product[0];
              sum[1] += product[1];
            }
          }
        }
      }
      Supplier<String> where = () -> "p=" + p + " q=" + q + " [" + j + "][" + i + "]";
      test.expectClose(sum[0], actual.re(SPINS * p + q, j * n + i), bound, where);
      test.expectClose(sum[1], actual.im(SPINS * p + q, j * n + i), bound, where);
    }
  }

  /** The numbers of a symmetric block are those of the whole one where they are defined. */
  private static void symmetric(DeviceUnderTest test) {
    int n = 7;
    DeviceMemory sink = test.upload(test.randomTensor(baryon(n)));
    DeviceMemory source = test.upload(test.randomTensor(baryon(n)));
    DeviceMemory line = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    TensorShape shape = DiquarkContraction.shape(n);
    DeviceMemory whole = test.allocate(shape);
    DeviceMemory half = test.allocate(shape);
    contract(test, sink, line, line, source, whole, n, n, false);
    contract(test, sink, line, line, source, half, n, n, true);
    double[] expected = test.download(whole, shape).numbers();
    double[] actual = test.download(half, shape).numbers();
    int matrix = 2 * n * n;
    for (int p = 0; p < SPINS; p++) {
      int from = (SPINS * p + p) * matrix;
      int to = SPINS * (p + 1) * matrix;
      expectSame(
          Arrays.copyOfRange(expected, from, to),
          Arrays.copyOfRange(actual, from, to),
          "components of p = " + p);
    }
  }

  private static void slices(DeviceUnderTest test) {
    int n = 6;
    DeviceMemory sink = test.upload(test.randomTensor(baryon(n)));
    DeviceMemory source = test.upload(test.randomTensor(baryon(n)));
    DeviceMemory first = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    DeviceMemory second = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    double[] whole = new double[0];
    double bound = tolerance(4 * Math.pow(n, 4));
    for (int rows : new int[] {n, 3, 2, 1}) {
      DeviceMemory block = test.allocate(DiquarkContraction.shape(n));
      contract(test, sink, first, second, source, block, n, rows, false);
      double[] numbers = test.download(block, DiquarkContraction.shape(n)).numbers();
      if (rows == n) {
        whole = numbers;
      }
      for (int k = 0; k < numbers.length; k++) {
        int at = k;
        test.expectClose(whole[k], numbers[k], bound, () -> "slices of " + rows + ", number " + at);
      }
    }
  }

  /** A block as it comes from the host. */
  private static DeviceMemory uploadedBlock(DeviceUnderTest test, int n) {
    return test.upload(test.randomTensor(DiquarkContraction.shape(n)));
  }

  /** A block as the device itself leaves it. */
  private static DeviceMemory computedBlock(DeviceUnderTest test, int n) {
    DeviceMemory baryon = test.upload(test.randomTensor(baryon(n)));
    DeviceMemory line = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    DeviceMemory block = test.allocate(DiquarkContraction.shape(n));
    contract(test, baryon, line, line, baryon, block, n, Math.max(2, n / 4), false);
    return block;
  }

  private static void sum(DeviceUnderTest test, int n, DeviceMemory block) {
    HostTensor numbers = test.download(block, DiquarkContraction.shape(n));
    Random random = test.random();
    int entries = 40;
    int[] source = new int[entries];
    int[] destination = new int[entries];
    double[] factors = new double[2 * entries];
    for (int k = 0; k < entries; k++) {
      source[k] = random.nextInt(SPINS * SPINS);
      // The last spin has no entry and must become zero.
      destination[k] = random.nextInt(SPINS - 1);
      factors[2 * k] = k % 3 - 1;
      factors[2 * k + 1] = k % 2;
    }
    // What was in the node before must not matter, not even NaN.
    HostTensor old = test.randomTensor(TensorShape.mesonNode(n));
    Arrays.fill(old.numbers(), Double.NaN);
    DeviceMemory node = test.upload(old);
    test.device()
        .sumSpins(
            block,
            node,
            new SpinSumMapping(SPINS * SPINS, source, destination, factors),
            n,
            test.stream());
    HostTensor actual = test.download(node, TensorShape.mesonNode(n));
    double largest = 0;
    for (double number : numbers.numbers()) {
      largest = Math.max(largest, Math.abs(number));
    }
    double bound = tolerance(entries) * largest;
    for (int d = 0; d < SPINS; d++) {
      int spin = d;
      for (int sample = 0; sample < 10; sample++) {
        int place = random.nextInt(n * n);
        double[] sum = new double[2];
        for (int k = 0; k < entries; k++) {
          if (destination[k] == d) {
            double[] factor = {factors[2 * k], factors[2 * k + 1]};
            double[] product = times(factor, at(numbers, source[k], place));
            sum[0] += product[0];
            sum[1] += product[1];
          }
        }
        test.expectClose(sum[0], actual.re(d, place), bound, () -> "spin " + spin);
        test.expectClose(sum[1], actual.im(d, place), bound, () -> "spin " + spin);
      }
    }
  }

  private static void smallWorkspace(DeviceUnderTest test) {
    DeviceMemory small = test.allocate(new TensorShape(1, 2, 2));
    expectRefusal(
        IllegalArgumentException.class,
        "a workspace of " + small.bytes() + " bytes",
        () -> new DiquarkContraction(small, small, small, small, small, small, 4, false));
  }

  private static double[] at(HostTensor tensor, int spin, int index) {
    return new double[] {tensor.re(spin, index), tensor.im(spin, index)};
  }

  private static double[] times(double[] a, double[] b) {
    return new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  }
}
