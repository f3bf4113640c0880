package org.starlingqcd.hadron.execute;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairContraction.BothAttached;
import org.starlingqcd.backend.PairContraction.Closed;
import org.starlingqcd.backend.PairContraction.FirstAttached;
import org.starlingqcd.backend.PairContraction.FirstLine;
import org.starlingqcd.backend.PairContraction.SecondLine;
import org.starlingqcd.backend.PairContraction.Slice;
import org.starlingqcd.backend.PairContraction.Stage;
import org.starlingqcd.backend.Precision;

/**
 * The parts in which pair blocks are made. Each part pins its own elements and the scratch memory.
 * The attached lines stay in the scratch memory from one part to the next. Elements are those of
 * MemHC.
 *
 * <p>For every slice of the open index the first line is attached to these values of it, which are
 * an element of their own unless everything is there at once; then, for every branch, its second
 * line, for some sums at a time; then follow the elementals at the other end, each with a block of
 * its own, all together or one after the other. With several slices or groups of sums these
 * elementals and blocks are used once for each of them.
 *
 * @param sinkAttached whether the lines are attached to a sink
 * @param attached elemental that both lines are attached to, or its values for each slice
 * @param first line between the second legs
 * @param firstSpins components of it that occur, ascending
 * @param branches second lines, and what they end at
 * @param workspace scratch memory, which dies with the last part
 * @param extent number of eigenvectors N
 * @param slicing how the blocks are cut
 */
record PairParts(
    boolean sinkAttached,
    List<Integer> attached,
    int first,
    List<Integer> firstSpins,
    List<Branch> branches,
    int workspace,
    int extent,
    PairSlicing slicing) {

  /**
   * The largest number of eigenvectors for which all stages are handed over as one part, because
   * they are too short one by one. Longer stages overlap with the reading of elementals at the
   * other end.
   */
  private static final int MOST_WHOLE = 64;

  /** A second line with the sums wanted, and a block for each elemental at the other end. */
  record Branch(
      int second,
      List<LinePairSum> sums,
      List<Integer> others,
      List<Integer> blocks,
      boolean antisymmetric) {
    /** Copies the lists. */
    Branch {
      sums = List.copyOf(sums);
      others = List.copyOf(others);
      blocks = List.copyOf(blocks);
    }
  }

  /** The work of a part on a device, given the memory of its elements. */
  @FunctionalInterface
  interface Work {
    /** The stage. */
    Stage stage(IntFunction<DeviceMemory> memory);
  }

  /** Receives the parts in their order. */
  @FunctionalInterface
  interface Visitor {
    /**
     * A part.
     *
     * @param outputs elements that keep what earlier parts wrote into them; the scratch memory is
     *     the last
     */
    void part(Branch branch, int[] inputs, int[] outputs, Work work);
  }

  /** Copies the lists. */
  PairParts {
    attached = List.copyOf(attached);
    firstSpins = List.copyOf(firstSpins);
    branches = List.copyOf(branches);
  }

  /** Passes all parts to a visitor. */
  void forEach(Visitor visitor) {
    Branch any = branches.get(0);
    if (slicing.together() && extent <= MOST_WHOLE) {
      whole(any, visitor);
      return;
    }
    int[] scratch = {workspace};
    visitor.part(any, new int[] {first}, scratch, memory -> new FirstLine(memory.apply(first)));
    int groups = 0;
    for (int start = 0; start < extent; start += slicing.rows()) {
      Slice slice = new Slice(start, Math.min(slicing.rows(), extent - start));
      boolean whole = attached.size() == 1;
      int elemental = attached.get(whole ? 0 : start / slicing.rows());
      Slice held = whole ? new Slice(0, extent) : slice;
      visitor.part(
          any,
          new int[] {elemental},
          scratch,
          memory -> new FirstAttached(memory.apply(elemental), held, slice));
      for (Branch branch : branches) {
        if (start == 0 || branches.size() > 1) {
          visitor.part(
              branch,
              new int[] {branch.second()},
              scratch,
              memory -> new SecondLine(memory.apply(branch.second())));
        }
        groups = forEachOf(branch, slice, groups, visitor);
      }
    }
  }

  /** Everything as one part. */
  private void whole(Branch any, Visitor visitor) {
    int elemental = attached.get(0);
    IntStream lines =
        IntStream.concat(IntStream.of(first), branches.stream().mapToInt(Branch::second));
    IntStream others = branches.stream().map(Branch::others).flatMapToInt(PairParts::stream);
    IntStream inputs = IntStream.concat(IntStream.of(elemental), IntStream.concat(lines, others));
    IntStream blocks = branches.stream().map(Branch::blocks).flatMapToInt(PairParts::stream);
    visitor.part(
        any,
        inputs.distinct().toArray(),
        IntStream.concat(blocks, IntStream.of(workspace)).toArray(),
        memory ->
            new PairContraction.Whole(
                memory.apply(first),
                memory.apply(elemental),
                branches.stream()
                    .map(
                        branch ->
                            new PairContraction.Branch(
                                memory.apply(branch.second()),
                                branch.sums(),
                                branch.antisymmetric(),
                                branch.others().stream().map(memory::apply).toList(),
                                branch.blocks().stream().map(memory::apply).toList()))
                    .toList()));
  }

  private static IntStream stream(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue);
  }

  /** Makes the parts of a slice and a branch; returns the number of groups of sums so far. */
  private int forEachOf(Branch branch, Slice slice, int groupsBefore, Visitor visitor) {
    int components = branch.sums().size();
    int count = branch.others().size();
    int group = groupsBefore;
    for (int begin = 0; begin < components; begin += slicing.sums()) {
      int from = begin;
      int to = Math.min(components, from + slicing.sums());
      visitor.part(
          branch,
          new int[0],
          new int[] {workspace},
          memory -> new BothAttached(branch.sums().subList(from, to), slice));
      if (slicing.together()) {
        close(branch, 0, count, from, to, slice, visitor);
      }
      for (int k = 0; k < count && !slicing.together(); k++) {
        // The direction alternates, so that the last elemental of a group is the first of the next.
        int other = group % 2 == 0 ? k : count - 1 - k;
        close(branch, other, other + 1, from, to, slice, visitor);
      }
      group++;
    }
    return group;
  }

  private void close(
      Branch branch,
      int firstOther,
      int lastOther,
      int from,
      int to,
      Slice slice,
      Visitor visitor) {
    List<Integer> others = branch.others().subList(firstOther, lastOther);
    List<Integer> blocks = branch.blocks().subList(firstOther, lastOther);
    int components = branch.sums().size();
    int[] outputs = IntStream.concat(stream(blocks), IntStream.of(workspace)).toArray();
    visitor.part(
        branch,
        stream(others).toArray(),
        outputs,
        memory ->
            new Closed(
                others.stream().map(memory::apply).toList(),
                blocks.stream().map(memory::apply).toList(),
                components,
                from,
                to - from,
                slice));
  }

  /** The contraction that the parts with a branch belong to. */
  PairContraction contraction(Branch branch, DeviceMemory scratch, Precision precision) {
    return new PairContraction(
        sinkAttached,
        firstSpins,
        slicing.rows(),
        Math.min(slicing.sums(), branch.sums().size()),
        branch.antisymmetric(),
        BaryonSpin.ROTATION,
        scratch,
        extent,
        precision);
  }
}
