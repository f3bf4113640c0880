package org.starlingqcd.hadron;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.BaryonPart;
import org.starlingqcd.graph.ExecutionQueue;

/**
 * The elements of MemHC that stand for pair blocks: one for every elemental at the other end of
 * every branch, and the scratch memory that they are made with.
 *
 * @param step what makes the blocks
 * @param slicing how that is cut
 * @param blocks elements, by branch and elemental
 * @param workspace scratch memory
 */
record PairPlaces(
    ExecutionQueue.PairBlocks step,
    PairSlicing slicing,
    List<List<Integer>> blocks,
    int workspace) {

  /** Where the block of some sums is. */
  record Block(int element, int components) {}

  /**
   * Cuts a step and gives its blocks their elements.
   *
   * @param place takes the next element of a shape
   */
  static PairPlaces of(
      ExecutionQueue.PairBlocks step, int n, long budgetBytes, ToIntFunction<TensorShape> place) {
    PairSlicing slicing = PairSlicing.of(step, n, budgetBytes);
    List<List<Integer>> blocks = new ArrayList<>();
    for (BaryonPart.PairBranch branch : step.branches()) {
      TensorShape shape = PairContraction.blockShape(n, branch.spins().size());
      List<Integer> ofBranch = new ArrayList<>();
      for (int other = 0; other < branch.others().size(); other++) {
        ofBranch.add(place.applyAsInt(shape));
      }
      blocks.add(List.copyOf(ofBranch));
    }
    return new PairPlaces(
        step, slicing, List.copyOf(blocks), place.applyAsInt(slicing.workspace(step, n)));
  }

  /** The block that begins at a component of the step's destination. */
  Block block(int firstComponent) {
    int begin = 0;
    for (int b = 0; b < blocks.size(); b++) {
      int components = step.branches().get(b).spins().size();
      for (int block : blocks.get(b)) {
        if (begin == firstComponent) {
          return new Block(block, components);
        }
        begin += components;
      }
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
      BaryonPart.PairBranch branch = step.branches().get(b);
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
        element.applyAsInt(step.attached()),
        element.applyAsInt(step.first()),
        branches,
        workspace,
        n,
        slicing);
  }
}
