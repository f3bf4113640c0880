package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

/** Two quark lines attached to one baryon, closed with many. */
final class PairContract {
  private static final int SPINS = PairContraction.LINE_SPINS;
  private static final int MOST_SUMS = 22;

  private static final PairCase.Branch[] SHORT_SUMS = {
    new PairCase.Branch(MOST_SUMS, false, 1, true), new PairCase.Branch(2, false, 3, false)
  };

  private PairContract() {}

  static void addTo(DeviceContract.Checks checks) {
    for (boolean sink : new boolean[] {true, false}) {
      String where = "lines attached to a " + (sink ? "sink" : "source");
      for (int[] size : new int[][] {{1, 1, 22}, {2, 1, 1}, {3, 3, 5}, {6, 4, 22}, {34, 9, 16}}) {
        add(checks, where, size, sink, SHORT_SUMS);
      }
      checks.add(
          where + ", with copies to the host and back between all stages",
          device -> new PairCase(device, 5, sink, 2, 7, SHORT_SUMS).check(true));
      // Sums of every length; the last slice and the last group of sums are smaller than the
      // others.
      String many = where + ", sums of many entries";
      add(checks, many, new int[] {5, 2, 16}, sink, longSums(30, 4, 30, 3));
      add(checks, many, new int[] {13, 5, 11}, sink, longSums(30, 2, 30, 3));
      add(checks, many, new int[] {27, 8, 5}, sink, longSums(6, 3, 4, 2));
      add(checks, many, new int[] {33, 6, 3}, sink, longSums(3, 2, 2, 1));
      add(checks, many, new int[] {32, 16, 3}, sink, longSums(3, 2, 2, 1));
      add(
          checks,
          many + ", antisymmetric alone",
          new int[] {13, 6, 30},
          sink,
          new PairCase.Branch(30, true, 5, true));
    }
    for (int extent : new int[] {1, 5, 70}) {
      checks.add(
          "spin sums of uploaded pair blocks, N " + extent, device -> uploadedSum(device, extent));
    }
    checks.add("spin sums of pair blocks", PairContract::spinSum);
    checks.add("a workspace too small for pairs is refused", PairContract::smallWorkspace);
    checks.add("stages beyond the limits of the contraction are refused", PairContract::beyond);
  }

  /**
   * Adds a check.
   *
   * @param size N, rows, sums at once
   */
  private static void add(
      DeviceContract.Checks checks,
      String where,
      int[] size,
      boolean sink,
      PairCase.Branch... branches) {
    checks.add(
        where + ", N " + size[0] + ", rows " + size[1] + ", sums at once " + size[2],
        device -> new PairCase(device, size[0], sink, size[1], size[2], branches).check(false));
    checks.add(
        where + ", N " + size[0] + ", rows " + size[1] + ", in one call",
        device ->
            new PairCase(device, size[0], sink, size[1], Integer.MAX_VALUE, branches).checkWhole());
  }

  /** One branch with antisymmetric baryons at the other end, and one with arbitrary ones. */
  private static PairCase.Branch[] longSums(
      int antisymmetricSums, int antisymmetricOthers, int sums, int others) {
    return new PairCase.Branch[] {
      new PairCase.Branch(antisymmetricSums, true, antisymmetricOthers, true),
      new PairCase.Branch(sums, true, others, false)
    };
  }

  private static void spinSum(DeviceUnderTest test) {
    int n = 5;
    DeviceMemory made = new PairCase(test, n, true, n, MOST_SUMS, SHORT_SUMS).run(false);
    HostTensor numbers = test.download(made, PairContraction.blockShape(n, MOST_SUMS));
    int last = MOST_SUMS - 1;
    DeviceMemory node = test.random(test.mesonNode(n)).memory();
    test.device()
        .sumSpins(
            made,
            node,
            new SpinSumMapping(
                MOST_SUMS, new int[] {last, 1}, new int[] {3, 3}, new double[] {2, 0, 0, 1}),
            n,
            test.stream());
    HostTensor actual = test.download(node, test.mesonNode(n));
    double bound = test.tolerance(3 * 256 * Math.pow(n, 4));
    for (int k = 0; k < n * n; k++) {
      int place = k;
      Supplier<String> where = () -> "number " + place;
      Scalar twice = numbers.get(last, k).times(Scalar.of(2));
      Scalar turned = numbers.get(1, k).times(new Scalar(0, 1));
      test.expectClose(twice.plus(turned), actual.get(3, k), bound, where);
      test.expectClose(0, actual.get(4, k).re(), 0, where);
    }
  }

  private static void uploadedSum(DeviceUnderTest test, int n) {
    Element block = test.random(PairContraction.blockShape(n, SPINS * SPINS));
    HostTensor numbers = block.host();
    SplittableRandom random = test.random();
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
            block.memory(),
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
        Scalar sum = Scalar.ZERO;
        for (int k = 0; k < entries; k++) {
          if (destination[k] == d) {
            Scalar factor = new Scalar(factors[2 * k], factors[2 * k + 1]);
            sum = sum.plus(factor.times(numbers.get(source[k], place)));
          }
        }
        test.expectClose(sum, actual.get(d, place), bound, () -> "spin " + spin);
      }
    }
  }

  private static PairContraction contraction(
      DeviceMemory workspace, int rows, Precision precision) {
    PairContraction.Rotation rotation = new PairContraction.Rotation(new double[SPINS * SPINS]);
    return new PairContraction(true, List.of(0), rows, 1, false, rotation, workspace, 4, precision);
  }

  private static void smallWorkspace(DeviceUnderTest test) {
    long least = PairContraction.workspaceBytes(4, 1, 2, 1, false, test.precision());
    DeviceMemory small =
        test.allocate(new TensorShape((int) (least / test.precision().complexBytes()) - 1, 1, 1));
    expectRefusal(
        IllegalArgumentException.class,
        "a workspace of " + small.bytes() + " bytes",
        () -> contraction(small, 2, test.precision()));
  }

  private static void beyond(DeviceUnderTest test) {
    TensorShape scratch =
        PairContraction.workspaceShape(
            4,
            PairContraction.workspaceBytes(4, 1, 2, 1, false, test.precision()),
            test.precision());
    PairContraction contraction = contraction(test.allocate(scratch), 2, test.precision());
    LinePairSum sum = new LinePairSum(new int[] {0}, new int[] {1}, new double[] {1, 0});
    LinePairSum other = new LinePairSum(new int[] {2}, new int[] {1}, new double[] {1, 0});
    PairContraction.Slice slice = new PairContraction.Slice(0, 2);
    refuse(test, contraction, List.of(sum), new PairContraction.Slice(0, 3), "three rows of two");
    refuse(test, contraction, List.of(sum), new PairContraction.Slice(3, 2), "a row 4 of N = 4");
    refuse(test, contraction, List.of(sum, sum), slice, "two sums of one");
    refuse(test, contraction, List.of(other), slice, "a component that was not attached");
  }

  private static void refuse(
      DeviceUnderTest test,
      PairContraction contraction,
      List<LinePairSum> sums,
      PairContraction.Slice slice,
      String what) {
    expectRefusal(
        IllegalArgumentException.class,
        what,
        () ->
            test.device()
                .contractPairs(
                    contraction, new PairContraction.BothAttached(sums, slice), test.stream()));
  }
}
