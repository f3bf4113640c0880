package org.starlingqcd.graph.schedule;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.TetraquarkPart.VertexSpin;

/**
 * A plan bound to one source time and several separations: a list of vectors of steps over
 * elements, with equal work at equal times done once. Immutable; made once for a source and
 * replayed on every configuration.
 *
 * @param elements what each element is; its number is its index in the list
 * @param vectors the vectors, in the order in which they run; the steps of a vector are independent
 *     of each other
 * @param traceCount number of trace results
 * @param results the results in terms of traces
 */
public record ExecutionQueue(
    List<Element> elements, List<Vector> vectors, int traceCount, List<Result> results) {

  /** What an element holds. */
  public sealed interface Element
      permits Input, Node, Intermediate, PairBlocks, PairMatrix, SiteMatrix {}

  /**
   * {@code components} matrices [N][N], made by {@link BoundPairs}, {@link ClosePair} or {@link
   * SiteProduct}.
   */
  public record PairBlocks(int components) implements Element {}

  /**
   * P × P' numbers, made by {@link FormPairs} or {@link PairProduct}; P and P' pairs of N vectors,
   * packed as tetraquarks of two colours are.
   *
   * @param isProduct whether it is a {@link PairProduct} or a {@link LegProduct}
   */
  public record PairMatrix(PairColour rows, PairColour columns, boolean isProduct)
      implements Element {}

  /**
   * Matrices whose rows are those of n sampled sites with three numbers each: a line with 16
   * components from {@link SiteProduct}, or a matrix from the pairs of three colours, as {@code
   * PairColour.groups} groups them, from {@link FormPairs} or {@link PairProduct}.
   *
   * @param components those of spin, or groups of the rows times groups of the columns
   * @param sites n
   * @param half whether the columns are the N vectors and not those of sites
   */
  public record SiteMatrix(int components, int sites, boolean half) implements Element {
    /** Rows of a component. */
    public int rows() {
      return 3 * sites;
    }

    /** Columns of a component. */
    public int columns(int eigenvectors) {
      return half ? eigenvectors : rows();
    }
  }

  /** Whether an element is a matrix from pairs to pairs, of vectors or at sites. */
  public static boolean isPairs(Element element) {
    return element instanceof PairMatrix || element instanceof SiteMatrix;
  }

  /** Φ τ, made by a {@link Build}. */
  public record Node() implements Element {}

  /** Made by {@link Multiply}. */
  public record Intermediate() implements Element {}

  /** One operation. */
  public sealed interface Step
      permits Build,
          Multiply,
          Attach,
          Traces,
          BoundPairs,
          SpinSum,
          FormPairs,
          PairProduct,
          LegProduct,
          SiteProduct,
          ClosePair,
          OpenVertex {
    /** The element made or added to, or {@link ContractionPlan#NONE}. */
    int destination();

    /** The elements read, in a fixed order; an element may come twice. */
    void forEachInput(IntConsumer action);
  }

  /** {@code destination = elemental · perambulator}, 16 matrix products. */
  public record Build(int destination, int elemental, int perambulator) implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(elemental);
      action.accept(perambulator);
    }
  }

  /** A {@link ContractionPlan.Product} on elements of the queue. */
  public record Multiply(
      int destination,
      int leftGamma,
      int left,
      int innerGamma,
      int right,
      Complex coefficient,
      boolean accumulate)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(left);
      action.accept(right);
    }
  }

  /**
   * {@code destination = (accumulate ? destination : 0) + coefficient · Γ_L · left · Γ_I · (Φ ⊗ 1)}
   * with an elemental Φ, 16 matrix products.
   */
  public record Attach(
      int destination,
      int leftGamma,
      int left,
      int innerGamma,
      int elemental,
      Complex coefficient,
      boolean accumulate)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(left);
      action.accept(elemental);
    }
  }

  /**
   * Traces of all lefts with all rights (or of the lefts alone, when there are no rights) under one
   * pair of gammas; of {@link PairMatrix} and {@link SiteMatrix} elements {@code Σ left[a][b]
   * right[b][a]}, with gammas 0. Result (l, r) is trace number {@code firstTrace + l *
   * rights.size() + r}.
   */
  public record Traces(
      int leftGamma, List<Integer> lefts, int innerGamma, List<Integer> rights, int firstTrace)
      implements Step {
    /** Copies the lists. */
    public Traces {
      lefts = List.copyOf(lefts);
      rights = List.copyOf(rights);
    }

    @Override
    public int destination() {
      return ContractionPlan.NONE;
    }

    @Override
    public void forEachInput(IntConsumer action) {
      for (int k = 0; k < lefts.size(); k++) {
        action.accept(lefts.get(k));
      }
      for (int k = 0; k < rights.size(); k++) {
        action.accept(rights.get(k));
      }
    }
  }

  /**
   * A {@link BaryonPart.PlannedPairs} on elements of the queue; N⁴ work.
   *
   * @param sinkAttached whether it is the sink that the lines are attached to
   */
  public record BoundPairs(
      int destination,
      int attached,
      int first,
      List<BaryonPart.Branch> branches,
      boolean sinkAttached)
      implements Step {
    /** Copies the list. */
    public BoundPairs {
      branches = List.copyOf(branches);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(attached);
      action.accept(first);
      for (BaryonPart.Branch branch : branches) {
        action.accept(branch.second());
        branch.others().forEach(action::accept);
      }
    }

    /** Complex products {@code N² × N · N × N}. */
    public double products() {
      return new BaryonPart.PlannedPairs(destination, attached, first, branches).products();
    }
  }

  /**
   * A {@link BaryonPart.SpinSum} on elements of the queue.
   *
   * @param spins the spins of the components from {@code firstComponent} on
   */
  public record SpinSum(
      int destination,
      int block,
      int firstComponent,
      List<PairSum> spins,
      boolean symmetric,
      List<BaryonPart.SpinTerm> terms)
      implements Step {
    /** Copies the lists. */
    public SpinSum {
      spins = List.copyOf(spins);
      terms = List.copyOf(terms);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(block);
    }
  }

  /**
   * Two quark lines from the two quarks of one tetraquark to the two antiquarks of another, as one
   * matrix from pair to pair: {@code Z[(k,l)(k',l')] = Σ D[γ,δ] first[γ,γ'][k,k']
   * second[δ,δ'][l,l'] D̄[γ',δ']}, and {@code destination = w w' (Z[(k,l)(k',l')] + s
   * Z[(l,k)(k',l')] + s' Z[(k,l)(l',k')] + s s' Z[(l,k)(l',k')])} for packed pairs, s and s' the
   * signs of the two colours, where w = 1/2 for k = l, 1 otherwise, and w' likewise. So sums over
   * packed pairs need no weights. 16 N⁴ complex multiplications.
   *
   * <p>With sampled sites, k is a site x and a colour c, the lines are {@code V τ V†}, and the
   * result is {@code Σ w_e[c,d] Z[(x,c),(x,d),(y,c'),(y,d')] w_e'[c',d']} for the pairs e and e' of
   * colours, w = ε_cde of one, δ_cc' δ_dd' + δ_cd' δ_dc' of the other colour, times 1/√2 for c = d.
   *
   * @param first element: the line from the first quark to the first antiquark
   * @param second element: the line from the second quark to the second antiquark
   * @param diquark mask of the gammas of D
   * @param antidiquark mask of the gammas of the diquark whose adjoint D̄ is
   * @param rows colour of the tetraquark whose quarks these are
   * @param columns colour of the tetraquark whose antiquarks these are
   * @param sites n sampled sites; 0 for pairs of vectors
   */
  public record FormPairs(
      int destination,
      int first,
      int second,
      int diquark,
      int antidiquark,
      PairColour rows,
      PairColour columns,
      int sites)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(first);
      action.accept(second);
    }

    /** The same lines for another destination. */
    FormPairs to(int other) {
      return new FormPairs(other, first, second, diquark, antidiquark, rows, columns, sites);
    }

    /** {@code 16 · 8 n²} for each two pairs of colours that meet. */
    double siteFlops() {
      return 128.0 * sites * sites * rows.colourPairs() * columns.colourPairs();
    }
  }

  /**
   * {@code destination = left · right}, P × P × P' complex multiplications; of sampled sites every
   * row of the right times the number of its site.
   *
   * @param left an {@link Input.Tetraquark}, or the phases of {@link Input.Sites}
   * @param right made by {@link FormPairs}
   * @param rows colour of the left, and of the rows of the right
   * @param columns colour of the columns of the right
   * @param sites n sampled sites; 0 for pairs of vectors
   */
  public record PairProduct(
      int destination, int left, int right, PairColour rows, PairColour columns, int sites)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(left);
      action.accept(right);
    }
  }

  /**
   * A tetraquark times two lines, as {@link PairProduct} and {@link FormPairs} have it, without the
   * matrix of the lines: the first line is attached to a quark of the tetraquark for each two
   * spins, then the second line to the other quark, and spins are summed. 32 P N³ complex
   * multiplications.
   *
   * @param tetraquark an {@link Input.Tetraquark}
   * @param lines whose destination is the product
   */
  public record LegProduct(int tetraquark, FormPairs lines) implements Step {
    @Override
    public int destination() {
      return lines.destination();
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(tetraquark);
      lines.forEachInput(action);
    }
  }

  /**
   * {@code destination = left · right} for 16 components of one, the other being the vectors at
   * sites.
   *
   * @param rows those of the left; 0 for the N vectors, as {@code inner} and {@code columns}
   */
  public record SiteProduct(int destination, int left, int right, int rows, int inner, int columns)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(left);
      action.accept(right);
    }

    double flops(int extent) {
      return 128.0 * size(rows, extent) * size(inner, extent) * size(columns, extent);
    }

    /** One of the three sizes, for N eigenvectors. */
    public static int size(int given, int extent) {
      return given == 0 ? extent : given;
    }
  }

  /**
   * {@code destination[4δ + β][i][k] = Σ K[i,j,k,l] line[δ,β][l,j]}: a line from the second quark
   * of a tetraquark to its own second antiquark. 16 N⁴ complex multiplications.
   *
   * <p>With sampled sites, the line is {@code V line}, and the destination is what {@code V†} has
   * to be multiplied by: at a site with {@code L = V line V†} it is the phase times {@code (Tr L ±
   * L) V}.
   *
   * @param destination {@link PairBlocks} of 16 components; a {@link SiteMatrix} of sites
   * @param tetraquark an {@link Input.Tetraquark}; the phases of {@link Input.Sites}
   * @param line a node, a line or a product; what {@link SiteProduct} made of it
   * @param vectors with sites, the vectors of {@link Input.Sites} with the profiles of antiquarks
   *     and of quarks
   * @param sites n sampled sites, or 0
   */
  public record ClosePair(
      int destination,
      int tetraquark,
      int line,
      List<Integer> vectors,
      PairColour colour,
      int sites)
      implements Step {
    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(tetraquark);
      action.accept(line);
      vectors.forEach(action::accept);
    }
  }

  /**
   * {@code destination[α,γ] = Σ_terms coefficient Σ D̄[α,β] D[γ,δ] block[4δ + β]}: a tetraquark of
   * which one quark and one antiquark are joined, as a node like Γ ⊗ Φ.
   *
   * @param block made by {@link ClosePair} or {@link SiteProduct}
   */
  public record OpenVertex(int destination, int block, List<VertexSpin> terms) implements Step {
    /** Copies the list. */
    public OpenVertex {
      terms = List.copyOf(terms);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(block);
    }
  }

  /** Steps of one kind that may run together as a batch. */
  public record Vector(List<Step> steps) {
    /** Copies the list. */
    public Vector {
      steps = List.copyOf(steps);
    }
  }

  /**
   * One number of the result.
   *
   * @param matrix number of the correlation matrix
   * @param row sink operator
   * @param column source operator, or {@link ContractionPlan#NONE} for a one-point function
   * @param index index of the separation in the list bound, or of the time in the list of one-point
   *     times
   * @param monomials its value in terms of trace numbers of this queue
   */
  public record Result(
      int matrix, int row, int column, int index, List<ContractionPlan.Monomial> monomials) {
    /** Copies the list. */
    public Result {
      monomials = List.copyOf(monomials);
    }
  }

  /** Returns every input once, in the order of first use. */
  public List<Input> inputs() {
    Set<Input> inputs = new LinkedHashSet<>();
    BitSet seen = new BitSet();
    IntConsumer add =
        number -> {
          if (!seen.get(number)) {
            seen.set(number);
            if (elements.get(number) instanceof Input input) {
              inputs.add(input);
            }
          }
        };
    for (Vector vector : vectors) {
      for (Step step : vector.steps()) {
        step.forEachInput(add);
      }
    }
    return List.copyOf(inputs);
  }

  /** Copies the lists. */
  public ExecutionQueue {
    elements = List.copyOf(elements);
    vectors = List.copyOf(vectors);
    results = List.copyOf(results);
  }
}
