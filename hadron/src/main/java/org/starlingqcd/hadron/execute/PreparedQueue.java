package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;

/**
 * An execution queue translated for one {@link QueueExecutor}: elements of the queue have become
 * elements of MemHC, gamma structures batch-spin mappings, and blocks of traces that do not fit
 * into the budget are cut. Made once for a queue and run on every configuration. Immutable.
 */
public final class PreparedQueue {
  /** One contraction of a batch: a node to build, or a product. */
  record Contraction(
      int left,
      int right,
      int destination,
      BatchSpinMapping mapping,
      Complex coefficient,
      boolean adds) {}

  /**
   * Traces of some lefts with some rights of a block, or of some lefts alone.
   *
   * @param rawIndex where its results begin in the buffer of all results
   */
  record TraceTile(
      List<Integer> lefts, List<Integer> rights, SpinTraceMapping mapping, int rawIndex) {
    /** Copies the lists. */
    TraceTile {
      lefts = List.copyOf(lefts);
      rights = List.copyOf(rights);
    }

    /** Numbers that it gives. */
    int results() {
      return lefts.size() * Math.max(1, rights.size());
    }

    /** Writes lefts, then rights to {@code target}; answers with their number. */
    int inputs(int[] target) {
      int k = 0;
      for (int left : lefts) {
        target[k++] = left;
      }
      for (int right : rights) {
        target[k++] = right;
      }
      return k;
    }
  }

  /** A spin sum; its mapping depends on the data's basis. */
  record SpinSum(int block, int destination, BaryonSpin.Sum sum) {}

  /** Steps that run as one batch if memory allows. */
  record Batch(
      boolean builds,
      List<Contraction> contractions,
      List<TraceTile> traces,
      List<PairParts> pairs,
      List<SpinSum> spinSums) {}

  private static final int MESON_SPINS = 16;

  private final ExecutionQueue queue;
  private final int eigenvectors;
  private final int[] elements;
  private final Map<Integer, PreparedPairs> pairPlaces;
  private final long slots;
  private final List<TensorShape> shapes;
  private final List<Batch> batches = new ArrayList<>();
  private final AccessQueue access;
  private final Liveness liveness;
  private int[] traceOfRaw = new int[64];
  private Complex[] phaseOfRaw = new Complex[64];
  private int rawResults;
  private int most = 4;
  private long builds;
  private long products;
  private double flops;

  /**
   * Translates a queue.
   *
   * @param elements element of MemHC for each element of the queue
   * @param pairPlaces elements of MemHC of pair blocks (by their set), of which the queue has one
   * @param budgetBytes what trace blocks have to fit in
   * @param shapes shape of every element of MemHC
   */
  PreparedQueue(
      ExecutionQueue queue,
      int eigenvectors,
      int[] elements,
      Map<Integer, PreparedPairs> pairPlaces,
      long budgetBytes,
      List<TensorShape> shapes) {
    this.queue = queue;
    this.eigenvectors = eigenvectors;
    this.elements = elements;
    this.pairPlaces = pairPlaces;
    this.shapes = List.copyOf(shapes);
    this.slots = budgetBytes / TensorShape.mesonNode(eigenvectors).bytes();
    AccessQueue.Builder accesses = AccessQueue.builder();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      add(vector, accesses);
      accesses.endVector();
    }
    access = accesses.build();
    liveness = new Liveness(access, shapes);
  }

  private void add(ExecutionQueue.Vector vector, AccessQueue.Builder accesses) {
    List<Contraction> contractions = new ArrayList<>();
    List<TraceTile> traces = new ArrayList<>();
    List<PairParts> pairs = new ArrayList<>();
    List<SpinSum> spinSums = new ArrayList<>();
    boolean building = false;
    double cube = 8.0 * eigenvectors * eigenvectors * eigenvectors;
    for (ExecutionQueue.Step step : vector.steps()) {
      if (step instanceof ExecutionQueue.Build build) {
        building = true;
        builds++;
        flops += MESON_SPINS * cube;
        contractions.add(
            new Contraction(
                elements[build.elemental()],
                elements[build.perambulator()],
                elements[build.destination()],
                SpinMappings.build(),
                Complex.ONE,
                false));
      } else if (step instanceof ExecutionQueue.Multiply multiply) {
        BatchSpinMapping mapping =
            SpinMappings.product(multiply.leftGamma(), multiply.innerGamma());
        products++;
        flops += mapping.size() * cube;
        contractions.add(
            new Contraction(
                elements[multiply.left()],
                elements[multiply.right()],
                elements[multiply.destination()],
                mapping,
                multiply
                    .coefficient()
                    .times(SpinMappings.phase(multiply.leftGamma(), multiply.innerGamma())),
                multiply.accumulate()));
      } else if (step instanceof ExecutionQueue.Traces block) {
        cut(block, traces);
      } else if (step instanceof ExecutionQueue.BoundPairs blocks) {
        pairs.add(pairs(blocks));
      } else if (step instanceof ExecutionQueue.SpinSum sum) {
        spinSums.add(spinSum(sum));
      }
    }
    for (PairParts p : pairs) {
      p.forEach((branch, inputs, outputs, work) -> accesses.step(inputs, outputs).endVector());
    }
    for (SpinSum s : spinSums) {
      accesses.step(new int[] {s.block()}, new int[] {s.destination()});
      accesses.endVector();
    }
    for (Contraction contraction : contractions) {
      accesses.step(
          new int[] {contraction.left(), contraction.right()},
          new int[] {contraction.destination()});
    }
    for (TraceTile tile : traces) {
      int[] inputs = new int[tile.lefts().size() + tile.rights().size()];
      tile.inputs(inputs);
      most = Math.max(most, inputs.length);
      accesses.step(inputs, new int[0]);
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
    PreparedPairs.Block block = places(step.block()).block(step.firstComponent());
    return new SpinSum(
        block.element(),
        elements[step.destination()],
        new BaryonSpin.Sum(step.terms(), block.components(), step.spins(), step.symmetric()));
  }

  private PairParts pairs(ExecutionQueue.BoundPairs step) {
    products++;
    flops += ElementSizes.flops(step, eigenvectors);
    return places(step.destination()).parts(element -> elements[element], eigenvectors);
  }

  /** The places of the pair blocks that an element of the queue stands for. */
  private PreparedPairs places(int set) {
    PreparedPairs places = pairPlaces.get(set);
    if (places == null) {
      throw new AssertionError("pair blocks without elements: " + set);
    }
    return places;
  }

  /*
   * A tile of l lefts and r rights needs l + r slots. Lefts stay while rights pass by, so most of the room goes to the
   * lefts.
   */
  private void cut(ExecutionQueue.Traces block, List<TraceTile> tiles) {
    int lefts = block.lefts().size();
    int rights = block.rights().size();
    boolean single = rights == 0;
    SpinTraceMapping mapping =
        single
            ? SpinMappings.trace(block.leftGamma())
            : SpinMappings.trace(block.leftGamma(), block.innerGamma());
    Complex phase =
        single
            ? SpinMappings.phase(block.leftGamma())
            : SpinMappings.phase(block.leftGamma(), block.innerGamma());
    int tileRights = (int) Math.min(rights, Math.max(1, slots / 4));
    int tileLefts = (int) Math.min(lefts, Math.max(1, slots - tileRights));
    tileRights = (int) Math.min(rights, Math.max(1, slots - tileLefts));
    for (int l0 = 0; l0 < lefts; l0 += tileLefts) {
      int l1 = Math.min(lefts, l0 + tileLefts);
      for (int r0 = 0; r0 < Math.max(1, rights); r0 += Math.max(1, tileRights)) {
        int r1 = Math.min(rights, r0 + tileRights);
        tiles.add(
            new TraceTile(
                places(block.lefts().subList(l0, l1)),
                places(block.rights().subList(r0, r1)),
                mapping,
                rawResults));
        for (int l = l0; l < l1; l++) {
          for (int r = single ? -1 : r0; r < (single ? 0 : r1); r++) {
            addRaw(block.firstTrace() + (single ? l : l * rights + r), phase);
          }
        }
      }
    }
    double pairs = single ? 0 : (double) lefts * rights * mapping.size();
    flops += 8.0 * eigenvectors * eigenvectors * pairs;
  }

  private List<Integer> places(List<Integer> queueElements) {
    return queueElements.stream().map(element -> elements[element]).toList();
  }

  private void addRaw(int trace, Complex phase) {
    if (rawResults == traceOfRaw.length) {
      traceOfRaw = Arrays.copyOf(traceOfRaw, 2 * rawResults);
      phaseOfRaw = Arrays.copyOf(phaseOfRaw, 2 * rawResults);
    }
    traceOfRaw[rawResults] = trace;
    phaseOfRaw[rawResults++] = phase;
  }

  /** The queue as it was given. */
  public ExecutionQueue queue() {
    return queue;
  }

  /** Number of eigenvectors N. */
  public int eigenvectors() {
    return eigenvectors;
  }

  /** Nodes built. */
  public long builds() {
    return builds;
  }

  /** Batched matrix products. */
  public long products() {
    return products;
  }

  /** Numbers that final contractions give. */
  public long traces() {
    return rawResults;
  }

  /** Flops of builds, products and traces. */
  public double flops() {
    return flops;
  }

  /** The order of all accesses, as MemHC takes it. */
  public AccessQueue access() {
    return access;
  }

  /** Shape of an element of MemHC. */
  TensorShape shape(int place) {
    return shapes.get(place);
  }

  /** The accesses as a replay takes them. */
  AccessTrace trace() {
    List<TensorShape> distinct = shapes.stream().distinct().toList();
    boolean[] input = new boolean[shapes.size()];
    for (int k = 0; k < elements.length; k++) {
      if (queue.elements().get(k) instanceof Input) {
        input[elements[k]] = true;
      }
    }
    pairPlaces.values().forEach(pairs -> pairs.slices().forEach(slice -> input[slice] = true));
    return new AccessTrace(
        distinct, shapes.stream().mapToInt(distinct::indexOf).toArray(), input, List.of(access));
  }

  /** Most bytes alive at once; with a smaller budget something has to leave. */
  public long peakBytes() {
    return liveness.peakBytes();
  }

  /** Bytes of all inputs that are used, each counted once. */
  long inputBytes() {
    AccessTrace trace = trace();
    return IntStream.range(0, trace.elements())
        .filter(element -> trace.input()[element] && liveness.lastUse(element) >= 0)
        .mapToLong(trace::bytes)
        .sum();
  }

  /** The step of {@link #access} that uses an element of MemHC last; -1 when none does. */
  int lastUse(int place) {
    return liveness.lastUse(place);
  }

  /** Most inputs of one step. */
  int mostInputs() {
    return most;
  }

  /** Element of MemHC for an element of the queue that is not a set of pair blocks. */
  int element(int queueElement) {
    return elements[queueElement];
  }

  /** The contractions that alone make their destinations, whose operands can make them again. */
  List<Contraction> repeatable() {
    Map<Integer, Integer> writers = new HashMap<>();
    for (Batch batch : batches) {
      for (Contraction contraction : batch.contractions()) {
        writers.merge(contraction.destination(), 1, Integer::sum);
      }
    }
    return batches.stream()
        .flatMap(batch -> batch.contractions().stream())
        .filter(contraction -> writers.getOrDefault(contraction.destination(), 0) == 1)
        .toList();
  }

  /** How pair blocks are cut, in the order in which they are made. */
  List<PreparedPairs> pairPlaces() {
    List<PreparedPairs> all = new ArrayList<>();
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        PreparedPairs places = pairPlaces.get(step.destination());
        if (places != null) {
          all.add(places);
        }
      }
    }
    return all;
  }

  List<Batch> batches() {
    return batches;
  }

  /** Traces by number, interleaved complex, from the raw results. */
  double[] traceValues(double[] raw) {
    double[] traces = new double[2 * queue.traceCount()];
    for (int k = 0; k < rawResults; k++) {
      Complex value = new Complex(raw[2 * k], raw[2 * k + 1]).times(phaseOfRaw[k]);
      traces[2 * traceOfRaw[k]] = value.re();
      traces[2 * traceOfRaw[k] + 1] = value.im();
    }
    return traces;
  }
}
