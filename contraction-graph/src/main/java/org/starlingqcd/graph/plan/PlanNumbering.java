package org.starlingqcd.graph.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.NodeRef;

/**
 * Turns a {@link PlanDraft} into a {@link ContractionPlan}. Used elements are numbered in the order
 * in which the outputs, one after the other, first need them.
 */
public final class PlanNumbering {
  private final PlanDraft draft;
  private final List<NodeRef> nodes = new ArrayList<>();
  private final List<ContractionPlan.Product> products = new ArrayList<>();
  private final Interner<ContractionPlan.Trace> traces = new Interner<>();
  private final int[] elementOf;
  // By trace of the draft: the numbers of its terms, null as long as none is needed.
  private final int[] @Nullable [] tracesOf;
  private final Map<Integer, ContractionPlan.Made> madeOf = new HashMap<>();
  private final List<ContractionPlan.Made> made = new ArrayList<>();
  private int intermediates;
  private ContractionPlan.Factor[] factors = {};

  public PlanNumbering(PlanDraft draft) {
    this.draft = draft;
    elementOf = new int[draft.nodes().size() + draft.intermediates().size()];
    Arrays.fill(elementOf, ContractionPlan.NONE);
    tracesOf = new int[draft.traces().size()][];
    draft.made().forEach(m -> madeOf.put(m.destination(), m));
    for (PlanDraft.Output output : draft.outputs()) {
      Monomials monomials = output.monomials();
      for (int product : monomials.sorted()) {
        number(monomials, product, 0);
      }
    }
  }

  /** Numbers the traces of a product from a factor on, in the order in which it is expanded. */
  private void number(Monomials monomials, int product, int at) {
    if (at < monomials.length(product)) {
      int sum = monomials.code(product, at) >> 1;
      for (int k = 0; k < draft.traces().get(sum).size(); k++) {
        trace(sum, k);
        number(monomials, product, at + 1);
      }
    }
  }

  /** The number of nodes of the plan. */
  public int nodes() {
    return nodes.size();
  }

  /** The number of products of the plan. */
  public int products() {
    return products.size();
  }

  /** The number of traces of the plan. */
  public int traces() {
    return traces.size();
  }

  /**
   * The factors of a plan by their codes, {@code 2 * trace + (conjugate ? 1 : 0)}: each is part of
   * many monomials.
   */
  public static ContractionPlan.Factor[] factors(int traces) {
    ContractionPlan.Factor[] factors = new ContractionPlan.Factor[2 * traces];
    Arrays.setAll(factors, code -> new ContractionPlan.Factor(code >> 1, (code & 1) != 0));
    return factors;
  }

  /** The plan; made once. */
  public ContractionPlan plan(List<CorrelationMatrix> matrices, ContractionPlan.Counts counts) {
    factors = factors(traces.size());
    // All traces have numbers, so that outputs are written independently.
    List<ContractionPlan.Output> outputs =
        Concurrently.each(draft.outputs().size(), k -> output(draft.outputs().get(k)));
    // The plan lists all nodes first, so intermediates get their final numbers when these are
    // known.
    products.replaceAll(
        p ->
            new ContractionPlan.Product(
                number(p.destination()),
                p.leftGamma(),
                number(p.left()),
                p.innerGamma(),
                number(p.right()),
                p.coefficient(),
                p.accumulate()));
    List<ContractionPlan.Trace> numberedTraces = new ArrayList<>(traces.all());
    numberedTraces.replaceAll(
        t ->
            new ContractionPlan.Trace(
                t.leftGamma(), number(t.left()), t.innerGamma(), number(t.right())));
    made.replaceAll(m -> m.renumbered(this::number));
    return new ContractionPlan(
        matrices,
        nodes,
        products,
        intermediates,
        numberedTraces,
        outputs,
        counts,
        new BaryonPart(
            draft.baryons(),
            made(BaryonPart.PlannedPairs.class),
            made(BaryonPart.SpinSum.class),
            draft.unshared()),
        new TetraquarkPart(made(TetraquarkPart.Step.class)));
  }

  private <T extends ContractionPlan.Made> List<T> made(Class<T> kind) {
    return made.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Intermediate k is -2 - k until the number of nodes is known. */
  private int number(int element) {
    return element <= -2 ? nodes.size() - 2 - element : element;
  }

  private ContractionPlan.Output output(PlanDraft.Output output) {
    Monomials expanded = new Monomials();
    for (int product : output.monomials().sorted()) {
      int[] codes = new int[output.monomials().length(product)];
      output.monomials().codes(product, codes);
      expand(codes, 0, new int[codes.length], output.monomials().coefficient(product), expanded);
    }
    List<ContractionPlan.Monomial> list = new ArrayList<>(expanded.size());
    for (int number : expanded.sorted()) {
      Complex coefficient = expanded.coefficient(number);
      if (coefficient.abs() > output.negligible()) {
        ContractionPlan.Factor[] product = new ContractionPlan.Factor[expanded.length(number)];
        Arrays.setAll(product, k -> factors[expanded.code(number, k)]);
        list.add(new ContractionPlan.Monomial(coefficient, List.of(product)));
      }
    }
    return new ContractionPlan.Output(output.matrix(), output.row(), output.column(), list);
  }

  /**
   * Expands a product of sums of traces into monomials.
   *
   * @param done as long as {@code codes}; the new codes of the factors before {@code at}
   */
  private void expand(int[] codes, int at, int[] done, Complex coefficient, Monomials expanded) {
    if (at == codes.length) {
      // Not clone, which compiled code leaves to the virtual machine.
      int[] sorted = Arrays.copyOf(done, done.length);
      Arrays.sort(sorted);
      expanded.add(sorted, sorted.length, coefficient);
      return;
    }
    boolean conjugate = (codes[at] & 1) != 0;
    int sum = codes[at] >> 1;
    List<BilinearTerm> terms = draft.traces().get(sum);
    for (int k = 0; k < terms.size(); k++) {
      BilinearTerm term = terms.get(k);
      done[at] = 2 * trace(sum, k) + (conjugate ? 1 : 0);
      Complex factor = conjugate ? term.coefficient().conjugate() : term.coefficient();
      expand(codes, at + 1, done, coefficient.times(factor), expanded);
    }
  }

  /** The number of the trace that is a term of one of the draft. */
  private int trace(int sum, int place) {
    int[] numbers = tracesOf[sum];
    if (numbers == null) {
      numbers = new int[draft.traces().get(sum).size()];
      Arrays.fill(numbers, ContractionPlan.NONE);
      tracesOf[sum] = numbers;
    }
    if (numbers[place] == ContractionPlan.NONE) {
      numbers[place] = trace(draft.traces().get(sum).get(place));
    }
    return numbers[place];
  }

  private int trace(BilinearTerm term) {
    int left = element(term.left());
    int right = term.right() == ContractionPlan.NONE ? ContractionPlan.NONE : element(term.right());
    return traces.of(new ContractionPlan.Trace(term.leftGamma(), left, term.innerGamma(), right));
  }

  private int element(int element) {
    if (elementOf[element] == ContractionPlan.NONE) {
      ContractionPlan.Made how = madeOf.get(element);
      if (how != null) {
        how.forEachInput(this::element);
        elementOf[element] = -2 - intermediates++;
        made.add(how.renumbered(e -> elementOf[e]));
      } else if (draft.isIntermediate(element)) {
        sum(element);
      } else {
        elementOf[element] = nodes.size();
        nodes.add(draft.nodes().get(element));
      }
    }
    return elementOf[element];
  }

  private void sum(int element) {
    List<BilinearTerm> terms = draft.terms(element);
    for (BilinearTerm term : terms) {
      element(term.left());
      element(term.right());
    }
    elementOf[element] = -2 - intermediates++;
    boolean accumulate = false;
    for (BilinearTerm term : terms) {
      products.add(
          new ContractionPlan.Product(
              elementOf[element],
              term.leftGamma(),
              elementOf[term.left()],
              term.innerGamma(),
              elementOf[term.right()],
              term.coefficient(),
              accumulate));
      accumulate = true;
    }
  }
}
