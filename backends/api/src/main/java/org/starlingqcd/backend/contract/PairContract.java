package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.tolerance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;

/** Two quark lines attached to one baryon, closed with many. */
final class PairContract {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;
  private static final int MOST_SUMS = 22;

  private PairContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (boolean sink : new boolean[] {true, false}) {
      String where = "lines attached to a " + (sink ? "sink" : "source");
      for (int[] size : new int[][] {{1, 1, 22}, {2, 1, 1}, {3, 3, 5}, {6, 4, 22}, {34, 34, 16}}) {
        checks.add(
            new ContractCheck(
                where + ", N " + size[0] + ", rows " + size[1] + ", sums at once " + size[2],
                device -> new Case(device, size[0], sink).check(size[1], size[2], false)));
      }
      checks.add(
          new ContractCheck(
              where + ", with copies to the host and back between all stages",
              device -> new Case(device, 5, sink).check(2, 7, true)));
    }
    checks.add(new ContractCheck("spin sums of pair blocks", PairContract::spinSum));
    checks.add(
        new ContractCheck(
            "a workspace too small for pairs is refused", PairContract::smallWorkspace));
    checks.add(
        new ContractCheck(
            "stages beyond what was reckoned with are refused", PairContract::beyond));
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
      branches = List.of(branch(MOST_SUMS, 1, true), branch(2, 3, false));
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

    /**
     * The blocks as the device makes them, one for each elemental at the other end.
     *
     * @param moved whether what the device made goes to the host and back after every stage
     */
    List<DeviceMemory> run(int rows, int sumsAtOnce, boolean moved) {
      List<Integer> firstSpins =
          branches.stream()
              .flatMap(branch -> branch.sums().stream())
              .flatMap(sum -> IntStream.range(0, sum.size()).mapToObj(sum::first))
              .distinct()
              .sorted()
              .toList();
      TensorShape scratch =
          PairContraction.workspaceShape(
              n, PairContraction.workspaceBytes(n, firstSpins.size(), rows, sumsAtOnce, false));
      DeviceMemory workspace = test.allocate(scratch);
      DeviceMemory onDevice = test.upload(attached);
      List<List<DeviceMemory>> blocks = new ArrayList<>();
      List<DeviceMemory> lines = new ArrayList<>();
      List<List<DeviceMemory>> others = new ArrayList<>();
      for (HostBranch branch : branches) {
        lines.add(test.upload(branch.second()));
        others.add(branch.others().stream().map(test::upload).toList());
        blocks.add(
            branch.others().stream()
                .map(other -> test.allocate(PairContraction.blockShape(n, branch.sums().size())))
                .toList());
      }
      Runnable move =
          () -> {
            if (moved) {
              move(workspace, scratch);
              for (int b = 0; b < blocks.size(); b++) {
                for (DeviceMemory block : blocks.get(b)) {
                  move(block, PairContraction.blockShape(n, branches.get(b).sums().size()));
                }
              }
            }
          };
      PairContraction whole =
          new PairContraction(
              sinkAttached, firstSpins, rows, sumsAtOnce, false, rotation, workspace, n);
      stage(whole, new PairContraction.FirstLine(test.upload(first)), move);
      for (int start = 0; start < n; start += rows) {
        PairContraction.Slice slice = new PairContraction.Slice(start, Math.min(rows, n - start));
        // Every other slice has the whole elemental, the others their rows of it alone.
        boolean all = start / rows % 2 == 0;
        stage(
            whole,
            all
                ? new PairContraction.FirstAttached(
                    onDevice, new PairContraction.Slice(0, n), slice)
                : new PairContraction.FirstAttached(test.upload(rowsOf(slice)), slice, slice),
            move);
        for (int b = 0; b < branches.size(); b++) {
          List<LinePairSum> sums = branches.get(b).sums();
          PairContraction contraction =
              new PairContraction(
                  sinkAttached,
                  firstSpins,
                  rows,
                  sumsAtOnce,
                  branches.get(b).antisymmetric(),
                  rotation,
                  workspace,
                  n);
          stage(contraction, new PairContraction.SecondLine(lines.get(b)), move);
          for (int from = 0; from < sums.size(); from += sumsAtOnce) {
            int to = Math.min(sums.size(), from + sumsAtOnce);
            stage(
                contraction, new PairContraction.BothAttached(sums.subList(from, to), slice), move);
            stage(
                contraction,
                new PairContraction.Closed(
                    others.get(b), blocks.get(b), sums.size(), from, to - from, slice),
                move);
          }
        }
      }
      return blocks.stream().flatMap(List::stream).toList();
    }

    private HostTensor rowsOf(PairContraction.Slice slice) {
      int matrix = 2 * n * n;
      HostTensor rows = test.randomTensor(PairContraction.sliceShape(n, slice.rows()));
      System.arraycopy(
          attached.numbers(), slice.start() * matrix, rows.numbers(), 0, slice.rows() * matrix);
      return rows;
    }

    private void stage(
        PairContraction contraction, PairContraction.Stage stage, Runnable afterwards) {
      test.device().contractPairs(contraction, stage, test.stream());
      afterwards.run();
    }

    private void move(DeviceMemory memory, TensorShape shape) {
      HostTensor numbers = test.download(memory, shape);
      test.uploadTo(memory, test.randomTensor(shape));
      test.uploadTo(memory, numbers);
    }

    void check(int rows, int sumsAtOnce, boolean moved) {
      List<DeviceMemory> blocks = run(rows, sumsAtOnce, moved);
      double bound = tolerance(3 * 256 * Math.pow(n, 4));
      double[][] firstLine = rotated(first);
      int place = 0;
      for (HostBranch branch : branches) {
        double[][] secondLine = rotated(branch.second());
        for (HostTensor other : branch.others()) {
          int block = place++;
          HostTensor actual =
              test.download(blocks.get(block), PairContraction.blockShape(n, branch.sums().size()));
          for (int s = 0; s < branch.sums().size(); s++) {
            int component = s;
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            double[] expected = value(firstLine, secondLine, branch.sums().get(s), other, i, j);
            Supplier<String> where =
                () -> "block " + block + " component " + component + " [" + j + "][" + i + "]";
            test.expectClose(expected[0], actual.re(s, j * n + i), bound, where);
            test.expectClose(expected[1], actual.im(s, j * n + i), bound, where);
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
    DeviceMemory made = blocks.run(n, MOST_SUMS, false).get(0);
    HostTensor numbers = test.download(made, PairContraction.blockShape(n, MOST_SUMS));
    int last = MOST_SUMS - 1;
    DeviceMemory node = test.upload(test.randomTensor(TensorShape.mesonNode(n)));
    test.device()
        .sumSpins(
            made,
            node,
            new SpinSumMapping(
                MOST_SUMS, new int[] {last, 1}, new int[] {3, 3}, new double[] {2, 0, 0, 1}),
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

  private static PairContraction contraction(DeviceMemory workspace, int rows) {
    PairContraction.Rotation rotation = new PairContraction.Rotation(new double[SPINS * SPINS]);
    return new PairContraction(true, List.of(0), rows, 1, false, rotation, workspace, 4);
  }

  private static void smallWorkspace(DeviceUnderTest test) {
    long least = PairContraction.workspaceBytes(4, 1, 2, 1, false);
    DeviceMemory small =
        test.allocate(new TensorShape((int) (least / TensorShape.COMPLEX_BYTES) - 1, 1, 1));
    expectRefusal(
        IllegalArgumentException.class,
        "a workspace of " + small.bytes() + " bytes",
        () -> contraction(small, 2));
  }

  private static void beyond(DeviceUnderTest test) {
    TensorShape scratch =
        PairContraction.workspaceShape(4, PairContraction.workspaceBytes(4, 1, 2, 1, false));
    PairContraction contraction = contraction(test.allocate(scratch), 2);
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
