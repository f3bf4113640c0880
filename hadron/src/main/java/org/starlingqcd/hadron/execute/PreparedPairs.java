package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/**
 * The elements of MemHC that stand for pair blocks: one for every elemental at the other end of
 * every branch, and what they are made with.
 *
 * @param step the step that makes the blocks
 * @param slicing how the step is cut
 * @param slices elements with the values of the attached elemental that each slice needs; empty if
 *     the whole elemental is on the device
 * @param blocks elements, by branch and elemental
 * @param workspace scratch memory
 */
record PreparedPairs(
    ExecutionQueue.BoundPairs step,
    PairSlicing slicing,
    List<Integer> slices,
    List<List<Integer>> blocks,
    int workspace) {

  /** The position of the block of some sums. */
  record Block(int element, int components) {}

  /** Cuts a step and gives its blocks their elements. */
  static PreparedPairs of(
      ExecutionQueue.BoundPairs step,
      int n,
      Precision precision,
      long budgetBytes,
      double flopsOfLaunch,
      ElementSlots slots) {
    PairSlicing slicing = PairSlicing.of(step, n, precision, budgetBytes, flopsOfLaunch);
    List<Integer> slices = new ArrayList<>();
    if (!slicing.together()) {
      for (int start = 0; start < n; start += slicing.rows()) {
        int rows = Math.min(slicing.rows(), n - start);
        slices.add(slots.next(PairContraction.sliceShape(n, rows).in(precision), true));
      }
    }
    List<List<Integer>> blocks = new ArrayList<>();
    for (BaryonPart.Branch branch : step.branches()) {
      TensorShape shape = PairContraction.blockShape(n, branch.spins().size()).in(precision);
      List<Integer> ofBranch = new ArrayList<>();
      for (int other = 0; other < branch.others().size(); other++) {
        ofBranch.add(slots.next(shape, false));
      }
      blocks.add(List.copyOf(ofBranch));
    }
    int workspace = slots.next(slicing.workspace(step, n, precision), false);
    return new PreparedPairs(step, slicing, List.copyOf(slices), List.copyOf(blocks), workspace);
  }

  /** The block that begins at a component of the step's destination. */
  Block block(int firstComponent) {
    int begin = 0;
    for (int b = 0; b < blocks.size(); b++) {
      int components = step.branches().get(b).spins().size();
      int count = blocks.get(b).size();
      if (firstComponent < begin + components * count
          && (firstComponent - begin) % components == 0) {
        return new Block(blocks.get(b).get((firstComponent - begin) / components), components);
      }
      begin += components * count;
    }
    throw new AssertionError("no block begins at component " + firstComponent + " of " + begin);
  }

  /**
   * The parts in which the blocks are made.
   *
   * @param element element of MemHC for an element of the queue
   */
  PairParts parts(IntUnaryOperator element, int n) {
    List<PairParts.Branch> branches = new ArrayList<>();
    for (int b = 0; b < blocks.size(); b++) {
      BaryonPart.Branch branch = step.branches().get(b);
      branches.add(
          new PairParts.Branch(
              element.applyAsInt(branch.second()),
              branch.spins().stream().map(BaryonSpin::sum).toList(),
              branch.others().stream().map(element::applyAsInt).toList(),
              blocks.get(b),
              branch.antisymmetric()));
    }
    return new PairParts(
        step.sinkAttached(),
        slices.isEmpty() ? List.of(element.applyAsInt(step.attached())) : slices,
        element.applyAsInt(step.first()),
        BaryonPart.firstSpins(step.branches()),
        branches,
        workspace,
        n,
        slicing);
  }
}
