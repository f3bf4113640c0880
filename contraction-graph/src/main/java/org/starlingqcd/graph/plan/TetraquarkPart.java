package org.starlingqcd.graph.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
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

  /** K at the sink or K† at the source. */
  public record Tetraquark(PairColour colour, Momentum momentum, TimeSlot time) {}

  /**
   * Masks of the gammas after C of the diquark whose adjoint D̄ is, and of D, and a coefficient.
   */
  public record VertexSpin(int antidiquark, int diquark, Complex coefficient) {}

  /** How an intermediate is made of other elements. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(Pairs.class),
    @JsonSubTypes.Type(PairsTimes.class),
    @JsonSubTypes.Type(Closed.class),
    @JsonSubTypes.Type(Opened.class)
  })
  public sealed interface Step {
    /** An intermediate. */
    int destination();

    /** The elements that are read, tetraquarks apart. */
    List<Integer> inputs();

    /** The same with other numbers of elements. */
    Step renumbered(IntUnaryOperator number);
  }

  /**
   * Two lines as one matrix from pairs to pairs, with the spin matrices at their ends.
   *
   * @param first line of the first quark, to the first antiquark
   * @param second line of the second quark
   * @param diquark mask of the gammas of D
   * @param antidiquark mask of the gammas of the diquark whose adjoint D̄ is
   * @param rows colour of the quarks' tetraquark
   * @param columns colour of the antiquarks' tetraquark
   */
  public record Pairs(
      int destination,
      int first,
      int second,
      int diquark,
      int antidiquark,
      PairColour rows,
      PairColour columns)
      implements Step {
    @Override
    public List<Integer> inputs() {
      return List.of(first, second);
    }

    @Override
    public Pairs renumbered(IntUnaryOperator number) {
      return new Pairs(
          number.applyAsInt(destination),
          number.applyAsInt(first),
          number.applyAsInt(second),
          diquark,
          antidiquark,
          rows,
          columns);
    }
  }

  /**
   * A tetraquark times {@link Pairs}.
   *
   * @param columns colour of their columns
   */
  public record PairsTimes(int destination, Tetraquark left, int right, PairColour columns)
      implements Step {
    @Override
    public List<Integer> inputs() {
      return List.of(right);
    }

    @Override
    public PairsTimes renumbered(IntUnaryOperator number) {
      return new PairsTimes(
          number.applyAsInt(destination), left, number.applyAsInt(right), columns);
    }
  }

  /** A line from a tetraquark's second quark to its second antiquark: 16 blocks. */
  public record Closed(int destination, Tetraquark tetraquark, int line) implements Step {
    @Override
    public List<Integer> inputs() {
      return List.of(line);
    }

    @Override
    public Closed renumbered(IntUnaryOperator number) {
      return new Closed(number.applyAsInt(destination), tetraquark, number.applyAsInt(line));
    }
  }

  /** A closed tetraquark as a node Γ ⊗ Φ: a sum over spin structures. */
  public record Opened(int destination, int block, List<VertexSpin> terms) implements Step {
    /** Copies the list. */
    public Opened {
      terms = List.copyOf(terms);
    }

    @Override
    public List<Integer> inputs() {
      return List.of(block);
    }

    @Override
    public Opened renumbered(IntUnaryOperator number) {
      return new Opened(number.applyAsInt(destination), number.applyAsInt(block), terms);
    }
  }
}
