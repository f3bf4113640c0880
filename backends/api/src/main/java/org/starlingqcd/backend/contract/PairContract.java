package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.tolerance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;

/** Two quark lines attached to one baryon, closed with many. */
final class PairContract {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;

  private PairContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (boolean sink : new boolean[] {true, false}) {
      for (int[] size : new int[][] {{1, 1}, {2, 1}, {3, 3}, {6, 4}, {9, 9}, {34, 34}}) {
        checks.add(
            new ContractCheck(
                "lines attached to a "
                    + (sink ? "sink" : "source")
                    + ", N "
                    + size[0]
                    + " in slices of "
                    + size[1],
                device -> new Case(device, size[0], sink).check(size[1])));
      }
    }
    checks.add(new ContractCheck("spin sums of pair blocks", PairContract::spinSum));
    checks.add(
        new ContractCheck(
            "a workspace too small for pairs is refused", PairContract::smallWorkspace));
    return checks;
  }

  private static TensorShape baryon(int extent) {
    return new TensorShape(1, 3, extent);
  }

  /** A branch with its operands on the host. */
  private record HostBranch(
      HostTensor second, List<LinePairSum> sums, List<HostTensor> others, boolean antisymmetric) {}

  /** A contraction on random numbers. */
  private static final class Case {
    private final DeviceUnderTest test;
    private final int n;
    private final boolean sinkAttached;
    private final Random random;
    private final HostTensor attached;
    private final HostTensor first;
    private final PairContraction.Rotation rotation;
    private final List<HostBranch> branches;

    Case(DeviceUnderTest test, int n, boolean sinkAttached) {
      this.test = test;
      this.n = n;
      this.sinkAttached = sinkAttached;
      random = test.random();
      attached = test.randomTensor(baryon(n));
      first = test.randomTensor(TensorShape.mesonNode(n));
      double[] numbers = new double[SPINS * SPINS];
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] = random.nextInt(4) == 0 ? random.nextDouble() - 0.5 : 0;
      }
      rotation = new PairContraction.Rotation(numbers);
      // More sums than are attached at once, fewer, and one elemental at the other end or three.
      branches = List.of(branch(PairContraction.GROUP + 3, 1, true), branch(2, 3, false));
    }

    private HostBranch branch(int sums, int others, boolean antisymmetric) {
      List<LinePairSum> list = new ArrayList<>();
      for (int s = 0; s < sums; s++) {
        int entries = 1 + random.nextInt(3);
        double[] factors = new double[2 * entries];
        for (int k = 0; k < factors.length; k++) {
          factors[k] = random.nextInt(3) - 1;
        }
        list.add(
            new LinePairSum(
                random.ints(entries, 0, SPINS).toArray(),
                random.ints(entries, 0, SPINS).toArray(),
                factors));
      }
      List<HostTensor> elementals = new ArrayList<>();
      for (int k = 0; k < others; k++) {
        HostTensor elemental = test.randomTensor(baryon(n));
        if (antisymmetric) {
          antisymmetrize(elemental.numbers());
        }
        elementals.add(elemental);
      }
      return new HostBranch(
          test.randomTensor(TensorShape.mesonNode(n)), list, elementals, antisymmetric);
    }

    private void antisymmetrize(double[] numbers) {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
          for (int l = k; l < n; l++) {
            for (int part = 0; part < 2; part++) {
              int at = 2 * ((i * n + k) * n + l) + part;
              int across = 2 * ((i * n + l) * n + k) + part;
              numbers[at] = k == l ? 0 : numbers[at];
              numbers[across] = -numbers[at];
            }
          }
        }
      }
    }

    /** The blocks as the device makes them. */
    DeviceMemory run(int rows) {
      List<PairContraction.Branch> onDevice = new ArrayList<>();
      for (HostBranch branch : branches) {
        onDevice.add(
            new PairContraction.Branch(
                test.upload(branch.second()),
                branch.sums(),
                branch.others().stream().map(test::upload).toList(),
                branch.antisymmetric()));
      }
      long bytes = PairContraction.workspaceBytes(n, rows);
      DeviceMemory blocks = test.allocate(new TensorShape(components(), 2, n));
      PairContraction contraction =
          new PairContraction(
              sinkAttached,
              test.upload(attached),
              test.upload(first),
              onDevice,
              rotation,
              blocks,
              test.allocate(new TensorShape((int) (bytes / TensorShape.COMPLEX_BYTES), 1, 1)),
              n);
      test.device().contractPairs(contraction, test.stream());
      return blocks;
    }

    int components() {
      return branches.stream().mapToInt(b -> b.sums().size() * b.others().size()).sum();
    }

    void check(int rows) {
      HostTensor actual = test.download(run(rows), new TensorShape(components(), 2, n));
      double bound = tolerance(3 * 256 * Math.pow(n, 4));
      double[][] firstLine = rotated(first);
      int component = 0;
      for (HostBranch branch : branches) {
        double[][] secondLine = rotated(branch.second());
        for (HostTensor other : branch.others()) {
          for (LinePairSum sum : branch.sums()) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            double[] expected = value(firstLine, secondLine, sum, other, i, j);
            int place = component;
            Supplier<String> where = () -> "component " + place + " [" + j + "][" + i + "]";
            test.expectClose(expected[0], actual.re(component, j * n + i), bound, where);
            test.expectClose(expected[1], actual.im(component, j * n + i), bound, where);
            component++;
          }
        }
      }
    }

    private double[][] rotated(HostTensor line) {
      double[][] result = new double[SPINS][2 * n * n];
      for (int p = 0; p < SPINS; p++) {
        for (int s = 0; s < SPINS; s++) {
          for (int k = 0; k < n * n; k++) {
            result[p][2 * k] += rotation.at(p, s) * line.re(s, k);
            result[p][2 * k + 1] += rotation.at(p, s) * line.im(s, k);
          }
        }
      }
      return result;
    }

    /** One number, leg by leg. */
    private double[] value(
        double[][] firstLine,
        double[][] secondLine,
        LinePairSum sum,
        HostTensor other,
        int i,
        int j) {
      HostTensor sink = sinkAttached ? attached : other;
      HostTensor source = sinkAttached ? other : attached;
      double[] total = new double[2];
      for (int e = 0; e < sum.size(); e++) {
        double[] p = firstLine[sum.first(e)];
        double[] q = secondLine[sum.second(e)];
        // half[k][n] = Σ_l B[i][k][l] q[l][n]
        double[] half = new double[2 * n * n];
        for (int k = 0; k < n; k++) {
          for (int l = 0; l < n; l++) {
            for (int m = 0; m < n; m++) {
              add(half, k * n + m, at(sink, (i * n + k) * n + l), at(q, l * n + m));
            }
          }
        }
        double[] value = new double[2];
        for (int k = 0; k < n; k++) {
          for (int m = 0; m < n; m++) {
            double[] inner = new double[2];
            for (int o = 0; o < n; o++) {
              add(inner, 0, at(half, k * n + o), at(source, (j * n + m) * n + o));
            }
            add(value, 0, at(p, k * n + m), inner);
          }
        }
        add(total, 0, value, new double[] {sum.factorRe(e), sum.factorIm(e)});
      }
      return total;
    }

    private static double[] at(HostTensor tensor, int index) {
      return new double[] {tensor.re(0, index), tensor.im(0, index)};
    }

    private static double[] at(double[] matrix, int index) {
      return new double[] {matrix[2 * index], matrix[2 * index + 1]};
    }

    private static void add(double[] target, int index, double[] a, double[] b) {
      target[2 * index] += a[0] * b[0] - a[1] * b[1];
      target[2 * index + 1] += a[0] * b[1] + a[1] * b[0];
    }
  }

  private static void spinSum(DeviceUnderTest test) {
    int n = 5;
    Case blocks = new Case(test, n, true);
    DeviceMemory made = blocks.run(n);
    TensorShape shape = new TensorShape(blocks.components(), 2, n);
    HostTensor numbers = test.download(made, shape);
    int last = blocks.components() - 1;
    DeviceMemory node = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    test.device()
        .sumSpins(
            made,
            node,
            new SpinSumMapping(
                blocks.components(),
                new int[] {last, 1},
                new int[] {3, 3},
                new double[] {2, 0, 0, 1}),
            n,
            test.stream());
    HostTensor actual = test.download(node, TensorShape.mesonNode(n));
    double bound = tolerance(3 * 256 * Math.pow(n, 4));
    for (int k = 0; k < n * n; k++) {
      int place = k;
      Supplier<String> where = () -> "number " + place;
      test.expectClose(2 * numbers.re(last, k) - numbers.im(1, k), actual.re(3, k), bound, where);
      test.expectClose(2 * numbers.im(last, k) + numbers.re(1, k), actual.im(3, k), bound, where);
      test.expectClose(0, actual.re(4, k), 0, where);
    }
  }

  private static void smallWorkspace(DeviceUnderTest test) {
    DeviceMemory small = test.allocate(new TensorShape(1, 2, 2));
    PairContraction.Rotation rotation = new PairContraction.Rotation(new double[SPINS * SPINS]);
    expectRefusal(
        IllegalArgumentException.class,
        "a workspace of " + small.bytes() + " bytes",
        () -> new PairContraction(true, small, small, List.of(), rotation, small, small, 4));
  }
}
