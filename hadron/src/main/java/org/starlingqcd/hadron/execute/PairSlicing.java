package org.starlingqcd.hadron.execute;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/**
 * How pair blocks are cut so that their parts fit into a budget.
 *
 * @param rows values of the open index in a slice
 * @param sums sums over spins that are attached at once
 * @param together whether all elementals at the other end of a branch are on the device at once,
 *     and the attached one as a whole
 */
record PairSlicing(int rows, int sums, boolean together) {
  /*
   * In double precision scratch memory takes 24 N² bytes for each row and each component of the first line, and 16 N² or 24 N² for each row and sum. A pass, that
   * is a slice of a group of sums, reads every elemental at the other end once, so the work beside the matrix products is that of passes ·
   * elementals; Elementals and blocks that do not fit beside the scratch memory are also moved in every pass. Flops do not change.
   * More rows make fewer passes but leave less room. Only the rows of one slice of the attached elemental are on the device, and each is loaded once.
   */

  /**
   * Number of columns (rows times attached sums) from which products are efficient: {@code 24 · 768
   * · N²} bytes of scratch memory, or a little more.
   */
  private static final int ENOUGH_COLUMNS = 768;

  /** Rows that are attached in one product. */
  private static final int ROW_UNIT = 4;

  /** Fewest sums attached at once where memory is short. */
  private static final int LEAST_SUMS = 16;

  /**
   * The cost of moving a byte, in units of the cost of closing with it once more: the best of a few
   * values tried with nucleon and pion at N = 128 on a CPU.
   */
  private static final double MOVING = 1.5;

  /** Bytes of the elements of a step. */
  private static final class Sizes {
    private final int n;
    private final Precision precision;
    private final int firstSpins;
    private final List<BaryonPart.Branch> branches;
    private final long elemental;
    private final long line;
    private final int distinctOthers;
    private final int distinctLines;
    private final boolean othersHaveAttached;
    private final int mostSums;
    private final long largestBlock;
    private final long allBlocks;
    private final long closings;

    Sizes(ExecutionQueue.BoundPairs step, int n, Precision precision) {
      this.n = n;
      this.precision = precision;
      branches = step.branches();
      firstSpins = BaryonPart.firstSpins(branches).size();
      elemental = new TensorShape(1, 3, n, precision).bytes();
      line = TensorShape.mesonNode(n).in(precision).bytes();
      Set<Integer> others = new HashSet<>();
      Set<Integer> lines = new HashSet<>(Set.of(step.first()));
      int sums = 0;
      long blocks = 0;
      long count = 0;
      for (BaryonPart.Branch branch : branches) {
        others.addAll(branch.others());
        lines.add(branch.second());
        sums = Math.max(sums, branch.spins().size());
        blocks += PairContraction.blockShape(n, 1).in(precision).bytes() * branch.components();
        count += branch.others().size();
      }
      distinctOthers = others.size();
      distinctLines = lines.size();
      othersHaveAttached = others.contains(step.attached());
      mostSums = sums;
      largestBlock = PairContraction.blockShape(n, mostSums).in(precision).bytes();
      allBlocks = blocks;
      closings = count;
    }

    long workspace(int rows, int sums) {
      long most = 0;
      for (BaryonPart.Branch branch : branches) {
        most =
            Math.max(
                most,
                PairContraction.workspaceBytes(
                    n,
                    firstSpins,
                    rows,
                    Math.min(sums, branch.spins().size()),
                    branch.antisymmetric(),
                    precision));
      }
      return PairContraction.workspaceShape(n, most, precision).bytes();
    }

    /** Bytes of the largest part beside the scratch memory, one elemental after the other. */
    long largestPart(int rows) {
      return Math.max(Math.max(line, slice(rows)), elemental + largestBlock);
    }

    private long slice(int rows) {
      return PairContraction.sliceShape(n, rows).in(precision).bytes();
    }

    /** Bytes of everything beside the scratch memory. */
    long everything() {
      return elemental * (distinctOthers + (othersHaveAttached ? 0 : 1))
          + line * distinctLines
          + allBlocks;
    }

    /** Bytes that come or go in every pass. */
    double moved(int rows, int sums, long budgetBytes) {
      long left = budgetBytes - workspace(rows, sums) - slice(rows);
      long fit = Math.min(distinctOthers, Math.max(0, (left - largestBlock) / elemental));
      // They are used forwards and backwards in turn, so the ones at the turning point stay.
      long come = 0;
      for (BaryonPart.Branch branch : branches) {
        come += Math.max(0, branch.others().size() - fit);
      }
      // Blocks are written as well as read.
      long blocks = 2 * Math.max(0, allBlocks - (left - fit * elemental));
      return (double) come * elemental + blocks;
    }

    /** Relative cost of everything but the matrix products. */
    double cost(int rows, int sums, long budgetBytes) {
      double passes = (double) slices(n, rows) * slices(mostSums, sums);
      return passes * (closings * elemental + MOVING * moved(rows, sums, budgetBytes));
    }
  }

  private static int slices(int whole, int part) {
    return (whole + part - 1) / part;
  }

  /** Slices of an open index of {@code n} values. */
  int slices(int n) {
    return slices(n, rows);
  }

  /** Groups of the sums of a step. */
  int groups(ExecutionQueue.BoundPairs step) {
    return step.branches().stream()
        .mapToInt(branch -> slices(branch.spins().size(), sums))
        .max()
        .orElse(1);
  }

  /** The shape of the scratch memory. */
  TensorShape workspace(ExecutionQueue.BoundPairs step, int n, Precision precision) {
    return PairContraction.workspaceShape(
        n, new Sizes(step, n, precision).workspace(rows, sums), precision);
  }

  /**
   * The cheapest slicing within a budget; if none fits, the one that needs the least memory. O(N ·
   * sums).
   *
   * @param n number of eigenvectors N
   * @param flopsOfLaunch flops that a device wants in a pass, as of {@code Device}; 0 for a device
   *     whose products are efficient without
   */
  static PairSlicing of(
      ExecutionQueue.BoundPairs step,
      int n,
      Precision precision,
      long budgetBytes,
      double flopsOfLaunch) {
    Sizes sizes = new Sizes(step, n, precision);
    int enough = enoughRows(n, sizes.firstSpins + sizes.mostSums);
    int large = Math.max(enough, rowsOf(flopsOfLaunch, n, sizes.mostSums));
    if (sizes.workspace(large, sizes.mostSums) + sizes.everything() <= budgetBytes / 2) {
      enough = large;
    }
    if (sizes.workspace(enough, sizes.mostSums) + sizes.everything() <= budgetBytes) {
      return new PairSlicing(enough, sizes.mostSums, true);
    }
    int rows = 1;
    int sums = slices(sizes.mostSums, slices(sizes.mostSums, LEAST_SUMS));
    double least = Double.POSITIVE_INFINITY;
    for (int groups = 1; groups == 1 || sizes.mostSums > (groups - 1) * LEAST_SUMS; groups++) {
      int ofGroup = slices(sizes.mostSums, groups);
      for (int r = 1; r <= n; r++) {
        if (sizes.workspace(r, ofGroup) + sizes.largestPart(r) <= budgetBytes) {
          double cost = sizes.cost(r, ofGroup, budgetBytes);
          // More rows than efficient products need are worth their room only if less is moved.
          if (cost < least && (r <= enough || sizes.moved(enough, ofGroup, budgetBytes) > 0)) {
            least = cost;
            rows = r;
            sums = ofGroup;
          }
        }
      }
    }
    return new PairSlicing(rows, sums, false);
  }

  /** Rows with which closing with one elemental takes so many flops, at most all. */
  private static int rowsOf(double flops, int n, int sums) {
    double row = 8.0 * n * n * n * Math.max(1, sums);
    return (int) Math.min(n, ROW_UNIT * Math.ceil(flops / row / ROW_UNIT));
  }

  /** Rows for large products, in slices of about the same size. */
  private static int enoughRows(int n, int attached) {
    int slices = slices(n, Math.max(1, ENOUGH_COLUMNS / attached));
    int rows = slices(n, slices);
    return Math.min(n, ROW_UNIT * slices(rows, ROW_UNIT));
  }
}
