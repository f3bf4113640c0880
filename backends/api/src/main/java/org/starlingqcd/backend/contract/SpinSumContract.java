package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;

/** Sums of the spin components of pair blocks. */
final class SpinSumContract {
  private static final int SPINS = PairContraction.LINE_SPINS;

  private SpinSumContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (int extent : new int[] {1, 5, 70}) {
      checks.add(
          new ContractCheck(
              "spin sums of uploaded pair blocks, N " + extent, device -> sum(device, extent)));
    }
    return checks;
  }

  private static void sum(DeviceUnderTest test, int n) {
    HostTensor numbers = test.randomTensor(PairContraction.blockShape(n, SPINS * SPINS));
    DeviceMemory block = test.upload(numbers);
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
    // The earlier contents of the node must not matter, not even NaN.
    HostTensor old = test.randomTensor(test.mesonNode(n));
    Arrays.fill(old.numbers(), Double.NaN);
    DeviceMemory node = test.upload(old);
    test.device()
        .sumSpins(
            block,
            node,
            new SpinSumMapping(SPINS * SPINS, source, destination, factors),
            n,
            test.stream());
    HostTensor actual = test.download(node, test.mesonNode(n));
    double largest = 0;
    for (double number : numbers.numbers()) {
      largest = Math.max(largest, Math.abs(number));
    }
    double bound = test.tolerance(entries) * largest;
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

  private static double[] at(HostTensor tensor, int spin, int index) {
    return new double[] {tensor.re(spin, index), tensor.im(spin, index)};
  }

  private static double[] times(double[] a, double[] b) {
    return new double[] {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  }
}
