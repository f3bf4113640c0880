package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

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

  /** A branch with its operands, and a block for each baryon at the other end. */
  private record Operands(
      PairContraction contraction,
      Element second,
      List<LinePairSum> sums,
      List<Element> others,
      List<DeviceMemory> blocks) {}

  private final DeviceUnderTest test;
  private final int n;
  private final SplittableRandom random;
  private final int sumsAtOnce;
  private final Element attached;
  private final Element first;
  private final TensorShape scratch;
  private final PairContraction contraction;
  private final List<Operands> branches = new ArrayList<>();

  /**
   * A contraction, with scratch memory that is just large enough for the largest branch.
   *
   * @param rows most rows of a slice
   * @param sumsAtOnce most sums attached at once
   */
  PairCase(
      DeviceUnderTest test,
      int n,
      boolean sinkAttached,
      int rows,
      int sumsAtOnce,
      Branch... branches) {
    this.test = test;
    this.n = n;
    this.sumsAtOnce = sumsAtOnce;
    random = test.random();
    attached = test.random(baryon());
    first = test.random(test.mesonNode(n));
    double[] numbers = new double[SPINS * SPINS];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = random.nextInt(4) == 0 ? random.nextDouble() - 0.5 : 0;
    }
    List<List<LinePairSum>> sums = Arrays.stream(branches).map(this::sums).toList();
    TreeSet<Integer> spins = new TreeSet<>();
    sums.forEach(
        ofBranch ->
            ofBranch.forEach(
                sum -> IntStream.range(0, sum.size()).forEach(e -> spins.add(sum.first(e)))));
    long bytes = 0;
    for (Branch branch : branches) {
      int together = Math.min(sumsAtOnce, branch.sums());
      long needed =
          PairContraction.workspaceBytes(
              n, spins.size(), rows, together, branch.antisymmetric(), test.precision());
      bytes = Math.max(bytes, needed);
    }
    scratch = PairContraction.workspaceShape(n, bytes, test.precision());
    contraction =
        new PairContraction(
            sinkAttached,
            List.copyOf(spins),
            rows,
            Math.min(sumsAtOnce, branches[0].sums()),
            branches[0].antisymmetric(),
            new PairContraction.Rotation(numbers),
            test.allocate(scratch),
            n,
            test.precision());
    for (int b = 0; b < branches.length; b++) {
      this.branches.add(operands(branches[b], sums.get(b)));
    }
  }

  private TensorShape baryon() {
    return new TensorShape(1, 3, n);
  }

  private List<LinePairSum> sums(Branch branch) {
    List<LinePairSum> sums = new ArrayList<>();
    for (int s = 0; s < branch.sums(); s++) {
      sums.add(branch.longSums() && s % 4 != 0 ? longSum(s % 4) : shortSum());
    }
    return sums;
  }

  private Operands operands(Branch branch, List<LinePairSum> sums) {
    List<Element> others = new ArrayList<>();
    List<DeviceMemory> blocks = new ArrayList<>();
    for (int k = 0; k < branch.others(); k++) {
      HostTensor elemental = test.randomTensor(baryon());
      if (branch.antisymmetric()) {
        antisymmetrize(elemental.numbers());
      }
      others.add(new Element(elemental, test.upload(elemental)));
      blocks.add(test.allocate(PairContraction.blockShape(n, sums.size())));
    }
    return new Operands(
        contraction.with(Math.min(sumsAtOnce, sums.size()), branch.antisymmetric()),
        test.random(test.mesonNode(n)),
        sums,
        others,
        blocks);
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
   * Computes the blocks on the device. Slices, and groups of sums within them, come in random
   * order.
   *
   * @param moved whether the intermediate results go to the host and back after every stage
   * @return the first block
   */
  DeviceMemory run(boolean moved) {
    stage(contraction, new PairContraction.FirstLine(first.memory()), moved);
    int rows = contraction.rows();
    for (int start : starts(n, rows)) {
      PairContraction.Slice slice = new PairContraction.Slice(start, Math.min(rows, n - start));
      // Every other slice gets the whole elemental; the rest get only their own rows.
      boolean all = start / rows % 2 == 0;
      PairContraction.Slice held = all ? new PairContraction.Slice(0, n) : slice;
      DeviceMemory given = all ? attached.memory() : test.upload(rowsOf(slice));
      stage(contraction, new PairContraction.FirstAttached(given, held, slice), moved);
      for (Operands o : branches) {
        int count = o.sums().size();
        stage(o.contraction(), new PairContraction.SecondLine(o.second().memory()), moved);
        for (int from : starts(count, sumsAtOnce)) {
          int to = Math.min(count, from + sumsAtOnce);
          stage(
              o.contraction(),
              new PairContraction.BothAttached(o.sums().subList(from, to), slice),
              moved);
          stage(
              o.contraction(),
              new PairContraction.Closed(
                  Element.memory(o.others()), o.blocks(), count, from, to - from, slice),
              moved);
        }
      }
    }
    return branches.get(0).blocks().get(0);
  }

  /** The same in one call, with everything on the device. */
  private void runWhole() {
    List<PairContraction.Branch> whole = new ArrayList<>();
    for (Operands o : branches) {
      whole.add(
          new PairContraction.Branch(
              o.second().memory(),
              o.sums(),
              o.contraction().antisymmetric(),
              Element.memory(o.others()),
              o.blocks()));
    }
    stage(
        contraction,
        new PairContraction.Whole(first.memory(), attached.memory(), whole),
        /* moved= */ false);
    // The memory of a line may be reused for a tensor of another layout as soon as the call
    // returns.
    HostTensor other = test.randomTensor(PairContraction.blockShape(n, SPINS));
    branches.forEach(o -> test.uploadTo(o.second().memory(), other));
  }

  /** Starts of parts of {@code size}, in random order. */
  private List<Integer> starts(int count, int size) {
    List<Integer> starts = new ArrayList<>();
    for (int start = 0; start < count; start += size) {
      starts.add(start);
    }
    Collections.shuffle(starts, new Random(random.nextLong()));
    return starts;
  }

  private HostTensor rowsOf(PairContraction.Slice slice) {
    int matrix = 2 * n * n;
    HostTensor rows = test.randomTensor(PairContraction.sliceShape(n, slice.rows()));
    System.arraycopy(
        attached.host().numbers(),
        slice.start() * matrix,
        rows.numbers(),
        0,
        slice.rows() * matrix);
    return rows;
  }

  private void stage(PairContraction of, PairContraction.Stage stage, boolean moved) {
    test.device().contractPairs(of, stage, test.stream());
    if (moved) {
      move(of.workspace(), scratch);
      for (Operands o : branches) {
        o.blocks().forEach(block -> move(block, PairContraction.blockShape(n, o.sums().size())));
      }
    }
  }

  private void move(DeviceMemory memory, TensorShape shape) {
    HostTensor numbers = test.download(memory, shape);
    test.uploadTo(memory, test.randomTensor(shape));
    test.uploadTo(memory, numbers);
  }

  /** Runs it and compares the last row of the attached baryon and another. */
  void check(boolean moved) {
    run(moved);
    compare();
  }

  /** Runs it in one call and compares. */
  void checkWhole() {
    runWhole();
    compare();
  }

  private void compare() {
    double[][] firstLine = PairReference.rotated(contraction.rotation(), first.host());
    for (int row : new TreeSet<>(List.of(random.nextInt(n), n - 1))) {
      PairReference reference =
          new PairReference(contraction.sinkAttached(), n, attached.host(), row, firstLine);
      branches.forEach(o -> compare(reference, row, o));
    }
  }

  private void compare(PairReference reference, int row, Operands o) {
    double[][] secondLine = PairReference.rotated(contraction.rotation(), o.second().host());
    TensorShape shape = PairContraction.blockShape(n, o.sums().size());
    List<HostTensor> blocks = o.blocks().stream().map(b -> test.download(b, shape)).toList();
    for (int s = 0; s < o.sums().size(); s++) {
      LinePairSum sum = o.sums().get(s);
      double[] x = reference.attached(sum, secondLine);
      // Every number of a rotated line is a sum of 16.
      double bound = test.tolerance((double) sum.size() * SPINS * SPINS * Math.pow(n, 4));
      for (int k = 0; k < blocks.size(); k++) {
        double[] expected = reference.closed(x, o.others().get(k).host());
        String name = "branch " + branches.indexOf(o) + " block " + k + " component " + s;
        for (int open = 0; open < n; open++) {
          int j = contraction.sinkAttached() ? open : row;
          int i = contraction.sinkAttached() ? row : open;
          Scalar number = new Scalar(expected[2 * open], expected[2 * open + 1]);
          Supplier<String> where = () -> name + " [" + j + "][" + i + "]";
          test.expectClose(number, blocks.get(k).get(s, j * n + i), bound, where);
        }
      }
    }
  }
}
