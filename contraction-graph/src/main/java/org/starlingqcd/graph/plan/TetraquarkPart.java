package org.starlingqcd.graph.plan;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.TimeSlot;

/**
 * The part of a {@link ContractionPlan} that only tetraquarks need, beside products and traces.
 *
 * <p>Where all four lines pass from one tetraquark to another, the two of the quarks are one matrix
 * X from pair to pair of vectors, those of the antiquarks another one, Y, and the value is {@code
 * Tr[K X K'† Y]}: K X for each K and X, K'† Y for each K' and Y, then traces. Where a line of a
 * tetraquark comes back to it, perhaps through mesons, the tetraquark is <em>closed</em> with it,
 * and is then a node like that of a meson.
 *
 * @param steps how the intermediates are made that are no sums of products
 */
public record TetraquarkPart(List<Step> steps) {
  /** No tetraquarks. */
  public static final TetraquarkPart EMPTY = new TetraquarkPart(List.of());

  /** Copies the list. */
  public TetraquarkPart {
    steps = List.copyOf(steps);
  }

  /**
   * K at the sink or K† at the source.
   *
   * @param profiles by index, as {@link Profiles} has them; or none
   */
  public record Tetraquark(
      PairColour colour, Momentum momentum, TimeSlot time, List<String> profiles) {}

  /**
   * Masks of the gammas after C of the diquark whose adjoint D̄ is, and of D, and a coefficient.
   */
  public record VertexSpin(int antidiquark, int diquark, Complex coefficient) {}

  /** How an intermediate is made. */
  public enum Kind {
    /**
     * Of two lines a matrix from pairs to pairs, with one term of spins at its ends, D at the
     * quarks and D̄ at the antiquarks. Inputs: the line of the first quark, to the first antiquark,
     * and that of the second.
     */
    PAIRS,
    /** A tetraquark times {@link #PAIRS}. */
    PRODUCT,
    /** A line from a tetraquark's second quark to its second antiquark: 16 blocks. */
    CLOSED,
    /** A closed tetraquark as a node Γ ⊗ Φ: a sum over spin structures. */
    OPENED
  }

  /**
   * How an intermediate is made.
   *
   * @param destination the intermediate
   * @param tetraquark one or none; of {@link Kind#PAIRS} that of the quarks, without its momentum
   *     and with the profiles of both ends
   * @param inputs elements
   * @param rows colour of the rows, or of the tetraquark
   * @param columns colour of the columns; that of the rows where there are none
   * @param spins terms of a sum over spin structures
   */
  public record Step(
      Kind kind,
      int destination,
      List<Tetraquark> tetraquark,
      List<Integer> inputs,
      PairColour rows,
      PairColour columns,
      List<VertexSpin> spins)
      implements ContractionPlan.Made {
    /** Copies the lists. */
    public Step {
      tetraquark = List.copyOf(tetraquark);
      inputs = List.copyOf(inputs);
      spins = List.copyOf(spins);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      inputs.forEach(action::accept);
    }

    @Override
    public Step renumbered(IntUnaryOperator number) {
      return new Step(
          kind,
          number.applyAsInt(destination),
          tetraquark,
          inputs.stream().map(number::applyAsInt).toList(),
          rows,
          columns,
          spins);
    }
  }
}
