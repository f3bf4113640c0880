package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.TensorShape;

/**
 * Slots of MemHC's table that successive queues share. Every queue takes the slots of a shape in
 * turn, so a slot is added only for a queue that needs more of them than all queues before it.
 */
final class ElementSlots {
  /** Adds an element to a memory manager, which numbers them from 0 on. */
  @FunctionalInterface
  interface Adder {
    /** The number of the new element. */
    int add(TensorShape shape, boolean input);
  }

  private record Kind(TensorShape shape, boolean input) {}

  private final Adder adder;
  private final Map<Kind, List<Integer>> known = new HashMap<>();
  private final Map<Kind, Integer> taken = new HashMap<>();
  private final List<TensorShape> shapes = new ArrayList<>();

  ElementSlots(Adder adder) {
    this.adder = adder;
  }

  /** Slots of no memory manager, for queues that are only counted. */
  ElementSlots() {
    adder = (shape, input) -> shapes.size();
  }

  /** Starts a new queue, which may take all slots. */
  void begin() {
    taken.clear();
  }

  /** The next slot of a shape that the queue has not taken yet, a new one if there is none. */
  int next(TensorShape shape, boolean input) {
    Kind kind = new Kind(shape, input);
    List<Integer> same = known.computeIfAbsent(kind, key -> new ArrayList<>());
    int number = taken.merge(kind, 1, Integer::sum) - 1;
    if (number == same.size()) {
      same.add(adder.add(shape, input));
      shapes.add(shape);
    }
    return same.get(number);
  }

  /** The shapes of all slots. */
  List<TensorShape> shapes() {
    return shapes;
  }
}
