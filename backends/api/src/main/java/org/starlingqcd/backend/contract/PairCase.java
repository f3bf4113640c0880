package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;

/** A contraction of pairs of lines on random numbers, with all its stages. */
final class PairCase {
  private static final int SPINS = PairContraction.LINE_SPINS;

  /** Fewest and most entries of a long sum. */
  private static final int LEAST_LONG = 8;

  private static final int MOST_LONG = 20;

  /**
   * The sums attached with one second line.
   *
   * @param sums number of sums
   * @param longSums whether the sums have up to 20 entries with any factors and repeated
   *     components; otherwise they have up to three entries, with factors whose parts are -1, 0 or
   *     1
   * @param others number of baryons at the other end
   * @param antisymmetric whether these baryons are antisymmetric
   */
  record Branch(int sums, boolean longSums, int others, boolean antisymmetric) {}

  /** A branch with its operands on the host. */
  private record HostBranch(
      HostTensor second, List<LinePairSum> sums, List<HostTensor> others, boolean antisymmetric) {}

  private final DeviceUnderTest test;
  private final int n;
  private final boolean sinkAttached;
  private final Random random;
  private final HostTensor attached;
  private final HostTensor first;
  private final PairContraction.Rotation rotation;
  private final List<HostBranch> branches = new ArrayList<>();

  PairCase(DeviceUnderTest test, int n, boolean sinkAttached, Branch... branches) {
    this.test = test;
    this.n = n;
    this.sinkAttached = sinkAttached;
    random = test.random();
    attached = test.randomTensor(baryon());
    first = test.randomTensor(test.mesonNode(n));
    double[] numbers = new double[SPINS * SPINS];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = random.nextInt(4) == 0 ? random.nextDouble() - 0.5 : 0;
    }
    rotation = new PairContraction.Rotation(numbers);
    for (Branch branch : branches) {
      this.branches.add(hostBranch(branch));
    }
  }

  private TensorShape baryon() {
    return new TensorShape(1, 3, n);
  }

  private HostBranch hostBranch(Branch branch) {
    List<LinePairSum> sums = new ArrayList<>();
    for (int s = 0; s < branch.sums(); s++) {
      sums.add(branch.longSums() && s % 4 != 0 ? longSum(s % 4) : shortSum());
    }
    List<HostTensor> others = new ArrayList<>();
    for (int k = 0; k < branch.others(); k++) {
      HostTensor elemental = test.randomTensor(baryon());
      if (branch.antisymmetric()) {
        antisymmetrize(elemental.numbers());
      }
      others.add(elemental);
    }
    HostTensor second = test.randomTensor(test.mesonNode(n));
    return new HostBranch(second, sums, others, branch.antisymmetric());
  }

  private LinePairSum shortSum() {
    int entries = 1 + random.nextInt(3);
    double[] factors = new double[2 * entries];
    for (int k = 0; k < factors.length; k++) {
      factors[k] = random.nextInt(3) - 1;
    }
    return new LinePairSum(
        random.ints(entries, 0, SPINS).toArray(),
        random.ints(entries, 0, SPINS).toArray(),
        factors);
  }

  /**
   * A sum of many entries.
   *
   * @param kind 1: real factors; 2: imaginary factors and few components of both lines, so that
   *     pairs occur repeatedly; 3: complex factors, some of them one, real or imaginary, and few
   *     components of one line
   */
  private LinePairSum longSum(int kind) {
    int entries = LEAST_LONG + random.nextInt(MOST_LONG - LEAST_LONG + 1);
    double[] factors = new double[2 * entries];
    for (int e = 0; e < entries; e++) {
      int parts = kind == 3 ? random.nextInt(4) : kind;
      if (parts == 0) {
        factors[2 * e] = 1;
      }
      if ((parts & 1) != 0) {
        factors[2 * e] = 2 * random.nextDouble() - 1;
      }
      if ((parts & 2) != 0) {
        factors[2 * e + 1] = 2 * random.nextDouble() - 1;
      }
    }
    boolean fewFirst = kind == 2 || (kind == 3 && random.nextBoolean());
    boolean fewSecond = kind == 2 || (kind == 3 && !fewFirst);
    return new LinePairSum(spins(entries, fewFirst), spins(entries, fewSecond), factors);
  }

  private int[] spins(int entries, boolean few) {
    int from = few ? random.nextInt(SPINS - 1) : 0;
    return random.ints(entries, from, few ? from + 2 : SPINS).toArray();
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
   * Computes the blocks on the device, one for each elemental at the other end. The scratch memory
   * is just large enough for the largest branch. Slices, and groups of sums within them, come in
   * random order.
   *
   * @param moved whether the intermediate results go to the host and back after every stage
   */
  List<DeviceMemory> run(int rows, int sumsAtOnce, boolean moved) {
    Operands operands = new Operands(rows, sumsAtOnce);
    List<List<DeviceMemory>> blocks = operands.blocks;
    List<PairContraction> contractions = operands.contractions;
    DeviceMemory onDevice = operands.attached;
    Runnable move =
        () -> {
          if (moved) {
            move(operands.workspace, operands.scratch);
            for (int b = 0; b < blocks.size(); b++) {
              for (DeviceMemory block : blocks.get(b)) {
                move(block, PairContraction.blockShape(n, branches.get(b).sums().size()));
              }
            }
          }
        };
    PairContraction whole = contractions.get(0);
    stage(whole, new PairContraction.FirstLine(test.upload(first)), move);
    for (int start : starts(n, rows)) {
      PairContraction.Slice slice = new PairContraction.Slice(start, Math.min(rows, n - start));
      // Every other slice gets the whole elemental; the rest get only their own rows.
      boolean all = start / rows % 2 == 0;
      stage(
          whole,
          all
              ? new PairContraction.FirstAttached(onDevice, new PairContraction.Slice(0, n), slice)
              : new PairContraction.FirstAttached(test.upload(rowsOf(slice)), slice, slice),
          move);
      for (int b = 0; b < branches.size(); b++) {
        List<LinePairSum> sums = branches.get(b).sums();
        PairContraction contraction = contractions.get(b);
        stage(contraction, new PairContraction.SecondLine(operands.lines.get(b)), move);
        for (int from : starts(sums.size(), sumsAtOnce)) {
          int to = Math.min(sums.size(), from + sumsAtOnce);
          stage(contraction, new PairContraction.BothAttached(sums.subList(from, to), slice), move);
          stage(
              contraction,
              new PairContraction.Closed(
                  operands.others.get(b), blocks.get(b), sums.size(), from, to - from, slice),
              move);
        }
      }
    }
    return blocks.stream().flatMap(List::stream).toList();
  }

  /** The same in one call, with everything on the device. */
  private List<DeviceMemory> runWhole(int rows) {
    Operands operands = new Operands(rows, Integer.MAX_VALUE);
    List<PairContraction.Branch> whole = new ArrayList<>();
    for (int b = 0; b < branches.size(); b++) {
      HostBranch branch = branches.get(b);
      whole.add(
          new PairContraction.Branch(
              operands.lines.get(b),
              branch.sums(),
              branch.antisymmetric(),
              operands.others.get(b),
              operands.blocks.get(b)));
    }
    HostTensor other = test.randomTensor(PairContraction.blockShape(n, SPINS));
    PairContraction.Whole stage =
        new PairContraction.Whole(test.upload(first), operands.attached, whole);
    stage(operands.contractions.get(0), stage, () -> {});
    // The memory of a line may be reused for a tensor of another layout as soon as the call
    // returns.
    operands.lines.forEach(line -> test.uploadTo(line, other));
    return operands.blocks.stream().flatMap(List::stream).toList();
  }

  /** Operands on the device, and as much scratch memory as the largest branch needs. */
  private final class Operands {
    private final TensorShape scratch;
    private final DeviceMemory workspace;
    private final DeviceMemory attached;
    private final List<DeviceMemory> lines = new ArrayList<>();
    private final List<List<DeviceMemory>> others = new ArrayList<>();
    private final List<List<DeviceMemory>> blocks = new ArrayList<>();
    private final List<PairContraction> contractions = new ArrayList<>();

    Operands(int rows, int sumsAtOnce) {
      List<Integer> firstSpins = firstSpins();
      long bytes = 0;
      for (HostBranch branch : branches) {
        int together = Math.min(sumsAtOnce, branch.sums().size());
        bytes =
            Math.max(
                bytes,
                PairContraction.workspaceBytes(
                    n,
                    firstSpins.size(),
                    rows,
                    together,
                    branch.antisymmetric(),
                    test.precision()));
      }
      scratch = PairContraction.workspaceShape(n, bytes, test.precision());
      workspace = test.allocate(scratch);
      attached = test.upload(PairCase.this.attached);
      for (HostBranch branch : branches) {
        lines.add(test.upload(branch.second()));
        others.add(branch.others().stream().map(test::upload).toList());
        blocks.add(
            branch.others().stream()
                .map(other -> test.allocate(PairContraction.blockShape(n, branch.sums().size())))
                .toList());
        contractions.add(
            new PairContraction(
                sinkAttached,
                firstSpins,
                rows,
                Math.min(sumsAtOnce, branch.sums().size()),
                branch.antisymmetric(),
                rotation,
                workspace,
                n,
                test.precision()));
      }
    }
  }

  private List<Integer> firstSpins() {
    TreeSet<Integer> spins = new TreeSet<>();
    for (HostBranch branch : branches) {
      for (LinePairSum sum : branch.sums()) {
        IntStream.range(0, sum.size()).forEach(e -> spins.add(sum.first(e)));
      }
    }
    return List.copyOf(spins);
  }

  /** Starts of parts of {@code size}, in random order. */
  private List<Integer> starts(int count, int size) {
    List<Integer> starts = new ArrayList<>();
    for (int start = 0; start < count; start += size) {
      starts.add(start);
    }
    Collections.shuffle(starts, random);
    return starts;
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

  /** Runs it and compares the last row of the attached baryon and another. */
  void check(int rows, int sumsAtOnce, boolean moved) {
    compare(run(rows, sumsAtOnce, moved));
  }

  /** Runs it in one call and compares. */
  void checkWhole(int rows) {
    compare(runWhole(rows));
  }

  private void compare(List<DeviceMemory> memory) {
    List<HostTensor> blocks = new ArrayList<>();
    for (HostBranch branch : branches) {
      TensorShape shape = PairContraction.blockShape(n, branch.sums().size());
      for (int k = 0; k < branch.others().size(); k++) {
        blocks.add(test.download(memory.get(blocks.size()), shape));
      }
    }
    double[][] firstLine = PairReference.rotated(rotation, first);
    for (int row : new TreeSet<>(List.of(random.nextInt(n), n - 1))) {
      compare(new PairReference(sinkAttached, n, attached, row, firstLine), row, blocks);
    }
  }

  private void compare(PairReference reference, int row, List<HostTensor> blocks) {
    int place = 0;
    for (HostBranch branch : branches) {
      double[][] secondLine = PairReference.rotated(rotation, branch.second());
      for (int s = 0; s < branch.sums().size(); s++) {
        LinePairSum sum = branch.sums().get(s);
        double[] x = reference.attached(sum, secondLine);
        for (int k = 0; k < branch.others().size(); k++) {
          compare(
              reference.closed(x, branch.others().get(k)),
              blocks.get(place + k),
              s,
              row,
              // Every number of a rotated line is a sum of 16.
              test.tolerance((double) sum.size() * SPINS * SPINS * Math.pow(n, 4)),
              "block " + (place + k));
        }
      }
      place += branch.others().size();
    }
  }

  private void compare(
      double[] expected, HostTensor block, int component, int row, double bound, String name) {
    for (int open = 0; open < n; open++) {
      int j = sinkAttached ? open : row;
      int i = sinkAttached ? row : open;
      Supplier<String> where = () -> name + " component " + component + " [" + j + "][" + i + "]";
      Scalar number = new Scalar(expected[2 * open], expected[2 * open + 1]);
      test.expectClose(number, block.get(component, j * n + i), bound, where);
    }
  }
}
