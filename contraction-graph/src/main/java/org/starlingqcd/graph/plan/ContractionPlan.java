package org.starlingqcd.graph.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;

/**
 * Products and traces that evaluate a {@link DiagramSet}, shared between all its diagrams, with
 * times still symbolic. Elements are numbered: first the nodes, then the intermediates in an order
 * in which every input precedes its use.
 *
 * @param matrices the correlation matrices computed
 * @param nodes the initial nodes; element k is {@code nodes.get(k)}
 * @param products batched matrix products, in a valid order; those of one destination are adjacent
 * @param intermediates number of intermediates; their elements are {@code nodes.size() …
 *     nodes.size() + intermediates - 1}
 * @param traces final contractions of two elements, or of one
 * @param outputs the results in terms of traces
 * @param counts counts for reports
 * @param baryonPart pair blocks and spin sums
 * @param tetraquarkPart products of pairs and closed tetraquarks
 */
public record ContractionPlan(
    List<CorrelationMatrix> matrices,
    List<NodeRef> nodes,
    List<Product> products,
    int intermediates,
    List<Trace> traces,
    List<Output> outputs,
    Counts counts,
    BaryonPart baryonPart,
    TetraquarkPart tetraquarkPart) {

  /** No element. */
  public static final int NONE = -1;

  /** How an intermediate is made that is no sum of products. */
  public sealed interface Made
      permits BaryonPart.PlannedPairs, BaryonPart.SpinSum, TetraquarkPart.Step {
    /** The intermediate. */
    int destination();

    /** The elements that it is made of. */
    void forEachInput(IntConsumer action);

    /** The same with other numbers of elements. */
    Made renumbered(IntUnaryOperator number);
  }

  /**
   * {@code destination = (accumulate ? destination : 0) + coefficient · Γ_L · left · Γ_I · right},
   * 64 N × N × N products.
   *
   * @param destination an intermediate
   * @param leftGamma mask of Γ_L, usually 0
   * @param left element
   * @param innerGamma mask of Γ_I
   * @param right element
   */
  public record Product(
      int destination,
      int leftGamma,
      int left,
      int innerGamma,
      int right,
      Complex coefficient,
      boolean accumulate) {}

  /**
   * {@code Tr[Γ_L · left · Γ_I · right]}, or {@code Tr[Γ_L · left]} when {@code right} is {@link
   * #NONE}.
   */
  public record Trace(int leftGamma, int left, int innerGamma, int right) {}

  /** Trace number {@code trace}, or its complex conjugate. */
  public record Factor(int trace, boolean conjugate) {}

  /** {@code coefficient · Π factors}; an empty product is 1. */
  public record Monomial(Complex coefficient, List<Factor> factors) {
    /** Copies the list. */
    public Monomial {
      factors = List.copyOf(factors);
    }
  }

  /**
   * One number per bound time: matrix element {@code (row, column)}, or the one-point function of
   * operator {@code row} when {@code column} is {@link #NONE}.
   */
  public record Output(int matrix, int row, int column, List<Monomial> monomials) {
    /** Copies the list. */
    public Output {
      monomials = List.copyOf(monomials);
    }
  }

  /**
   * Counts for reports.
   *
   * @param diagrams Wick diagrams over all matrix elements, each counted where it occurs
   * @param uniqueDiagrams distinct diagrams
   * @param cycles distinct cycles
   * @param productsUnshared products if diagrams share nothing
   * @param tracesUnshared traces if diagrams share nothing
   * @param intermediatesSeparate intermediates of the same reduction without accumulation
   * @param tracesSeparate traces of the same reduction without accumulation
   */
  public record Counts(
      long diagrams,
      long uniqueDiagrams,
      long cycles,
      long productsUnshared,
      long tracesUnshared,
      long intermediatesSeparate,
      long tracesSeparate) {
    public Counts withSeparate(long intermediates, long traces) {
      return new Counts(
          diagrams,
          uniqueDiagrams,
          cycles,
          productsUnshared,
          tracesUnshared,
          intermediates,
          traces);
    }
  }

  /** Copies the lists. */
  public ContractionPlan {
    matrices = List.copyOf(matrices);
    nodes = List.copyOf(nodes);
    products = List.copyOf(products);
    traces = List.copyOf(traces);
    outputs = List.copyOf(outputs);
  }

  /** Everything that is no sum of products. */
  public List<Made> made() {
    List<Made> made = new ArrayList<>(baryonPart.pairs());
    made.addAll(baryonPart.spinSums());
    made.addAll(tetraquarkPart.steps());
    return made;
  }

  /** Number of elements, nodes and intermediates. */
  public int elementCount() {
    return nodes.size() + intermediates;
  }
}
