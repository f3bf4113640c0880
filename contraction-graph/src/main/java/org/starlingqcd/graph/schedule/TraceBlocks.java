package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Merges the traces of a vector into blocks. Elements that meet the same partners under the same
 * gammas form one matrix product of (lefts × 16N²) and (16N² × rights), which reads each of them
 * once. A block computes exactly the traces that are needed. Traces are renumbered, since the
 * results of a block are consecutive.
 */
final class TraceBlocks {
  /**
   * Identifies traces that may be in one block: they have equal gammas, the same number of
   * elements, two or one, and lefts of one shape.
   *
   * @param pairs the left where it is a matrix from pairs to pairs, or null
   */
  private record Kind(
      int leftGamma,
      int innerGamma,
      boolean single,
      boolean elemental,
      ExecutionQueue.@Nullable Element pairs) {}

  private final List<ExecutionQueue.Element> elements;
  private final ToIntFunction<ExecutionQueue.Element> sideLimit;
  private final int[] newNumber;
  private int count;

  /**
   * Prepares for a queue.
   *
   * @param elements those of the queue
   * @param sideLimit most lefts and most rights of a block, by the kind of element
   */
  TraceBlocks(
      List<ExecutionQueue.Element> elements,
      int traceCount,
      ToIntFunction<ExecutionQueue.Element> sideLimit) {
    this.elements = elements;
    this.sideLimit = sideLimit;
    newNumber = new int[traceCount];
  }

  /** The vectors with their traces merged. */
  List<ExecutionQueue.Vector> merge(List<ExecutionQueue.Vector> vectors) {
    List<ExecutionQueue.Vector> result = new ArrayList<>(vectors.size());
    for (ExecutionQueue.Vector vector : vectors) {
      result.add(
          vector.steps().get(0) instanceof ExecutionQueue.Traces
              ? new ExecutionQueue.Vector(blocks(vector.steps()))
              : vector);
    }
    return result;
  }

  /** The new number of each trace. */
  int[] newNumbers() {
    return newNumber;
  }

  private List<ExecutionQueue.Step> blocks(List<ExecutionQueue.Step> traces) {
    // kind → left element → right element (or NONE) → trace number
    Map<Kind, Map<Integer, Map<Integer, Integer>>> wanted = new LinkedHashMap<>();
    for (ExecutionQueue.Step step : traces) {
      ExecutionQueue.Traces trace = (ExecutionQueue.Traces) step;
      wanted
          .computeIfAbsent(
              new Kind(
                  trace.leftGamma(),
                  trace.innerGamma(),
                  trace.rights().isEmpty(),
                  elements.get(trace.lefts().get(0)) instanceof Input.Elemental,
                  ExecutionQueue.isPairs(elements.get(trace.lefts().get(0)))
                      ? elements.get(trace.lefts().get(0))
                      : null),
              key -> new LinkedHashMap<>())
          .computeIfAbsent(trace.lefts().get(0), key -> new TreeMap<>())
          .put(
              trace.rights().isEmpty() ? ContractionPlan.NONE : trace.rights().get(0),
              trace.firstTrace());
    }
    List<ExecutionQueue.Step> blocks = new ArrayList<>();
    for (Map.Entry<Kind, Map<Integer, Map<Integer, Integer>>> group : wanted.entrySet()) {
      Map<List<Integer>, List<Integer>> leftsOf = new LinkedHashMap<>();
      group
          .getValue()
          .forEach(
              (left, rights) ->
                  leftsOf
                      .computeIfAbsent(List.copyOf(rights.keySet()), key -> new ArrayList<>())
                      .add(left));
      leftsOf.forEach(
          (rights, lefts) -> {
            int limit = sideLimit.applyAsInt(elements.get(lefts.get(0)));
            for (List<Integer> someLefts : pieces(lefts, limit)) {
              for (List<Integer> someRights : pieces(rights, limit)) {
                blocks.add(block(group.getKey(), someLefts, someRights, group.getValue()));
              }
            }
          });
    }
    return blocks;
  }

  /** Pieces of a list of at most {@code limit}. */
  private static List<List<Integer>> pieces(List<Integer> list, int limit) {
    List<List<Integer>> pieces = new ArrayList<>();
    for (int k = 0; k < list.size(); k += limit) {
      pieces.add(list.subList(k, Math.min(list.size(), k + limit)));
    }
    return pieces;
  }

  private ExecutionQueue.Traces block(
      Kind kind,
      List<Integer> lefts,
      List<Integer> rights,
      Map<Integer, Map<Integer, Integer>> numbers) {
    int first = count;
    for (int left : lefts) {
      for (int right : rights) {
        Integer number = numbers.getOrDefault(left, Map.of()).get(right);
        if (number == null) {
          throw new AssertionError("no trace of elements " + left + " and " + right);
        }
        newNumber[number] = count++;
      }
    }
    return new ExecutionQueue.Traces(
        kind.leftGamma(), lefts, kind.innerGamma(), kind.single() ? List.of() : rights, first);
  }
}
