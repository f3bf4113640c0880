package org.starlingqcd.hadron.execute;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
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
   * @param extent rows of the matrices
   * @param rawIndex where its results begin in the buffer of all results
   */
  record TraceTile(
      List<Integer> lefts,
      List<Integer> rights,
      SpinTraceMapping mapping,
      int extent,
      int rawIndex) {
    /** Copies the lists. */
    TraceTile {
      lefts = List.copyOf(lefts);
      rights = List.copyOf(rights);
    }

    /** Numbers that it gives. */
    int results() {
      return lefts.size() * Math.max(1, rights.size());
    }

    /** Writes lefts, then rights to {@code target}; returns their number. */
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

  /** A copy of an element with its rows of blocks in another order. */
  record Copying(int from, int to, SpinSumMapping mapping) {}

  /** Steps that run as one batch if memory allows; the copies come first. */
  record Batch(
      boolean builds,
      List<Copying> copies,
      List<Contraction> contractions,
      List<TraceTile> traces,
      List<PairParts> pairs,
      List<SpinSum> spinSums,
      List<LoneStep> lone) {

    /** Whether it has steps that cannot be launched together with other batches. */
    boolean isAlone() {
      return !pairs.isEmpty() || !spinSums.isEmpty() || !lone.isEmpty();
    }
  }

  private final ExecutionQueue queue;
  private final int eigenvectors;
  private final List<List<Integer>> elements;
  private final List<PreparedPairs> pairs;
  private final List<TensorShape> shapes;
  // Of every element of MemHC.
  private final long[] bytes;
  private final List<Batch> batches;
  private final AccessQueue access;
  private final int[] lastUse;
  private final long peakBytes;
  private final RawResults rawResults;
  private final QueueWork work;
  private final int mostInputs;

  /**
   * Takes the findings of {@link QueuePreparation}.
   *
   * @param elements elements of MemHC for each element of the queue, none for pair blocks
   * @param pairs elements of MemHC of pair blocks, in the order in which they are made
   * @param shapes shape of every element of MemHC
   */
  PreparedQueue(
      ExecutionQueue queue,
      int eigenvectors,
      List<List<Integer>> elements,
      List<PreparedPairs> pairs,
      List<TensorShape> shapes,
      List<Batch> batches,
      AccessQueue access,
      RawResults rawResults,
      QueueWork work,
      int mostInputs) {
    this.queue = queue;
    this.eigenvectors = eigenvectors;
    this.elements = List.copyOf(elements);
    this.pairs = List.copyOf(pairs);
    this.shapes = List.copyOf(shapes);
    this.batches = List.copyOf(batches);
    this.access = access;
    this.rawResults = rawResults;
    this.work = work;
    this.mostInputs = mostInputs;
    bytes = this.shapes.stream().mapToLong(TensorShape::bytes).toArray();
    lastUse = new int[bytes.length];
    peakBytes = findLastUses();
  }

  /** The queue as it was given. */
  public ExecutionQueue queue() {
    return queue;
  }

  /** Number of eigenvectors N. */
  public int eigenvectors() {
    return eigenvectors;
  }

  /** What it computes. */
  public QueueWork work() {
    return work;
  }

  /** The order of all accesses, in the form for MemHC. */
  public AccessQueue access() {
    return access;
  }

  /** The accesses, in the form for a replay. */
  public AccessTrace trace() {
    Map<TensorShape, Integer> distinct = new LinkedHashMap<>();
    int[] shapeOf = new int[shapes.size()];
    for (int k = 0; k < shapeOf.length; k++) {
      distinct.putIfAbsent(shapes.get(k), distinct.size());
      shapeOf[k] = distinct.getOrDefault(shapes.get(k), 0);
    }
    return new AccessTrace(List.copyOf(distinct.keySet()), shapeOf, inputs(), List.of(access));
  }

  /** Whether each element of MemHC can be loaded again. */
  private boolean[] inputs() {
    boolean[] input = new boolean[shapes.size()];
    for (int k = 0; k < elements.size(); k++) {
      if (queue.elements().get(k) instanceof Input) {
        elements.get(k).forEach(part -> input[part] = true);
      }
    }
    pairs.forEach(pair -> pair.slices().forEach(slice -> input[slice] = true));
    return input;
  }

  /** Most bytes alive at once; with a smaller budget something has to leave. */
  public long peakBytes() {
    return peakBytes;
  }

  /** Bytes of all inputs that are used, each counted once. */
  long inputBytes() {
    boolean[] input = inputs();
    long sum = 0;
    for (int element = 0; element < input.length; element++) {
      sum += input[element] && lastUse(element) >= 0 ? bytes[element] : 0;
    }
    return sum;
  }

  /** The step of {@link #access} that uses an element of MemHC last; -1 when none does. */
  int lastUse(int element) {
    return element < lastUse.length ? lastUse[element] : -1;
  }

  /** Most inputs of one step. */
  int mostInputs() {
    return mostInputs;
  }

  /**
   * Elements of MemHC for an element of the queue: one, strips of a tetraquark or of a product with
   * it, or none for pair blocks.
   */
  List<Integer> parts(int queueElement) {
    return elements.get(queueElement);
  }

  /** The contractions that MemHC may run again, by their destinations. */
  Map<Integer, Contraction> repeatable() {
    return batches.stream()
        .flatMap(batch -> batch.contractions().stream())
        .filter(contraction -> access.maker(contraction.destination()) >= 0)
        .collect(Collectors.toMap(Contraction::destination, contraction -> contraction));
  }

  /** The copies of elements, by the copy. */
  Map<Integer, Copying> copies() {
    return batches.stream()
        .flatMap(batch -> batch.copies().stream())
        .collect(Collectors.toMap(Copying::to, copy -> copy));
  }

  /** How pair blocks are cut, in the order in which they are made. */
  List<PreparedPairs> pairs() {
    return pairs;
  }

  List<Batch> batches() {
    return batches;
  }

  /** The meaning of the numbers that the kernels write. */
  RawResults rawResults() {
    return rawResults;
  }

  /**
   * Finds the last use of every element; O(accesses).
   *
   * @return most bytes alive at once if every element lives from its first to its last use
   */
  private long findLastUses() {
    Arrays.fill(lastUse, -1);
    for (int step = 0; step < access.steps(); step++) {
      for (int k = access.firstAccess(step); k < access.firstAccess(step + 1); k++) {
        lastUse[access.element(k)] = step;
      }
    }
    boolean[] alive = new boolean[lastUse.length];
    long now = 0;
    long peak = 0;
    for (int step = 0; step < access.steps(); step++) {
      for (int k = access.firstAccess(step); k < access.firstAccess(step + 1); k++) {
        int element = access.element(k);
        now += alive[element] ? 0 : bytes[element];
        alive[element] = true;
      }
      peak = Math.max(peak, now);
      for (int k = access.firstAccess(step); k < access.firstAccess(step + 1); k++) {
        int element = access.element(k);
        boolean ends = alive[element] && lastUse[element] == step;
        now -= ends ? bytes[element] : 0;
        alive[element] = alive[element] && !ends;
      }
    }
    return peak;
  }
}
