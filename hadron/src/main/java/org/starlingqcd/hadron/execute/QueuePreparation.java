package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.precision.Precision;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.execute.PreparedQueue.Batch;
import org.starlingqcd.hadron.execute.PreparedQueue.Contraction;
import org.starlingqcd.hadron.execute.PreparedQueue.SpinSum;
import org.starlingqcd.hadron.execute.PreparedQueue.TraceTile;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.StepKind;

/**
 * Translates an execution queue into a {@link PreparedQueue}: gives every element of the queue an
 * element of MemHC, cuts what does not fit into the budget, and lists all accesses.
 */
final class QueuePreparation {
  private final NodeForm form;
  private final int eigenvectors;
  private final Precision precision;
  private final long nodesThatFit;
  private final TensorShape nodeShape;
  private final TensorShape elementalShape;
  private final TensorShape baryonShape;
  private final int[] elements;
  private final Map<Integer, PreparedPairs> pairs = new HashMap<>();
  private final ElementSlots slots;
  private final AccessQueue.Builder accesses = AccessQueue.builder();
  private final List<Batch> batches = new ArrayList<>();
  private int[] traceOfRaw = new int[64];
  private Complex[] phaseOfRaw = new Complex[64];
  private int rawResults;
  private int mostInputs = 4;
  private long builds;
  private long products;
  private double flops;

  private QueuePreparation(
      ExecutionQueue queue,
      PlaceMoves moves,
      NodeForm form,
      int eigenvectors,
      Precision precision,
      long budgetBytes,
      ElementSlots slots) {
    this.form = form;
    this.eigenvectors = eigenvectors;
    this.precision = precision;
    this.slots = slots;
    nodeShape = TensorShape.mesonNode(eigenvectors).in(precision);
    elementalShape = TensorShape.elemental(eigenvectors).in(precision);
    baryonShape = new TensorShape(1, 3, eigenvectors, precision);
    nodesThatFit = budgetBytes / nodeShape.bytes();
    slots.begin();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.BoundPairs blocks) {
          pairs.put(
              step.destination(),
              PreparedPairs.of(blocks, eigenvectors, precision, budgetBytes, slots));
        }
      }
    }
    elements = new int[queue.elements().size()];
    for (int k = 0; k < elements.length; k++) {
      elements[k] = slot(queue.elements().get(k), moves.isReceived(k));
    }
    for (int v = 0; v < queue.vectors().size(); v++) {
      moves
          .before(v)
          .forEach(
              move -> {
                int[] element = {elements[move.element()]};
                int[] none = {};
                boolean sends = move.from() == moves.place();
                accesses.step(sends ? element : none, sends ? none : element).endVector();
              });
      add(queue.vectors().get(v));
      accesses.endVector();
    }
  }

  /**
   * Translates a queue; O(accesses).
   *
   * @param precision of all elements
   * @param budgetBytes device memory that a contraction has to fit into
   * @param slots where elements of MemHC are taken from
   */
  static PreparedQueue prepare(
      ExecutionQueue queue,
      int eigenvectors,
      Precision precision,
      long budgetBytes,
      ElementSlots slots) {
    return prepare(
        queue, PlaceMoves.NONE, NodeForm.PLAIN, eigenvectors, precision, budgetBytes, slots);
  }

  /**
   * Translates the queue of one of several places.
   *
   * @param moves the elements that come from other places or go there
   * @param form how nodes are kept, the same in all places
   */
  static PreparedQueue prepare(
      ExecutionQueue queue,
      PlaceMoves moves,
      NodeForm form,
      int eigenvectors,
      Precision precision,
      long budgetBytes,
      ElementSlots slots) {
    QueuePreparation made =
        new QueuePreparation(queue, moves, form, eigenvectors, precision, budgetBytes, slots);
    return new PreparedQueue(
        queue,
        eigenvectors,
        made.elements,
        made.pairs,
        slots.shapes(),
        made.batches,
        made.accesses.build(),
        new RawResults(
            Arrays.copyOf(made.traceOfRaw, made.rawResults),
            Arrays.copyOf(made.phaseOfRaw, made.rawResults)),
        new QueueWork(made.builds, made.products, made.rawResults, made.flops),
        made.mostInputs);
  }

  /**
   * The element of MemHC for an element of the queue; the blocks of a set have their own. An input
   * that comes from another place is not loaded here.
   */
  private int slot(ExecutionQueue.Element element, boolean received) {
    if (element instanceof ExecutionQueue.PairBlocks) {
      return -1;
    }
    TensorShape shape =
        element instanceof Input.Elemental
            ? elementalShape
            : element instanceof Input.BaryonElemental ? baryonShape : nodeShape;
    return slots.next(shape, element instanceof Input && !received);
  }

  private void add(ExecutionQueue.Vector vector) {
    List<Contraction> contractions = new ArrayList<>();
    List<TraceTile> traces = new ArrayList<>();
    List<PairParts> pairs = new ArrayList<>();
    List<Double> pairFlops = new ArrayList<>();
    long[] contractionFlops = new long[vector.steps().size()];
    List<SpinSum> spinSums = new ArrayList<>();
    boolean building = false;
    for (ExecutionQueue.Step step : vector.steps()) {
      double stepFlops = ElementSizes.flops(step, eigenvectors);
      flops += stepFlops;
      if (step instanceof ExecutionQueue.Build build) {
        building = true;
        contractionFlops[contractions.size()] = Math.round(stepFlops);
        builds++;
        contractions.add(
            new Contraction(
                elements[build.elemental()],
                elements[build.perambulator()],
                elements[build.destination()],
                form.build(),
                Complex.ONE,
                false));
      } else if (step instanceof ExecutionQueue.Multiply multiply) {
        products++;
        contractionFlops[contractions.size()] = Math.round(stepFlops);
        Gamma left = form.beforeProduct(multiply.leftGamma());
        Gamma inner = form.before(multiply.innerGamma());
        contractions.add(
            new Contraction(
                elements[multiply.left()],
                elements[multiply.right()],
                elements[multiply.destination()],
                SpinMappings.product(left.mask(), inner.mask()),
                multiply
                    .coefficient()
                    .times(SpinMappings.phase(left.mask(), inner.mask()))
                    .times(sign(left, inner)),
                multiply.accumulate()));
      } else if (step instanceof ExecutionQueue.Traces block) {
        cut(block, traces);
      } else if (step instanceof ExecutionQueue.BoundPairs blocks) {
        pairs.add(pairs(blocks));
        pairFlops.add(stepFlops);
      } else if (step instanceof ExecutionQueue.SpinSum sum) {
        spinSums.add(spinSum(sum));
      }
    }
    for (int k = 0; k < pairs.size(); k++) {
      int[] parts = new int[1];
      pairs.get(k).forEach((branch, inputs, outputs, work) -> parts[0]++);
      // The parts of a pair share its work; which part does how much is not known here.
      long partFlops = Math.round(pairFlops.get(k) / Math.max(1, parts[0]));
      pairs
          .get(k)
          .forEach(
              (branch, inputs, outputs, work) ->
                  accesses.step(inputs, outputs).work(StepKind.PAIR, partFlops).endVector());
    }
    for (SpinSum s : spinSums) {
      accesses
          .step(new int[] {s.block()}, new int[] {s.destination()})
          .work(StepKind.SUM, 0)
          .endVector();
    }
    for (int k = 0; k < contractions.size(); k++) {
      Contraction contraction = contractions.get(k);
      accesses
          .step(
              new int[] {contraction.left(), contraction.right()},
              new int[] {contraction.destination()})
          .work(StepKind.PRODUCT, contractionFlops[k]);
    }
    for (TraceTile tile : traces) {
      int[] inputs = new int[tile.lefts().size() + tile.rights().size()];
      tile.inputs(inputs);
      mostInputs = Math.max(mostInputs, inputs.length);
      long products = (long) tile.lefts().size() * Math.max(1, tile.rights().size());
      accesses
          .step(inputs, new int[0])
          .work(StepKind.TRACE, Math.round(products * ElementSizes.traceFlops(eigenvectors)));
    }
    batches.add(
        new Batch(
            building,
            List.copyOf(contractions),
            List.copyOf(traces),
            List.copyOf(pairs),
            List.copyOf(spinSums)));
  }

  private SpinSum spinSum(ExecutionQueue.SpinSum step) {
    PreparedPairs.Block block = pairsOf(step.block()).block(step.firstComponent());
    return new SpinSum(
        block.element(),
        elements[step.destination()],
        new BaryonSpin.Sum(step.terms(), block.components(), step.spins(), step.symmetric()));
  }

  private PairParts pairs(ExecutionQueue.BoundPairs step) {
    products++;
    return pairsOf(step.destination()).parts(element -> elements[element], eigenvectors);
  }

  /** The pair blocks that an element of the queue stands for. */
  private PreparedPairs pairsOf(int set) {
    PreparedPairs found = pairs.get(set);
    if (found == null) {
      throw new AssertionError("pair blocks without elements: " + set);
    }
    return found;
  }

  /*
   * A tile of l lefts and r rights needs room for l + r nodes. Lefts stay while rights change, so most of the room goes to the lefts.
   */
  private void cut(ExecutionQueue.Traces block, List<TraceTile> tiles) {
    int lefts = block.lefts().size();
    int rights = block.rights().size();
    boolean single = rights == 0;
    Gamma left = form.before(block.leftGamma());
    Gamma inner = single ? Gamma.ONE : form.before(block.innerGamma());
    SpinTraceMapping mapping =
        single ? SpinMappings.trace(left.mask()) : SpinMappings.trace(left.mask(), inner.mask());
    Complex phase = SpinMappings.phase(left.mask(), inner.mask()).times(sign(left, inner));
    int tileRights = (int) Math.min(rights, Math.max(1, nodesThatFit / 4));
    int tileLefts = (int) Math.min(lefts, Math.max(1, nodesThatFit - tileRights));
    tileRights = (int) Math.min(rights, Math.max(1, nodesThatFit - tileLefts));
    for (int l0 = 0; l0 < lefts; l0 += tileLefts) {
      int l1 = Math.min(lefts, l0 + tileLefts);
      for (int r0 = 0; r0 < Math.max(1, rights); r0 += Math.max(1, tileRights)) {
        int r1 = Math.min(rights, r0 + tileRights);
        tiles.add(
            new TraceTile(
                elements(block.lefts().subList(l0, l1)),
                elements(block.rights().subList(r0, r1)),
                mapping,
                rawResults));
        for (int l = l0; l < l1; l++) {
          for (int r = single ? -1 : r0; r < (single ? 0 : r1); r++) {
            addRaw(block.firstTrace() + (single ? l : l * rights + r), phase);
          }
        }
      }
    }
  }

  private static Complex sign(Gamma left, Gamma inner) {
    return left.sign() * inner.sign() > 0 ? Complex.ONE : new Complex(-1, 0);
  }

  private List<Integer> elements(List<Integer> queueElements) {
    Integer[] list = new Integer[queueElements.size()];
    for (int k = 0; k < list.length; k++) {
      list[k] = elements[queueElements.get(k)];
    }
    return List.of(list);
  }

  private void addRaw(int trace, Complex phase) {
    if (rawResults == traceOfRaw.length) {
      traceOfRaw = Arrays.copyOf(traceOfRaw, 2 * rawResults);
      phaseOfRaw = Arrays.copyOf(phaseOfRaw, 2 * rawResults);
    }
    traceOfRaw[rawResults] = trace;
    phaseOfRaw[rawResults++] = phase;
  }
}
