package org.starlingqcd.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.reference.HostTensor;

/**
 * What every device must do with baryons, compared with naive host loops; subclassed by each
 * backend.
 */
public abstract class DiquarkContractTest extends DeviceFixture {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;

  private DeviceMemory scratch(int extent, int rows) {
    long bytes = DiquarkContraction.workspaceBytes(extent, rows);
    return allocate(new TensorShape((int) (bytes / TensorShape.COMPLEX_BYTES), 1, 1));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,1", "5,2", "6,6", "9,4"})
  void block_isTheSumOverBothLines(int n, int rows) {
    HostTensor sink = randomTensor(new TensorShape(1, 3, n));
    HostTensor source = randomTensor(new TensorShape(1, 3, n));
    HostTensor first = randomTensor(TensorShape.mesonNode(n));
    HostTensor second = randomTensor(TensorShape.mesonNode(n));
    DeviceMemory block = allocate(DiquarkContraction.shape(n));
    device()
        .contractDiquark(
            new DiquarkContraction(
                upload(sink),
                upload(first),
                upload(second),
                upload(source),
                block,
                scratch(n, rows),
                n,
                false),
            device().computeStream());
    HostTensor actual = download(block, DiquarkContraction.shape(n));
    double bound = tolerance(4 * Math.pow(n, 4));
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
      String where = "p=" + p + " q=" + q + " [" + j + "][" + i + "]";
      assertEquals(sum[0], actual.re(SPINS * p + q, j * n + i), bound, where);
      assertEquals(sum[1], actual.im(SPINS * p + q, j * n + i), bound, where);
    }
  }

  @Test
  void symmetricBlock_hasTheSameNumbersWhereDefined() {
    int n = 7;
    DeviceMemory sink = upload(randomTensor(new TensorShape(1, 3, n)));
    DeviceMemory source = upload(randomTensor(new TensorShape(1, 3, n)));
    DeviceMemory line = upload(randomTensor(TensorShape.mesonNode(n)));
    DeviceMemory whole = allocate(DiquarkContraction.shape(n));
    DeviceMemory half = allocate(DiquarkContraction.shape(n));
    DeviceMemory space = scratch(n, n);
    device()
        .contractDiquark(
            new DiquarkContraction(sink, line, line, source, whole, space, n, false),
            device().computeStream());
    device()
        .contractDiquark(
            new DiquarkContraction(sink, line, line, source, half, space, n, true),
            device().computeStream());
    HostTensor expected = download(whole, DiquarkContraction.shape(n));
    HostTensor actual = download(half, DiquarkContraction.shape(n));
    for (int p = 0; p < SPINS; p++) {
      for (int q = p; q < SPINS; q++) {
        for (int k = 0; k < n * n; k++) {
          assertEquals(expected.re(SPINS * p + q, k), actual.re(SPINS * p + q, k));
          assertEquals(expected.im(SPINS * p + q, k), actual.im(SPINS * p + q, k));
        }
      }
    }
  }

  @Test
  void slices_doNotChangeTheResult() {
    int n = 6;
    DeviceMemory sink = upload(randomTensor(new TensorShape(1, 3, n)));
    DeviceMemory source = upload(randomTensor(new TensorShape(1, 3, n)));
    DeviceMemory first = upload(randomTensor(TensorShape.mesonNode(n)));
    DeviceMemory second = upload(randomTensor(TensorShape.mesonNode(n)));
    double[] expected = null;
    for (int rows : new int[] {n, 3, 2, 1}) {
      DeviceMemory block = allocate(DiquarkContraction.shape(n));
      device()
          .contractDiquark(
              new DiquarkContraction(
                  sink, first, second, source, block, scratch(n, rows), n, false),
              device().computeStream());
      double[] numbers = download(block, DiquarkContraction.shape(n)).numbers();
      if (expected == null) {
        expected = numbers;
      } else {
        assertArrayEquals(expected, numbers, tolerance(4 * Math.pow(n, 4)), "rows=" + rows);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,true", "5,false", "5,true", "70,false", "70,true"})
  void spinSum_addsComponentsOfTheBlock(int n, boolean uploaded) {
    HostTensor numbers = randomTensor(DiquarkContraction.shape(n));
    DeviceMemory block = upload(numbers);
    if (!uploaded) {
      // A block as the device itself leaves it, not as it comes from the host.
      DeviceMemory unit = upload(randomTensor(new TensorShape(1, 3, n)));
      DeviceMemory line = upload(randomTensor(TensorShape.mesonNode(n)));
      device()
          .contractDiquark(
              new DiquarkContraction(
                  unit, line, line, unit, block, scratch(n, Math.max(2, n / 4)), n, false),
              device().computeStream());
      numbers = download(block, DiquarkContraction.shape(n));
    }
    int entries = 40;
    int[] source = new int[entries];
    int[] destination = new int[entries];
    double[] factors = new double[2 * entries];
    for (int k = 0; k < entries; k++) {
      source[k] = random.nextInt(SPINS * SPINS);
      destination[k] = random.nextInt(SPINS - 1);
      factors[2 * k] = k % 3 - 1;
      factors[2 * k + 1] = k % 2;
    }
    // What was in the node before must not matter, not even NaN.
    HostTensor old = randomTensor(TensorShape.mesonNode(n));
    Arrays.fill(old.numbers(), Double.NaN);
    DeviceMemory node = upload(old);
    device()
        .sumSpins(
            block,
            node,
            new SpinSumMapping(source, destination, factors),
            n,
            device().computeStream());
    HostTensor actual = download(node, TensorShape.mesonNode(n));
    double largest = 0;
    for (double number : numbers.numbers()) {
      largest = Math.max(largest, Math.abs(number));
    }
    double bound = tolerance(entries) * largest;
    for (int d = 0; d < SPINS; d++) {
      for (int sample = 0; sample < 10; sample++) {
        int place = random.nextInt(n * n);
        double[] sum = new double[2];
        for (int k = 0; k < entries; k++) {
          if (destination[k] == d) {
            double[] product =
                times(
                    new double[] {factors[2 * k], factors[2 * k + 1]},
                    at(numbers, source[k], place));
            sum[0] += product[0];
            sum[1] += product[1];
          }
        }
        assertEquals(sum[0], actual.re(d, place), bound, "spin " + d);
        assertEquals(sum[1], actual.im(d, place), bound, "spin " + d);
      }
    }
  }

  @Test
  void workspaceTooSmall_isRefused() {
    DeviceMemory small = allocate(new TensorShape(1, 2, 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> new DiquarkContraction(small, small, small, small, small, small, 4, false));
  }

  private static double[] at(HostTensor tensor, int spin, int index) {
    return new double[] {tensor.re(spin, index), tensor.im(spin, index)};
  }

  private static double[] times(double[] a, double[] b) {
    return new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  }
}
